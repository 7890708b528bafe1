"""The influence of each item on a correlation, for standard errors without resamples.

The influence of an item is the derivative of the figure with respect to the item's weight: what the figure changes by,
times n, if the item is drawn a little more often. The mean influence is 0, and the mean square over n is the squared
standard error of the figure (infinitesimal jackknife; Efron 1982). Functions work along the last axis.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array
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

    Rho is the correlation of u and v, the shares of items below an item on either side (ties count half). An item counts
    by its own u and v, and by what it adds to the u of items above it on one side and to the v of those above it on
    the other.

    >>> found = spearman_influence(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    >>> found.figure.round(3), float(abs(found.of_item.mean().round(12)))
    (np.float64(0.5), 0.0)
    """
    first, second = _Side(x), _Side(y)
    products = _product_influence(first, second)
    squares = [_product_influence(side, side) for side in (first, second)]
    covariance, spreads = _covariance(first, second), [_covariance(side, side) for side in (first, second)]
    is_known = (spreads[0] > 0) & (spreads[1] > 0)
    spreads = [np.where(is_known, spread, np.nan) for spread in spreads]
    scale = np.sqrt(spreads[0] * spreads[1])
    rho = np.clip(covariance / scale, -1.0, 1.0)
    halves = [square / spread[..., None] / 2 for square, spread in zip(squares, spreads, strict=True)]
    return Influences(rho[()], products / scale[..., None] - rho[..., None] * (halves[0] + halves[1]))


class _Side:
    """One side of a rank correlation: its ordering, and the centred share of items below each item."""

    def __init__(self, values: Array) -> None:
        self.ordering = Ordering(np.asarray(values, dtype=np.float64))
        n = self.ordering.values.shape[-1]
        self.centred = (self.ordering.ranks - (n + 1) / 2) / n

    def mean_above(self, values: Array) -> Array:
        """For each item, the sum of these values over the items above it, and half of those tied with it, over n."""
        ordering = self.ordering
        n = values.shape[-1]
        sums = np.bincount(ordering.tie.ravel(), weights=np.take_along_axis(values, ordering.order, -1).ravel())
        # Values are centred, so each row sums to 0 and the running sum begins anew with each row.
        above = -(np.cumsum(sums) - sums / 2)
        found = np.empty(values.shape)
        np.put_along_axis(found, ordering.order, above[ordering.tie] / n, axis=-1)
        return found


def _covariance(one: _Side, other: _Side) -> Array:
    return np.asarray(np.mean(one.centred * other.centred, axis=-1))


def _product_influence(one: _Side, other: _Side) -> Array:
    own = one.centred * other.centred
    moved = one.mean_above(other.centred) + other.mean_above(one.centred)
    return np.asarray(own + moved - 3 * _covariance(one, other)[..., None])


def _standardised(values: Array) -> Array:
    values = np.asarray(values, dtype=np.float64)
    centred = values - values.mean(axis=-1, keepdims=True)
    spread = np.sqrt(np.mean(centred**2, axis=-1))
    return np.asarray(centred / np.where(is_constant(values), np.nan, spread)[..., None])
