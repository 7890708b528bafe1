"""Scores of items without the biases of raters, weighted by the raters' precision."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array
from similitude.stats.rater_effects import CELLS_AT_ONCE, Effects, RatingList, Variances, row_products, summed_by

__all__ = ["AdjustedScores", "adjusted_scores", "agreement_with_others"]


class AdjustedScores(NamedTuple):
    """The score of each item and its standard error."""

    score: Array
    standard_error: Array


class _Sums(NamedTuple):
    """Weights and weighted ratings, of each rating and summed for each item."""

    weight: Array
    weighted: Array
    item_weight: Array
    item_weighted: Array


def adjusted_scores(ratings: RatingList, variances: Variances, effects: Effects) -> AdjustedScores:
    """The weighted least squares estimate of each item, without the biases.

    The score is sum(a (y - b) / v) / sum(a^2 / v) over the ratings y of an item, with slope a, bias b and noise
    variance v of their raters. It is not shrunk towards the mean of all items. The standard error includes the noise
    and the uncertainty of the biases.
    """
    sums = _sums(ratings, variances, effects.bias)
    of_biases = _bias_variance(ratings, variances, effects.bias_covariance) / sums.item_weight**2
    return AdjustedScores(sums.item_weighted / sums.item_weight, np.sqrt(1.0 / sums.item_weight + of_biases))


def agreement_with_others(ratings: RatingList, variances: Variances, effects: Effects) -> Array:
    """The Pearson correlation of each rater's ratings with the scores from the other raters' ratings.

    Over the items that others rated too; nan if there are fewer than three, or either side is constant.
    """
    sums = _sums(ratings, variances, effects.bias)
    others = sums.item_weight[ratings.item] - sums.weight
    is_shared = np.bincount(ratings.item, minlength=ratings.items)[ratings.item] > 1
    rest = (sums.item_weighted[ratings.item] - sums.weighted)[is_shared] / others[is_shared]
    return _correlations(ratings.value[is_shared], rest, ratings.rater[is_shared], ratings.raters)


def _sums(ratings: RatingList, variances: Variances, bias: Array) -> _Sums:
    slope, noise = variances.slope[ratings.rater], variances.spread[ratings.rater]
    weight, weighted = slope**2 / noise, slope * (ratings.value - bias[ratings.rater]) / noise
    item_weight, item_weighted = (summed_by(ratings.item, values, ratings.items) for values in (weight, weighted))
    return _Sums(weight, weighted, item_weight, item_weighted)


def _bias_variance(ratings: RatingList, variances: Variances, covariance: Array) -> Array:
    """The variance of each item's weighted sum that comes from the biases of its raters."""
    from scipy.sparse import coo_array

    pull = (variances.slope / variances.spread)[ratings.rater]
    loads = coo_array((pull, (ratings.item, ratings.rater)), shape=(ratings.items, ratings.raters)).tocsr()
    rows = max(1, CELLS_AT_ONCE // ratings.raters)
    pieces = (loads[first : first + rows] for first in range(0, ratings.items, rows))
    return np.concatenate([row_products(piece, np.asarray(piece @ covariance)) for piece in pieces])


def _correlations(left: Array, right: Array, group: NDArray[np.intp], groups: int) -> Array:
    """The Pearson correlation within each group."""
    number = np.bincount(group, minlength=groups)
    safe = np.maximum(number, 1)
    away = [values - (summed_by(group, values, groups) / safe)[group] for values in (left, right)]
    product, *squares = (
        summed_by(group, x * y, groups) for x, y in ((away[0], away[1]), (away[0], away[0]), (away[1], away[1]))
    )
    size = np.sqrt(squares[0] * squares[1])
    is_defined = (number > 2) & (size > 1e-12)
    return np.where(is_defined, product / np.where(is_defined, size, 1.0), np.nan)
