"""The contracts that systems, measures, formats and tasks keep."""
