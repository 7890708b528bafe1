"""Gaussian process."""
