"""The routes: each parses a request, calls the store and renders."""
