"""Influence values of rank correlations: how much each item pulls the correlation up or down.

The influence of an item is the derivative of the correlation towards a sample that consists of this item alone. The
mean influence is 0, and the standard error of the correlation is the standard deviation of the influence values divided
by the root of their number. All values of a row take n log n steps together; a bootstrap takes as many per resample.

Reference: Hampel (1974), The influence curve and its role in robust estimation; Croux and Dehon (2010), Influence
functions of the Spearman and Kendall correlation measures.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array
from similitude.stats.levels import Levels
from similitude.stats.wavelet_matrix import smaller_in_prefix

__all__ = ["kendall_influence", "kendall_shrinkage", "right_minus_wrong", "spearman_influence"]

Counts = NDArray[np.int64]


class _Part(NamedTuple):
    """A part of a correlation: a mean over items, pairs or triples, and its derivative towards each item."""

    value: float
    slope: Array


def spearman_influence(gold: Levels, row: Levels) -> Array:
    """The influence of each item on Spearman's rho; nan if a side is constant.

    rho = cov(F, G) / sqrt(var(F) var(G)), where F and G are the ranks minus one half, divided by n. An item counts with
    its own ranks, and it raises the ranks of all items above it.

    >>> x, y = Levels.of(np.array([1.0, 2.0, 3.0])), Levels.of(np.array([1.0, 3.0, 2.0]))
    >>> spearman_influence(x, y).round(3)
    array([ 1.5 , -0.75, -0.75])
    """
    f, g = (levels.middles() / levels.of_item.size for levels in (gold, row))
    pull = f * g + (gold.sums_above(g) + row.sums_above(f)) / f.size
    return _of_ratio(_centred(f * g, pull), _variance(gold, f), _variance(row, g))


def kendall_influence(gold: Levels, row: Levels) -> Array:
    """The influence of each item on Kendall's tau-b; nan if a side is constant.

    >>> x, y = Levels.of(np.array([1.0, 2.0, 3.0])), Levels.of(np.array([1.0, 3.0, 2.0]))
    >>> kendall_influence(x, y).round(3)
    array([ 1.333, -0.667, -0.667])
    """
    n = gold.of_item.size
    balance = right_minus_wrong(gold, row) / n
    sides = [1.0 - levels.sizes[levels.of_item] / n for levels in (gold, row)]
    # The slopes of means of pairs are 2 (each - mean); the means cancel in the ratio.
    return _of_ratio(*(_Part(float(each.mean()), 2 * each) for each in (balance, *sides)))


def kendall_shrinkage(influence: Array, tau: float) -> float:
    """The factor that shrinks influence values on tau, without ties, so that their spread gives its standard error.

    The squares of influence values hold, besides the variance b of single items, a part of order 1/n^2 that only pairs
    have. It is most of the variance where tau is high and items are few, and the squares count it twice. With
    c = (1 - tau^2) / n^2 for that part, the variance is b / (1 + c / b), which is b - c to first order. With ties,
    simulations show that nothing needs to be shrunk.

    Reference: Hoeffding (1948), A class of statistics with asymptotically normal distribution.
    """
    n = influence.size
    base = float(np.square(influence).sum()) / (n * (n - 1))
    return float(1 / np.sqrt(1 + (1 - tau**2) / n**2 / base)) if base > 0 else 1.0


def right_minus_wrong(gold: Levels, row: Levels) -> Counts:
    """Of each item, the number of others that row orders as gold does, minus the number that it orders the other way.

    Pairs that are tied on either side count for neither.

    >>> right_minus_wrong(Levels.of(np.array([1.0, 2.0, 3.0])), Levels.of(np.array([1.0, 3.0, 2.0])))
    array([2, 0, 0])
    """
    n = gold.of_item.size
    lower_in_both = _lower_in_both(gold, row)
    both = gold.of_item * row.starts.size + row.of_item
    gold_ties, row_ties = (levels.sizes[levels.of_item] for levels in (gold, row))
    gold_lower, row_lower = (levels.starts[levels.of_item] for levels in (gold, row))
    joint = Levels.of(both)  # by gold, then by row
    turned = Levels.of(row.of_item * gold.starts.size + gold.of_item)
    gold_tied_row_lower = joint.starts[joint.of_item] - gold_lower
    row_tied_gold_lower = turned.starts[turned.of_item] - row_lower
    tied_in_both = joint.sizes[joint.of_item]
    gold_lower_row_higher = gold_lower - lower_in_both - row_tied_gold_lower
    row_lower_gold_higher = row_lower - lower_in_both - gold_tied_row_lower
    row_higher = n - row_lower - row_ties
    gold_tied_row_higher = gold_ties - tied_in_both - gold_tied_row_lower
    higher_in_both = row_higher - gold_lower_row_higher - gold_tied_row_higher
    return np.asarray(lower_in_both + higher_in_both - gold_lower_row_higher - row_lower_gold_higher)


def _lower_in_both(gold: Levels, row: Levels) -> Counts:
    """Of each item, the number of items that are lower on both sides."""
    ordered = row.of_item[gold.order]
    before = np.repeat(gold.starts, gold.sizes)
    counts = np.empty(ordered.size, dtype=np.int64)
    counts[gold.order] = smaller_in_prefix(ordered, before)
    return counts


def _variance(levels: Levels, f: Array) -> _Part:
    return _centred(f * f, f * f + 2 * levels.sums_above(f) / f.size)


def _centred(each: Array, pull: Array) -> _Part:
    """A mean of products of two ranks, minus the product of their means, which is always 1/4.

    The mean depends on three items (the item, and one for each rank), so that the derivatives add up to three times it.
    """
    mean = float(each.mean())
    return _Part(mean - 0.25, pull - 3 * mean)


def _of_ratio(top: _Part, one: _Part, other: _Part) -> Array:
    """The influence on top / sqrt(one * other)."""
    if one.value <= 0 or other.value <= 0:
        return np.full(top.slope.shape, np.nan)
    below = one.slope / one.value + other.slope / other.value
    return np.asarray((top.slope - top.value / 2 * below) / np.sqrt(one.value * other.value))
