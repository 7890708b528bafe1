"""Uncertain."""
