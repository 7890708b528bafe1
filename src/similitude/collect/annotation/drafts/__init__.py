"""Drafts: studies that are made or changed in the browser, as folders with a study's file and what it names."""
