"""Cells: the pieces of work that every study consists of. Each is addressed by its content, run once, and kept."""
