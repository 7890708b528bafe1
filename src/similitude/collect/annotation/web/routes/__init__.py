"""The routes: each parses, calls the store, renders."""
