"""Pairs that people differ over for a reason that stands in the text: ``sample:opinions(pairs=...)``."""

from similitude.samples.opinions.benchmark import make_opinions

__all__ = ["make_opinions"]
