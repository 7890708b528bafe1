"""Evaluation: gold x predictions -> figures, with intervals and tests, diagnostics, and tasks."""
