"""Kappa of Fleiss and of Cohen: agreement on labels beyond chance."""

from __future__ import annotations

import numpy as np

from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.categories import (
    Classification,
    Coefficient,
    Weights,
    classified_counts,
    classified_matrix,
    coefficient_estimate,
    cohen_coefficient,
    fleiss,
)
from similitude.gold.reliability.estimate import Estimate
from similitude.stats.arrays import Array

__all__ = ["cohen_kappa", "fleiss_kappa", "fleiss_kappa_of_table"]


def fleiss_kappa(values: Array, *, weights: Weights = "identity", resampling: Resampling = USUAL) -> Estimate:
    """Fleiss' kappa of labels, with an interval from its standard error.

    kappa = (P - Pe) / (1 - Pe). P is the mean over items of the share of pairs of its raters who gave the same label;
    Pe is the sum of the squared shares of the labels. 1 is full agreement, 0 is chance level.

    Fleiss assumed the same number of raters for every item. For varying numbers this is the generalisation of Gwet
    (2014): a label's share is the mean over items of its share of the item's ratings; items with one rating count in
    the shares, and not in P.

    Undefined if fewer than two items have two ratings, and if all labels are the same.

    Reference: Fleiss (1971), Measuring nominal scale agreement among many raters.

    Args:
        values: raters x items, labels as numbers, nan where a rater did not rate an item. Values that agree in ten
            digits are the same label.
        weights: how far two different labels agree; all but "identity" take the labels as ordered by their numbers.
        resampling: the level of the interval; none with 0 resamples.

    >>> from similitude.gold.reliability.bootstrap import NO_INTERVALS
    >>> round(fleiss_kappa(np.array([[1, 2, 2, 1], [1, 2, 1, 1]]), resampling=NO_INTERVALS).value, 4)
    0.4667
    """
    return _estimate(fleiss(classified_matrix(values), weights), resampling)


def fleiss_kappa_of_table(table: Array, *, weights: Weights = "identity", resampling: Resampling = USUAL) -> Estimate:
    """Fleiss' kappa of a table of items x labels: how many raters gave each label to each item.

    Raises:
        ArgumentError: the table does not have two dimensions, or a cell is not a count.

    >>> from similitude.gold.reliability.bootstrap import NO_INTERVALS
    >>> round(fleiss_kappa_of_table(np.array([[2, 0], [0, 2], [1, 1], [2, 0]]), resampling=NO_INTERVALS).value, 4)
    0.4667
    """
    return _estimate(fleiss(classified_counts(table), weights), resampling)


def cohen_kappa(one: Array, other: Array, *, weights: Weights = "identity", resampling: Resampling = USUAL) -> Estimate:
    """Cohen's kappa of two annotators, with an interval from its standard error (Fleiss, Cohen and Everitt, 1969).

    kappa = (P - Pe) / (1 - Pe). P is the share of items to which both gave the same label; Pe is the share that chance
    would give if each kept their own shares of labels. 1 is full agreement, 0 is chance level. With weights, labels
    that are close agree in part (Cohen, 1968).

    Undefined if fewer than two items have a label of both, and if both gave all items one and the same label.

    Reference: Cohen (1960), A coefficient of agreement for nominal scales.

    Args:
        one: the labels of one annotator, as numbers, one for each item; nan where one is missing.
        other: the labels of the other for the same items.
        weights: how far two different labels agree; all but "identity" take the labels as ordered by their numbers.
        resampling: the level of the interval; none with 0 resamples.

    >>> from similitude.gold.reliability.bootstrap import NO_INTERVALS
    >>> round(cohen_kappa(np.array([1, 1, 2, 2, 2]), np.array([1, 2, 2, 2, 1]), resampling=NO_INTERVALS).value, 4)
    0.1667
    """
    return _estimate(cohen_coefficient(_both(one, other), weights), resampling)


def _both(one: Array, other: Array) -> Classification:
    return classified_matrix(np.stack([np.asarray(one, np.float64), np.asarray(other, np.float64)]))


def _estimate(found: Coefficient, resampling: Resampling) -> Estimate:
    if resampling.resamples == 0 and found.reason is None:
        return Estimate(found.value)
    return coefficient_estimate(found, resampling.level)
