"""Kappa of Fleiss and of Cohen: agreement on labels beyond chance."""

from __future__ import annotations

import numpy as np

from similitude.errors import ArgumentError
from similitude.gold.reliability.bootstrap import USUAL, Resampling, Statistic, bootstrap_estimates
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.pairable_ratings import Pairable
from similitude.gold.reliability.value_counts import ValueCounts
from similitude.stats.arrays import Array

__all__ = ["cohen_kappa", "fleiss_kappa", "fleiss_kappa_of_table"]


ROUNDING = 1e-12
"""If 1 - expected agreement is smaller than this, kappa is undefined."""


def fleiss_kappa(
    values: Array,
    *,
    resampling: Resampling = USUAL,
) -> Estimate:
    """Fleiss' kappa of labels, with a bootstrap interval over items.

    kappa = (P - Pe) / (1 - Pe). P is the mean over items of the share of pairs of its raters who gave the same label;
    Pe is the sum of the squared shares of the labels among all ratings. 1 is full agreement, 0 is chance level.

    Fleiss assumed the same number of raters for every item. For varying numbers, this is the usual generalisation: each
    item has the same weight in P, each rating the same weight in Pe, and items with one rating are left out.

    Undefined if fewer than two items have two ratings, and if all labels are the same.

    Reference: Fleiss (1971), Measuring nominal scale agreement among many raters.

    Args:
        values: raters x items, labels as numbers, nan where a rater did not rate an item. Values that agree in ten
            digits are the same label.
        resampling: how intervals are drawn.

    >>> from similitude.gold.reliability import NO_INTERVALS
    >>> round(fleiss_kappa(np.array([[1, 2, 2, 1], [1, 2, 1, 1]]), resampling=NO_INTERVALS).value, 4)
    0.4667
    """
    ratings = Pairable(values)
    if ratings.reason is not None:
        return undefined(ratings.reason)
    return _estimate(ratings.tally, resampling)


def fleiss_kappa_of_table(
    table: Array,
    *,
    resampling: Resampling = USUAL,
) -> Estimate:
    """Fleiss' kappa of a table of items x labels: how many raters gave each label to each item.

    Raises:
        ArgumentError: the table does not have two dimensions, or a cell is not a count.

    >>> from similitude.gold.reliability import NO_INTERVALS
    >>> round(fleiss_kappa_of_table(np.array([[2, 0], [0, 2], [1, 1], [2, 0]]), resampling=NO_INTERVALS).value, 4)
    0.4667
    """
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or not ((counts >= 0) & (counts == np.floor(counts))).all():
        raise ArgumentError(
            "this is not a table of counts", remedy="give items x labels, each cell a whole number from 0"
        )
    counts = counts[counts.sum(axis=1) >= 2]
    if len(counts) < 2:
        return undefined(f"{len(counts) or 'no'} item has two ratings or more: there is nothing to compare")
    if np.count_nonzero(counts.sum(axis=0)) == 1:
        return undefined("all ratings are the same: agreement cannot be distinguished from chance")
    return _estimate(ValueCounts(counts), resampling)


def cohen_kappa(
    one: Array,
    other: Array,
    *,
    resampling: Resampling = USUAL,
) -> Estimate:
    """Cohen's kappa of two annotators, with a bootstrap interval over items.

    kappa = (P - Pe) / (1 - Pe). P is the share of items to which both gave the same label; Pe is the share that chance
    would give if each kept their own shares of labels. 1 is full agreement, 0 is chance level.

    Undefined if fewer than two items have a label of both, and if both gave all items one and the same label.

    Reference: Cohen (1960), A coefficient of agreement for nominal scales.

    Args:
        one: the labels of one annotator, as numbers, one for each item.
        other: the labels of the other for the same items.
        resampling: how intervals are drawn.

    >>> from similitude.gold.reliability import NO_INTERVALS
    >>> round(cohen_kappa(np.array([1, 1, 2, 2, 2]), np.array([1, 2, 2, 2, 1]), resampling=NO_INTERVALS).value, 4)
    0.1667
    """
    if len(one) < 2:
        return undefined("fewer than two items have labels of both annotators: there is nothing to compare")
    labels = np.unique(np.concatenate([one, other]))
    if labels.size == 1:
        return undefined("all labels are the same: agreement cannot be distinguished from chance")
    same = (one == other).astype(np.float64)
    first, second = ((given[:, None] == labels).astype(np.float64) for given in (one, other))

    def statistic(weights: Array) -> Array:
        total = weights.sum(axis=1)
        observed = weights @ same / total
        expected = ((weights @ first) * (weights @ second)).sum(axis=1) / total**2
        room = 1 - expected
        kappa = np.divide(observed - expected, room, out=np.full_like(room, np.nan), where=room > ROUNDING)
        return np.asarray(kappa)[None]

    return bootstrap_estimates(statistic, len(one), width=labels.size, resampling=resampling)[0]


def _estimate(tally: ValueCounts, resampling: Resampling) -> Estimate:
    units, values = tally.shape
    statistic = _kappa(tally)
    return bootstrap_estimates(statistic, units, width=values, resampling=resampling)[0]


def _kappa(tally: ValueCounts) -> Statistic:
    agreeing = (tally.squares - tally.number) / (tally.number * (tally.number - 1))

    def statistic(weights: Array) -> Array:
        observed = weights @ agreeing / weights.sum(axis=1)
        expected = (tally.by_value(weights) ** 2).sum(axis=0) / (weights @ tally.number) ** 2
        room = 1 - expected
        kappa = np.divide(observed - expected, room, out=np.full_like(room, np.nan), where=room > ROUNDING)
        return np.asarray(kappa)[None]

    return statistic
