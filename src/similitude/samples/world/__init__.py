"""``sample:world``: pairs of sentences about a small world, under conditions."""

from similitude.samples.world.benchmark import REGIMES, make_world

__all__ = ["REGIMES", "make_world"]
