"""Cumulative gain: the gold that a ranking collects in its first k places.

As in Reimers et al. (2016): CG_k is the sum of the gold scores in the first k places, and
DCG_k = m_1 + sum_{i=2..k} m_i / log2(i). The first two places are not discounted; many libraries divide by
log2(i + 1), which is another measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.levels import Levels
from similitude.stats.ranks import Ordering

__all__ = [
    "Ties",
    "discounts",
    "gains_by_rank_expected",
    "gains_by_rank_stable",
    "normalised_gain",
    "normalised_gain_without_each",
    "worth_of_places",
]

Ties = Literal["expected", "stable"]


def gains_by_rank_expected(gains: Array, ordering: Ordering) -> Array:
    """Gains in descending order of the scores; tied items get the mean of their gains.

    That is the expected gain over random orders of the tie, so the order of rows does not matter.
    """
    placed = np.take_along_axis(np.broadcast_to(gains, ordering.values.shape), ordering.order, axis=-1)
    return ordering.averaged(placed)[..., ::-1]


def gains_by_rank_stable(gains: Array, scores: Array) -> Array:
    """Gains in descending order of the scores; tied items keep their order."""
    order = np.argsort(-scores, kind="stable")
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


def worth_of_places(places: int, cut: int | None, *, discounted: bool) -> Array:
    """The cumulative weights of the first 0, 1, 2, ... places, up to the cut.

    >>> worth_of_places(4, 3, discounted=False)
    array([0., 1., 2., 3.])
    """
    places = places if cut is None else min(cut, places)
    each = discounts(places) if discounted and places else np.ones(places)
    return np.concatenate([[0.0], np.cumsum(each)])


def normalised_gain_without_each(
    gains: Array, rows: Sequence[Levels], ideal: Levels, cuts: Sequence[int | None], *, discounted: bool
) -> Array:
    """The normalised gain of each row without each item: rows x items, averaged over the cuts.

    Items below the one left out move up by one place, which cumulative sums give for all items at once. nan where the
    best gain is not above 0.

    Args:
        gains: one per item.
        rows: each system's items, best first.
        ideal: the items in descending order of gain.
        cuts: the numbers of places; None for all places.
        discounted: whether to discount later places.
    """
    shares = np.zeros((len(rows), gains.size))
    for cut in cuts:
        worth = worth_of_places(gains.size, cut, discounted=discounted)
        best = _gain_without_each(gains, ideal, worth)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares += [np.where(best > 0, _gain_without_each(gains, row, worth) / best, np.nan) for row in rows]
    return shares / len(cuts)


def _gain_without_each(gains: Array, levels: Levels, worth: Array) -> Array:
    """The gain in this order without each item; the items of a level share their mean gain."""
    last, starts, ends = worth.size - 1, levels.starts, levels.starts + levels.sizes
    up_to = worth[np.minimum(np.arange(gains.size + 1), last)]
    sums = np.bincount(levels.of_item, weights=gains)
    mean = sums / levels.sizes
    kept, moved = mean * (up_to[ends] - up_to[starts]), mean * (up_to[ends - 1] - up_to[np.maximum(starts - 1, 0)])
    before, after = np.cumsum(kept) - kept, moved.sum() - np.cumsum(moved)
    level = levels.of_item
    others = np.maximum(levels.sizes - 1, 1)[level]
    own = (sums[level] - gains) / others * (up_to[ends - 1] - up_to[starts])[level]
    return np.asarray(before[level] + own + after[level])
