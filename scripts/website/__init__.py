"""The documentation site: Markdown of docs/, executed notebooks, and reference pages from the code, built by Sphinx."""
