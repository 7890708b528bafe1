"""File formats of judgements, one module for each family."""
