"""Five settings."""
