"""Inspection of benchmarks: checks of their quality, and statistics of their texts."""
