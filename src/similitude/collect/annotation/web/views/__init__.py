"""Views: questions, scales and pages as plain values for the templates."""
