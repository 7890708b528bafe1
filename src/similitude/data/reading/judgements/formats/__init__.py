"""One module for each family of formats of judgements."""
