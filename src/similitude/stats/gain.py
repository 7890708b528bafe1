"""Cumulative gain: how much gold a ranking collects in its first k places.

As Reimers et al. (2016) define it: CG_k is the sum of the gold scores in the first k places, and
DCG_k = m_1 + sum_{i=2..k} m_i / log2(i). The first two places are both undiscounted; dividing by log2(i + 1), as
many libraries do, is another measure.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from similitude.stats.ranks import Ordering

__all__ = ["Ties", "discounts", "gains_by_rank_expected", "gains_by_rank_stable", "normalised_gain"]

Array = NDArray[np.float64]
Ties = Literal["expected", "stable"]


def gains_by_rank_expected(gains: Array, ordering: Ordering) -> Array:
    """Gains in the order of the sorted scores, highest first; inside a tie, each place gets the tie's mean.

    That mean is the expected gain over random order inside the tie, so row order never matters.
    """
    placed = np.take_along_axis(np.broadcast_to(gains, ordering.values.shape), ordering.order, axis=-1)
    return ordering.averaged(placed)[..., ::-1]


def gains_by_rank_stable(gains: Array, scores: Array) -> Array:
    """Gains in the order of the scores, highest first; ties keep the order in which the items came."""
    order = np.argsort(-scores, axis=-1, kind="stable")
    return np.take_along_axis(np.broadcast_to(gains, scores.shape), order, axis=-1)


def discounts(n: int) -> Array:
    """The weight of each of n places: 1, 1, 1/log2(3), 1/log2(4), ..."""
    weights = np.ones(n)
    weights[1:] = 1.0 / np.log2(np.arange(2, n + 1))
    return weights


def normalised_gain(ranked: Array, ideal: Array, k: int, *, discounted: bool) -> Array:
    """Gain collected in the first k places over the most that could be; nan where that is not above 0.

    Args:
        ranked: gains in the system's order, along the last axis.
        ideal: gains in the best order, highest first.
        k: how many places count; more than there are means all.
        discounted: whether later places count less.
    """
    k = min(k, ranked.shape[-1])
    weights = discounts(k) if discounted else np.ones(k)
    best = np.asarray(ideal[..., :k] @ weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(best > 0, (ranked[..., :k] @ weights) / best, np.nan)
