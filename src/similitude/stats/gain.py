"""Cumulative gain: the gold that a ranking collects in its first k places.

As in Reimers et al. (2016): CG_k is the sum of the gold scores in the first k places, and
DCG_k = m_1 + sum_{i=2..k} m_i / log2(i). The first two places are not discounted; many libraries divide by
log2(i + 1), which is another measure.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.ranks import Ordering

__all__ = ["Ties", "discounts", "gains_by_rank_expected", "gains_by_rank_stable", "normalised_gain"]

Ties = Literal["expected", "stable"]


def gains_by_rank_expected(gains: Array, ordering: Ordering) -> Array:
    """Gains in descending order of the scores; tied items get the mean of their gains.

    That is the expected gain over random orders of the tie, so the order of rows does not matter.
    """
    placed = np.take_along_axis(np.broadcast_to(gains, ordering.values.shape), ordering.order, axis=-1)
    return ordering.averaged(placed)[..., ::-1]


def gains_by_rank_stable(gains: Array, scores: Array) -> Array:
    """Gains in descending order of the scores; tied items keep their order."""
    order = np.argsort(-scores, axis=-1, kind="stable")
    return np.take_along_axis(np.broadcast_to(gains, scores.shape), order, axis=-1)


def discounts(n: int) -> Array:
    """The weight of each of n places: 1, 1, 1/log2(3), 1/log2(4), ..."""
    weights = np.ones(n)
    weights[1:] = 1.0 / np.log2(np.arange(2, n + 1))
    return weights


def normalised_gain(ranked: Array, ideal: Array, k: int, *, discounted: bool) -> Array:
    """The gain in the first k places divided by the best possible gain; nan where that is not above 0.

    Args:
        ranked: gains in the order of the system, along the last axis.
        ideal: gains in descending order.
        k: the number of places; all if there are fewer.
        discounted: whether to discount later places.
    """
    k = min(k, ranked.shape[-1])
    weights = discounts(k) if discounted else np.ones(k)
    best = np.asarray(ideal[..., :k] @ weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(best > 0, (ranked[..., :k] @ weights) / best, np.nan)
