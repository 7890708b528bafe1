"""``sample:world``: pairs of sentences about a small world, under conditions; and the same with wrong labels."""

from similitude.samples.world.benchmark import REGIMES, make_world
from similitude.samples.world.corruption import CORRUPTIONS, Corrupted, corrupt_labels, make_corrupted_world

__all__ = ["CORRUPTIONS", "REGIMES", "Corrupted", "corrupt_labels", "make_corrupted_world", "make_world"]
