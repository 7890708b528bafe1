"""The registry of measures: from ``ndcg@10`` or ``hmean(pearson, f1)`` to the measure."""

from __future__ import annotations

from collections.abc import Callable

from similitude.evaluate.measures.measure import Measure
from similitude.registry import Registry

__all__ = ["DEFAULT_MEASURES", "DISTRIBUTION_MEASURES", "MEASURES", "catalogue", "make_measure"]

MEASURES: Registry[Measure] = Registry("measure", "similitude.measures")

DEFAULT_MEASURES = ("pearson", "spearman", "ndcg@10", "f1_low", "f1_high", "mae")
"""The default measures: value, rank, top of the list, low pairs, high pairs, error."""

DISTRIBUTION_MEASURES = ("kl", "nlpd", "ece", "crps", "sigma_pearson")
"""Added to the default if a system gives standard deviations."""


FAMILIES = ("correlation", "error", "cumulative_gain", "grouped", "classification", "combination", "distribution")
"""The modules of measures, in the order of listings."""


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
    """The position of a family in listings; those of other packages come last."""
    return FAMILIES.index(family) if family in FAMILIES else len(FAMILIES)


def _example(name: str, maker: Callable[..., Measure]) -> str:
    """How to write a measure; makers that need arguments give an example in ``maker.example``."""
    return getattr(maker, "example", name)
