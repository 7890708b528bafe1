"""Correlations of many resamples at once, each resample given as the number of times that it holds each item.

``weights`` is resamples x items: 0 for an item that was not drawn, 2 for one that was drawn twice. The result equals
that of items repeated as often as they were drawn, but resamples are never sorted: all follow the order of the full
sample, item by item, as vectors over resamples.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.levels import Levels, sum_of_members

__all__ = ["by_item", "pearson_features", "pearson_from_sums", "weighted_spearman", "weighted_sums"]


FURTHEST = 400
"""Values beyond this power of two, or below its inverse, have squares that floating point cannot hold or add."""
_CANCELLED = 1e-6
"""A variance below this fraction of the mean square has lost too many digits to cancellation."""


def by_item(weights: Array) -> Array:
    """The weights as items x resamples, with contiguous rows, which the loops over items read."""
    return np.ascontiguousarray(weights.T, dtype=np.float64)


def weighted_sums(features: Array, weights: Array) -> Array:
    """Weighted sums over items: systems x resamples x features, from systems x features x items.

    >>> weighted_sums(np.array([[[1.0, 10.0]]]), np.array([[2.0, 0.0], [1.0, 1.0]])).ravel()
    array([ 2., 11.])
    """
    systems, kinds, items = features.shape
    sums = features.reshape(systems * kinds, items) @ np.asarray(weights, dtype=np.float64).T
    return np.moveaxis(sums.reshape(systems, kinds, -1), 1, 2)


def pearson_features(x: Array, y: Array) -> Array:
    """The terms whose sums give Pearson's r: 1, x, y, x^2, y^2 and xy, with x and y centred.

    Args:
        x: one value per item.
        y: systems x items.

    Returns:
        Systems x 6 x items.
    """
    x, y = _centred(x), _centred(y)
    return np.stack(np.broadcast_arrays(1.0, x, y, x * x, y * y, x * y), axis=-2)


def _centred(side: Array) -> Array:
    """Deviations from the mean; rows whose squares are beyond the range of floating point divided by a power of two."""
    _, exponents = np.frexp(np.abs(side).max(axis=-1, keepdims=True, initial=0.0))
    scaled = np.ldexp(side, np.where(np.abs(exponents) > FURTHEST, -exponents, 0))
    return np.asarray(scaled - scaled.mean(axis=-1, keepdims=True))


def pearson_from_sums(sums: Array) -> Array:
    """Pearson's r from the sums of `pearson_features` (last axis); nan where cancellation leaves too few digits."""
    total, *rest = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y, xx, yy, xy = (part / total for part in rest)
        x_spread, y_spread = xx - x * x, yy - y * y
        known = (x_spread > _CANCELLED * xx) & (y_spread > _CANCELLED * yy)
        r = (xy - x * y) / np.sqrt(x_spread * y_spread)
    return np.where(known, np.clip(r, -1.0, 1.0), np.nan)


def weighted_spearman(weights: Array, gold: Levels, rows: Sequence[Levels]) -> Array:
    """Spearman's rho of each row with gold in each resample: rows x resamples; nan where a side is constant.

    The rank of an item is the number of draws below it plus half the draws at its level. The sum of squares of the
    ranks is (N^3 - N) / 12 minus (t^3 - t) / 12 for every level with t draws.

    >>> one, other = (Levels(np.array(order), np.arange(3)) for order in ([0, 1, 2], [0, 2, 1]))
    >>> weighted_spearman(np.array([[1.0, 1.0, 1.0], [3.0, 0.0, 0.0]]), one, [other])
    array([[0.5, nan]])
    """
    counts = by_item(weights)
    halves, totals = counts * 0.5, counts.sum(axis=0)
    carried = _middles(halves, gold)
    carried -= totals / 2
    carried *= counts
    cubes = np.einsum("nb,nb,nb->b", counts, counts, counts)
    gold_spread = _spread(counts, totals, cubes, gold)
    found = [
        _rho(_rank_products(halves, carried, row), gold_spread, _spread(counts, totals, cubes, row)) for row in rows
    ]
    return np.stack(found)


def _middles(halves: Array, levels: Levels) -> Array:
    """For each item, the draws below its level plus half the draws at it: its rank minus one half."""
    middles, middle = np.empty_like(halves), np.zeros(halves.shape[1])
    for members in levels.members:
        half = sum_of_members(halves, members)
        middle += half
        middles[members] = middle
        middle += half
    return middles


def _rank_products(halves: Array, carried: Array, levels: Levels) -> Array:
    """The sum over items of ``carried`` times their rank (minus one half), without storing the ranks."""
    total, middle, product = (np.zeros(halves.shape[1]) for _ in range(3))
    for members in levels.members:
        half = sum_of_members(halves, members)
        middle += half
        np.multiply(sum_of_members(carried, members), middle, out=product)
        total += product
        middle += half
    return total


def _spread(counts: Array, totals: Array, cubes: Array, levels: Levels) -> Array:
    """The sum of squared distances of the ranks from their mean, times 12."""
    for members in levels.ties:
        drawn = counts[members]
        cubes = cubes + drawn.sum(axis=0) ** 3 - np.einsum("nb,nb,nb->b", drawn, drawn, drawn)
    return totals**3 - cubes


def _rho(products: Array, gold_spread: Array, row_spread: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        rho = 12 * products / np.sqrt(gold_spread * row_spread)
    return np.where((gold_spread > 0) & (row_spread > 0), np.clip(rho, -1.0, 1.0), np.nan)
