"""Transformers that encode texts: loading, batches, caching."""
