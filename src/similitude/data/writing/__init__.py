"""Writing benchmarks and judgements."""
