"""Prompt grid."""
