"""File formats of benchmarks, one module for each family."""
