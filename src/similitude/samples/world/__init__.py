"""A small world of attributes, and conditioned pairs of sentences about it: ``sample:world``."""

from similitude.samples.world.benchmark import REGIMES, make_world

__all__ = ["REGIMES", "make_world"]
