"""``sample:opinions(pairs=...)``: pairs on which people disagree for a reason that is in the text."""

from similitude.samples.opinions.benchmark import make_opinions

__all__ = ["make_opinions"]
