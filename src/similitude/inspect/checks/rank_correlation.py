"""Spearman's rho and how likely it is by chance, fast enough for a million rows.

The statistics room lies above this one, so the few lines that checks need stand here.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["Association", "Numbers", "correlation", "kruskal_wallis_p", "ranks", "spearman", "spearman_p", "written_p"]

Numbers = NDArray[np.float64]
_LEAST_P = 1e-16


class Association(NamedTuple):
    """How well a feature predicts gold: which feature, Spearman's rho, its p-value, and over how many items."""

    feature: str
    rho: float
    p: float
    items: int


def ranks(values: Numbers) -> Numbers:
    """Ranks from 1; ties share their average."""
    return pl.Series(values).rank("average").to_numpy()


def spearman(one: Numbers, other: Numbers) -> float:
    """Spearman's rho with average ranks; 0 where either is constant, since nothing is then predicted.

    >>> round(spearman(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])), 6)
    0.8
    """
    return correlation(ranks(one), ranks(other))


def correlation(one: Numbers, other: Numbers) -> float:
    """Pearson's r; 0 where either is constant or empty. Between ranks it is Spearman's rho."""
    if len(one) < 2:
        return 0.0
    first, second = one - one.mean(), other - other.mean()
    spread = math.sqrt(float(first @ first) * float(second @ second))
    return float(first @ second) / spread if spread > 0 else 0.0


def spearman_p(rho: float, items: int) -> float:
    """Two-sided p-value of rho under exchangeable rows, by Student's t with n - 2 degrees of freedom.

    >>> round(spearman_p(0.8, 4), 6)
    0.2
    """
    from scipy.special import betainc

    if items < 3:
        return 1.0
    return float(betainc((items - 2) / 2, 0.5, max(0.0, 1.0 - rho * rho)))


def kruskal_wallis_p(classes: NDArray[np.intp], ranked: Numbers) -> float:
    """P-value of the hypothesis that ranks do not depend on the class, with the usual correction for ties.

    H = (n - 1) * (variance of ranks between classes) / (variance of ranks), chi-squared with classes - 1 degrees.
    """
    from scipy.special import chdtrc

    sizes = np.bincount(classes)
    present = sizes > 0
    means = np.bincount(classes, weights=ranked)[present] / sizes[present]
    total = float(np.square(ranked - ranked.mean()).sum())
    if total == 0 or present.sum() < 2:
        return 1.0
    between = float((sizes[present] * np.square(means - ranked.mean())).sum())
    return float(chdtrc(int(present.sum()) - 1, (len(ranked) - 1) * between / total))


def written_p(p: float) -> str:
    """A p-value as it is printed.

    >>> written_p(0.0), written_p(0.000123)
    ('p < 1e-16', 'p = 0.00012')
    """
    return f"p < {_LEAST_P:g}" if p < _LEAST_P else f"p = {p:.2g}"
