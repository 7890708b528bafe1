"""Reports: results as tables, figures and pages. Computes nothing."""
