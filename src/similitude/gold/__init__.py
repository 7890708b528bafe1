"""Judgements -> gold."""
