"""Areas under curves of scores against labels, for many resamples at once: ROC area, average precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from similitude.stats.arrays import Array, Booleans, Integers
from similitude.stats.classification import share
from similitude.stats.resamples import Units
from similitude.stats.weighted_correlation import by_item

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = [
    "auc_without_each",
    "auc_without_units",
    "average_precision_without_each",
    "weighted_auc",
    "weighted_average_precision",
]


def weighted_auc(scores: Array, is_positive: Booleans, weights: Array) -> Array:
    """The share of pairs (positive, negative) in which the positive has the higher score; ties count half.

    Args:
        scores: systems x items.
        is_positive: the label of each item.
        weights: resamples x items, how often each resample holds each item.

    Returns:
        Systems x resamples; nan in resamples that lack a label.

    >>> weighted_auc(np.array([[1.0, 2.0, 2.0, 3.0]]), np.array([False, False, True, True]), np.ones((1, 4)))
    array([[0.875]])
    """
    counts = by_item(weights)
    positives, negatives = (counts[chosen].sum(axis=0) for chosen in (is_positive, ~is_positive))
    won = np.stack([_pairs_won(row, is_positive, counts) for row in scores])
    return share(won, positives * negatives)


def weighted_average_precision(scores: Array, is_positive: Booleans, weights: Array) -> Array:
    """The precision at each positive item's score, averaged over positive items; equal scores are not separated.

    Args:
        scores: systems x items.
        is_positive: the label of each item.
        weights: resamples x items, how often each resample holds each item.

    Returns:
        Systems x resamples; nan in resamples without a positive item.

    >>> # precision 1/1 at the first positive, 2/3 at the second
    >>> weighted_average_precision(np.array([[3.0, 2.0, 1.0]]), np.array([True, False, True]), np.ones((1, 3))).round(4)
    array([[0.8333]])
    """
    counts = by_item(weights)
    positives = counts[is_positive].sum(axis=0)
    return share(np.stack([_precisions(row, is_positive, counts) for row in scores]), positives)


def auc_without_each(scores: Array, is_positive: Booleans) -> Array:
    """The ROC area of one row of scores without each item; nan for the only item of its label."""
    placed = _placements(scores, is_positive)
    positives, won = int(is_positive.sum()), float(placed[is_positive].sum())
    negatives = is_positive.size - positives
    rest = np.where(is_positive, (positives - 1) * negatives, positives * (negatives - 1))
    return share(won - placed, rest.astype(np.float64))


def auc_without_units(scores: Array, is_positive: Booleans, units: Units) -> Array:
    """The ROC area of one row of scores without each unit of items; nan for a unit that holds all items of a label.

    >>> labels, units = np.array([False, True, False, True]), Units.of_groups(np.array([0, 0, 1, 1]))
    >>> auc_without_units(np.array([1.0, 2.0, 3.0, 2.5]), labels, units)
    array([0., 1.])
    """
    if units.of_item is None:
        return auc_without_each(scores, is_positive)
    placed = _placements(scores, is_positive)
    won = (
        float(placed[is_positive].sum())
        - units.sums(placed)
        + _won_within(scores, is_positive, units.of_item, units.number)
    )
    positives, negatives = (
        int(chosen.sum()) - units.sums(chosen.astype(np.float64)) for chosen in (is_positive, ~is_positive)
    )
    return share(won, positives * negatives)


def average_precision_without_each(scores: Array, is_positive: Booleans) -> Array:
    """The average precision of one row of scores without each item; nan for the only positive item."""
    level, positive, every = _level_counts(scores, is_positive)
    hits, seen = np.cumsum(positive), np.cumsum(every)
    above = np.cumsum(positive * hits / seen) - positive * hits / seen
    found = np.empty(is_positive.size)
    for label in (True, False):
        # Without an item, every level from its own down has one item less, and one hit less if it was positive.
        rest = (hits - label) / np.maximum(seen - 1, 1)
        terms, own = positive * rest, (positive - label) * rest
        below = terms[::-1].cumsum()[::-1] - terms
        chosen = level[is_positive == label]
        found[is_positive == label] = share((above + own + below)[chosen], np.array(float(hits[-1] - label)))
    return found


def _pairs_won(scores: Array, is_positive: Booleans, counts: Array) -> Array:
    """The weight of pairs with the positive above the negative, per resample."""
    positive = np.flatnonzero(is_positive)
    positive = positive[np.argsort(-scores[positive])]
    falling, negative = -scores[positive], np.flatnonzero(~is_positive)
    before, until = (np.searchsorted(falling, -scores[negative], side) for side in ("left", "right"))
    above = np.zeros((positive.size + 1, counts.shape[1]))
    np.cumsum(counts[positive], axis=0, out=above[1:])
    rows = np.concatenate([before, until])
    half = _summing(rows, np.concatenate([negative, negative]), (positive.size + 1, scores.size), 0.5)
    return np.asarray(np.einsum("pr,pr->r", np.asarray(half @ counts), above))


def _precisions(scores: Array, is_positive: Booleans, counts: Array) -> Array:
    """The sum of the precisions at all positive items, per resample."""
    levels, of_positive = np.unique(-scores[is_positive], return_inverse=True)
    shape = (levels.size, scores.size)
    hits = np.asarray(_summing(of_positive, np.flatnonzero(is_positive), shape) @ counts)
    of_item = np.searchsorted(levels, -scores)
    seen_at = np.flatnonzero(of_item < levels.size)
    seen = np.cumsum(np.asarray(_summing(of_item[seen_at], seen_at, shape) @ counts), axis=0)
    return np.asarray(np.einsum("lr,lr->r", hits, share(np.cumsum(hits, axis=0), seen, when_empty=0.0)))


def _summing(rows: Integers, columns: Integers, shape: tuple[int, int], value: float = 1.0) -> csr_array:
    """The matrix that sums columns into rows."""
    from scipy.sparse import csr_array

    return csr_array((np.full(rows.size, value), (rows, columns)), shape=shape)


def _placements(scores: Array, is_positive: Booleans) -> Array:
    """Of each item, the number of items of the other label that are on the right side of it; ties count half."""
    found = np.empty(scores.size)
    for label in (True, False):
        others = np.sort(scores[is_positive != label])
        own = scores[is_positive == label]
        below = (np.searchsorted(others, own, "left") + np.searchsorted(others, own, "right")) / 2
        found[is_positive == label] = below if label else others.size - below
    return found


def _won_within(scores: Array, is_positive: Booleans, unit: Integers, number: int) -> Array:
    """Of each unit, the number of its own pairs with the positive above the negative; ties count half."""
    _, rank = np.unique(scores, return_inverse=True)
    _, run, sizes = np.unique(unit * (int(rank.max()) + 1) + rank, return_inverse=True, return_counts=True)
    middle = np.cumsum(sizes) - (sizes - 1) / 2  # the rank of each run of ties, among all items in order of their units
    before = np.cumsum(np.bincount(unit, minlength=number)) - np.bincount(unit, minlength=number)
    ranks = middle[run] - before[unit]
    positives = np.bincount(unit, is_positive, minlength=number)
    return np.asarray(np.bincount(unit, ranks * is_positive, minlength=number) - positives * (positives + 1) / 2)


def _level_counts(scores: Array, is_positive: Booleans) -> tuple[Integers, Array, Array]:
    """The level of each item, highest score first, and the positive and all items of each level."""
    _, level = np.unique(-scores, return_inverse=True)
    positive = np.bincount(level, weights=is_positive).astype(np.float64)
    return level, positive, np.bincount(level).astype(np.float64)
