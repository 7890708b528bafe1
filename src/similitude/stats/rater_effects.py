"""A mixed model of ratings with effects of items and raters: bias, noise and slope of each rater.

The model, for the rating y of item i by rater r::

    y = bias_r + slope_r * s_i + noise,   noise ~ N(0, spread_r^2)
    s_i ~ N(mean, item^2),   bias_r ~ N(0, lean^2),   the mean unknown

Items and biases are integrated out exactly (they are Gaussian given the rest). The variances, and the slopes if they
are wanted, are found by maximum likelihood; with the mean integrated out too, this is REML (Patterson and Thompson,
1971). Two priors keep raters with few ratings near the others: each spread is weighted with two more ratings of the
usual spread, and slopes are N(1, 0.25^2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Effects", "RatingList", "Variances", "row_products", "solve_effects", "summed_by"]


CELLS_AT_ONCE = 4_000_000


class RatingList(NamedTuple):
    """Ratings as a list, sorted by item; no rater rates an item twice.

    Attributes:
        rater: the rater of each rating, as a number.
        item: the item of each rating, as a number.
        value: the ratings, minus their mean.
        raters: the number of raters.
        items: the number of items.
    """

    rater: NDArray[np.intp]
    item: NDArray[np.intp]
    value: Array
    raters: int
    items: int


class Variances(NamedTuple):
    """The parameters that remain when items and biases are integrated out.

    Attributes:
        item: the variance of the items.
        lean: the variance of the biases.
        spread: the variance of each rater's noise.
        slope: the slope of each rater.
    """

    item: float
    lean: float
    spread: Array
    slope: Array


class Effects(NamedTuple):
    """Estimates of raters and items, given the variances.

    Attributes:
        deviance: -2 ln likelihood of the ratings.
        bias: the bias of each rater.
        bias_covariance: raters x raters.
        fitted_variance: the variance of bias + slope * s for each rating.
        squared_noise: the expected square of each rating's noise.
        noise_by_item: the expected product of each rating's noise and its item.
        squared_item: the sum over items of the expected (s - mean)^2.
    """

    deviance: float
    bias: Array
    bias_covariance: Array
    fitted_variance: Array
    squared_noise: Array
    noise_by_item: Array
    squared_item: float


def solve_effects(ratings: RatingList, variances: Variances) -> Effects:
    """Biases and items given the variances, and the likelihood of the variances.

    Solves one linear system in the biases and the mean, from which items are eliminated.
    """
    from scipy.linalg import cho_factor, cho_solve

    slope, weight = variances.slope[ratings.rater], 1.0 / variances.spread[ratings.rater]
    precision = 1.0 / variances.item + summed_by(ratings.item, slope**2 * weight, ratings.items)
    level = summed_by(ratings.item, slope * weight * ratings.value, ratings.items)
    loads = _loads(ratings, slope * weight, variances.item)
    own = np.append(
        summed_by(ratings.rater, weight, ratings.raters) + 1 / variances.lean, ratings.items / variances.item
    )
    system = np.diag(own) - (loads.T @ (loads.multiply(1.0 / precision[:, None]))).toarray()
    pull = np.append(summed_by(ratings.rater, weight * ratings.value, ratings.raters), 0.0)
    pull += loads.T @ (level / precision)
    factor = cho_factor(system, lower=True)
    solved, covariance = cho_solve(factor, pull), cho_solve(factor, np.eye(len(own)))
    misfit = weight @ ratings.value**2 - level @ (level / precision) - pull @ solved
    logs = (
        np.log(variances.spread[ratings.rater]).sum() + np.log(precision).sum() + ratings.items * np.log(variances.item)
        + ratings.raters * np.log(variances.lean) + 2 * np.log(np.diagonal(factor[0])).sum()
    )  # fmt: skip
    deviance = float(misfit + logs + (len(ratings.value) - 1) * np.log(2 * np.pi))
    return _expected(ratings, slope, _Solution(deviance, solved, covariance, loads, np.asarray(1.0 / precision), level))


class _Solution(NamedTuple):
    deviance: float
    solved: Array
    covariance: Array
    loads: csr_array
    item_variance: Array
    level: Array


def _loads(ratings: RatingList, pull: Array, item_variance: float) -> csr_array:
    """The coefficients of biases and mean for each item: items x (raters + 1)."""
    from scipy.sparse import coo_array

    every = np.arange(ratings.items)
    rows, columns = np.append(ratings.item, every), np.append(ratings.rater, np.full(ratings.items, ratings.raters))
    data = np.append(-pull, np.full(ratings.items, 1.0 / item_variance))
    return coo_array((data, (rows, columns)), shape=(ratings.items, ratings.raters + 1)).tocsr()


def _expected(ratings: RatingList, slope: Array, found: _Solution) -> Effects:
    """Expected squares and products, from which the gradient of the likelihood follows (Fisher's identity)."""
    with_rater, with_mean, own = _covariances(ratings, found)
    score = found.item_variance * (found.level + found.loads @ found.solved)
    item_variance = found.item_variance + found.item_variance**2 * own
    bias, mean = found.solved[:-1], found.solved[-1]
    own_bias = np.diagonal(found.covariance)[ratings.rater]
    theirs = item_variance[ratings.item]
    noise = ratings.value - bias[ratings.rater] - slope * score[ratings.item]
    fitted = own_bias + slope**2 * theirs + 2 * slope * with_rater
    around_mean = (score - mean) ** 2 + item_variance + found.covariance[-1, -1] - 2 * with_mean
    return Effects(
        deviance=found.deviance,
        bias=bias,
        bias_covariance=found.covariance[:-1, :-1],
        fitted_variance=fitted,
        squared_noise=noise**2 + fitted,
        noise_by_item=noise * score[ratings.item] - with_rater - slope * theirs,
        squared_item=float(around_mean.sum()),
    )


def row_products(loads: csr_array, table: Array) -> Array:
    """The row sums of a sparse table times another, element by element."""
    cells = loads.tocoo()
    return summed_by(cells.row, cells.data * table[cells.row, cells.col], len(table))


def summed_by(group: NDArray[np.integer], values: Array, groups: int) -> Array:
    """The sum of the values in each group.

    >>> summed_by(np.array([0, 2, 0]), np.array([1.0, 5.0, 2.0]), 3)
    array([3., 0., 5.])
    """
    return np.bincount(group, values, groups).astype(np.float64, copy=False)


def _covariances(ratings: RatingList, found: _Solution) -> tuple[Array, Array, Array]:
    """Covariance of each rating's item with its rater's bias, of each item with the mean, and load x covariance x load.

    The table of items x raters is computed in blocks.
    """
    with_rater, with_mean, own = np.empty(len(ratings.value)), np.empty(ratings.items), np.empty(ratings.items)
    rows = max(1, CELLS_AT_ONCE // len(found.solved))
    for first in range(0, ratings.items, rows):
        last = first + rows
        loads, variance = found.loads[first:last], found.item_variance[first:last]
        product = loads @ found.covariance
        here = slice(*np.searchsorted(ratings.item, [first, last]))
        place = ratings.item[here] - first
        with_rater[here] = variance[place] * product[place, ratings.rater[here]]
        with_mean[first:last] = variance * product[:, -1]
        own[first:last] = row_products(loads, product)
    return with_rater, with_mean, own
