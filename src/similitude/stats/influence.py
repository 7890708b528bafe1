"""The influence of each item on a correlation, for standard errors without resamples.

The influence of an item is the derivative of the figure with respect to the item's weight: what the figure changes by,
times n, if the item is drawn a little more often. The mean influence is 0, and the mean square over n is the squared
standard error of the figure (infinitesimal jackknife; Efron 1982). Functions work along the last axis.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Booleans
from similitude.stats.correlation import is_constant
from similitude.stats.ranks import Ordering

__all__ = ["Influences", "pearson_influence", "spearman_influence"]


class Influences(NamedTuple):
    """A figure for every row, and the influence of every item on it; both nan where the figure is undefined."""

    figure: Array
    of_item: Array


def pearson_influence(x: Array, y: Array) -> Influences:
    """Pearson's r and the influence of each item: z_x z_y - r (z_x^2 + z_y^2) / 2, with z the standardised values.

    >>> found = pearson_influence(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    >>> found.figure.round(3), found.of_item.round(3)
    (np.float64(0.5), array([ 0.75 , -0.375, -0.375]))
    """
    z_x, z_y = _standardised(x), _standardised(y)
    r = np.clip(np.mean(z_x * z_y, axis=-1), -1.0, 1.0)
    return Influences(r[()], z_x * z_y - r[..., None] * (z_x**2 + z_y**2) / 2)


def spearman_influence(x: Array, y: Array) -> Influences:
    """Spearman's rho and the influence of each item.

    Rho is the correlation of u and v, the shares of items below an item on either side (ties count half). An item
    counts by its own u and v, and by what it adds to the u of items above it on one side and to the v of those above it
    on the other. An item that is nan on either side is missing: it does not count, and its influence is 0.

    >>> found = spearman_influence(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    >>> found.figure.round(3), found.of_item.round(3)  # the first item alone is in its place
    (np.float64(0.5), array([ 1.5 , -0.75, -0.75]))
    """
    there = ~(np.isnan(x) | np.isnan(y))
    first, second = _Side(x, there), _Side(y, there)
    both, of_first, of_second = _Moment(first, second), _Moment(first, first), _Moment(second, second)
    is_known = (of_first.mean > 0) & (of_second.mean > 0)
    spreads = [np.where(is_known, side.mean, np.nan)[..., None] for side in (of_first, of_second)]
    scale = np.sqrt(spreads[0] * spreads[1])
    rho = np.clip(both.mean[..., None] / scale, -1.0, 1.0)
    stretched = of_first.influence() / spreads[0] + of_second.influence() / spreads[1]
    influence = both.influence() / scale - rho * stretched / 2
    return Influences(rho[..., 0][()], np.where(there | np.isnan(rho), influence, 0.0))


class _Side:
    """One side of a rank correlation.

    Attributes:
        below: the share of a row's items below each item, minus 1/2; 0 where the item is missing.
        number: items of each row, at least 1.
    """

    def __init__(self, values: Array, there: Booleans) -> None:
        # Missing items are sorted last, so that they do not move the others.
        self._ordering = Ordering(np.where(there, values, np.inf))
        number = there.sum(axis=-1, keepdims=True)
        self.number = np.maximum(number, 1)
        self.below = np.where(there, (self._ordering.ranks - (number + 1) / 2) / self.number, 0.0)

    def mean_above(self, values: Array) -> Array:
        """For each item, the sum of these values over the items above it, and half of those tied with it, over n.

        The values of a row sum to 0.
        """
        order, tie = self._ordering.order, self._ordering.tie
        sums = np.bincount(tie.ravel(), weights=np.take_along_axis(values, order, axis=-1).ravel())
        above = sums / 2 - np.cumsum(sums)  # every row sums to 0, so the running sum begins anew with each
        found = np.empty(values.shape)
        np.put_along_axis(found, order, above[tie], axis=-1)
        return np.asarray(found / self.number)


class _Moment:
    """The mean product of two sides.

    Attributes:
        mean: of every row.
    """

    def __init__(self, one: _Side, other: _Side) -> None:
        self._one, self._other = one, other
        self._products = one.below * other.below
        self.mean = self._products.sum(axis=-1) / one.number[..., 0]

    def influence(self) -> Array:
        """The derivative of the mean product by each item's weight, plus 3 means, which cancel in a correlation."""
        moved = self._one.mean_above(self._other.below)
        moved = 2 * moved if self._one is self._other else moved + self._other.mean_above(self._one.below)
        return np.asarray(self._products + moved)


def _standardised(values: Array) -> Array:
    values = np.asarray(values, dtype=np.float64)
    centred = values - values.mean(axis=-1, keepdims=True)
    spread = np.sqrt(np.mean(centred**2, axis=-1))
    return np.asarray(centred / np.where(is_constant(values), np.nan, spread)[..., None])
