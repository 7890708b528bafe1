"""Predictiveness."""
