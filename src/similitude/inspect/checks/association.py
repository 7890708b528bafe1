"""Spearman correlation of a feature with gold, and its p-value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.correlation import pearson
from similitude.stats.p_values import correlation_p_value

__all__ = ["Association", "Numbers", "formatted_p_value", "rank_correlation"]

Numbers = NDArray[np.float64]
_LEAST_P = 1e-16


class Association(NamedTuple):
    """How well a feature predicts gold.

    Attributes:
        feature: its name, as messages put it.
        rho: Spearman's rho of feature and gold.
        p: the p-value of rho.
        items: how many items it was computed over.
    """

    feature: str
    rho: float
    p: float
    items: int

    @classmethod
    def of_ranks(cls, feature: str, ranks: Numbers, gold_ranks: Numbers) -> Association:
        """The association of a feature with gold, both given as ranks."""
        rho = rank_correlation(ranks, gold_ranks)
        return cls(feature, rho, correlation_p_value(rho, len(ranks)), len(ranks))


def rank_correlation(ranks: Numbers, gold_ranks: Numbers) -> float:
    """Spearman's rho from ranks; 0 where either side is constant, because a constant predicts nothing."""
    return float(np.nan_to_num(pearson(ranks, gold_ranks)))


def formatted_p_value(p: float) -> str:
    """A p-value for a message.

    >>> formatted_p_value(0.0), formatted_p_value(0.000123)
    ('p < 1e-16', 'p = 0.00012')
    """
    return f"p < {_LEAST_P:g}" if p < _LEAST_P else f"p = {p:.2g}"
