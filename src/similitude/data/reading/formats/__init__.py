"""The formats, one module a family."""
