"""Suites: several benchmarks measured together, with averages over them."""
