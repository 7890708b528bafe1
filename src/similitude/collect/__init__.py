"""Texts -> judgements."""
