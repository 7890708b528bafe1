"""The registry of measures: ``ndcg@10`` or ``hmean(pearson, f1)`` to the measure that it names."""

from __future__ import annotations

from collections.abc import Callable

from similitude.evaluate.measures.measure import Measure
from similitude.registry import Registry

__all__ = ["DEFAULT_MEASURES", "DISTRIBUTION_MEASURES", "MEASURES", "catalogue", "make_measure"]

MEASURES: Registry[Measure] = Registry("measure", "similitude.measures")

DEFAULT_MEASURES = ("pearson", "spearman", "ndcg@10", "f1_low", "f1_high", "mae")
"""What is shown where no measure is named: value, rank, top of the list, low pairs, high pairs, error."""

DISTRIBUTION_MEASURES = ("kl", "nlpd", "ece", "crps", "sigma_pearson")
"""Added to the default where a system gives standard deviations."""


FAMILIES = ("correlation", "error", "cumulative_gain", "grouped", "classification", "combination", "distribution")
"""The modules of this room, in the order in which listings show them."""


def make_measure(written: str) -> Measure:
    """The measure that ``written`` names.

    >>> make_measure("hmean(pearson, ndcg@10)")
    hmean(pearson, ndcg@10)
    """
    return MEASURES.make(written)


def catalogue() -> list[Measure]:
    """One example of every registered measure, family by family, for listings."""
    made = [MEASURES.make(_example(name, MEASURES.maker(name))) for name in MEASURES]
    return sorted(made, key=lambda measure: _place(type(measure).__module__.rpartition(".")[2]))


def _place(family: str) -> int:
    """Where a family stands in listings; those of other packages come last."""
    return FAMILIES.index(family) if family in FAMILIES else len(FAMILIES)


def _example(name: str, maker: Callable[..., Measure]) -> str:
    """Measures that cannot be made from their name alone say how they are written in ``maker.example``."""
    return getattr(maker, "example", name)
