"""Reliability of judgements: agreement, split-half reliability, annotators, and how many raters are enough."""
