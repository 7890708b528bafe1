"""Leave-one-out influence: what figures made of means and variances change by when one item is left out.

Times n - 1, it stands for the influence of the item, and is wider in the tails than the derivative of
`similitude.stats.influence`. Intervals from it cover better on few items.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.influence import Influences

__all__ = ["LeftOut", "left_out", "left_out_influence", "pearson_left_out"]


class LeftOut(NamedTuple):
    """Mean of the products, sample variances and covariance of two rows without each item; see `left_out`."""

    x_variance: Array
    y_variance: Array
    covariance: Array


def left_out(x: Array, y: Array) -> LeftOut:
    """The sample variances (ddof 1) and the covariance of x and y without each item, along the last axis.

    >>> left_out(np.array([0.0, 2.0, 4.0]), np.array([1.0, 1.0, 4.0])).x_variance
    array([2., 8., 2.])
    """
    n = x.shape[-1]
    x, y = (side - side.mean(axis=-1, keepdims=True) for side in (x, y))
    products = (x * x, y * y, x * y)
    return LeftOut(*((each.sum(axis=-1, keepdims=True) - each * n / (n - 1)) / (n - 2) for each in products))


def left_out_influence(without: Array) -> Array:
    """The influence of each item, from the figure without each item: (n - 1) (mean - figure), along the last axis.

    >>> left_out_influence(np.array([2.5, 2.0, 1.5]))  # the means without each of 1, 2 and 3
    array([-1.,  0.,  1.])
    """
    return np.asarray((without.shape[-1] - 1) * (without.mean(axis=-1, keepdims=True) - without))


def pearson_left_out(x: Array, y: Array) -> Influences:
    """Pearson's r and the leave-one-out influence of each item; nan where a side is constant without some item.

    >>> found = pearson_left_out(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0, 4.0]))
    >>> found.figure.round(3), found.of_item.argmin()
    (np.float64(0.983), np.int64(3))
    """
    from similitude.stats.correlation import pearson

    with np.errstate(divide="ignore", invalid="ignore"):
        x_spread, y_spread, together = left_out(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))
        without = together / np.sqrt(x_spread * y_spread)
    return Influences(pearson(x, y)[()], left_out_influence(without))
