"""Variance components of ratings: items, leniency of raters, and residual."""

from __future__ import annotations

from typing import Literal

import numpy as np

from similitude.gold.reliability.bootstrap import Statistic, sums_to_draw
from similitude.stats.arrays import Array, Integers

__all__ = ["Design", "crossed_components", "design_of", "nested_components"]


Design = Literal["crossed", "nested"]
"""Crossed: the same raters rate all items. Nested: every item has its own raters."""

NEARLY_ALL = 0.95
"""If at least this share of items was rated by everybody, the design is crossed; the other items are left out."""


def design_of(number: Integers, raters: int) -> Design:
    """Crossed if nearly every item was rated by every rater, else nested.

    Args:
        number: raters per item.
        raters: number of raters.

    >>> design_of(np.array([3, 3, 3]), 3), design_of(np.array([3, 3, 3]), 20)
    ('crossed', 'nested')
    """
    return "crossed" if raters > 1 and (number == raters).mean() >= NEARLY_ALL else "nested"


def crossed_components(values: Array, rng: np.random.Generator | None = None) -> Statistic:
    """Variances of a complete table (raters x items) in resamples of the items, by two-way analysis of variance.

    Args:
        values: raters x items.
        rng: if given, weights are of random blocks of items where there are many items (`sums_to_draw`).

    Returns:
        From weights to three rows: the variance of items' true scores; that of one rating about its item's true score
        without leniency; and that of one rating with leniency. Estimates can be negative.

    >>> [row.item() for row in crossed_components(np.array([[1.0, 2, 3], [2.0, 3, 4]]))(np.ones((1, 3)))]
    [1.0, 0.0, 0.5]
    """
    raters = len(values)
    centred = values - values.mean()
    means = centred.mean(axis=0)
    within = ((centred - means) ** 2).sum(axis=0)
    features = np.stack([*centred, means**2, within, np.ones_like(means)])
    features = features if rng is None else sums_to_draw(features, rng)

    def statistic(weights: Array) -> Array:
        *by_rater, squares, inside, items = features @ weights.T
        of_rater = np.stack(by_rater) / items
        middle = of_rater.mean(axis=0)
        leniency = items * ((of_rater - middle) ** 2).sum(axis=0)
        rest = np.maximum(inside - leniency, 0.0) / ((items - 1) * (raters - 1))
        between = (squares - items * middle**2) / (items - 1)
        return np.stack([between - rest / raters, rest, inside / (items * (raters - 1))])

    return statistic


def nested_components(values: Array, rng: np.random.Generator | None = None) -> Statistic:
    """The same for a nested design with any numbers of raters, by one-way analysis of variance.

    Leniency cannot be separated from the residual, and counts as error: the second row equals the third.
    """
    given = np.isfinite(values)
    number = given.sum(axis=0).astype(np.float64)
    centred = np.where(given, values - values[given].mean(), 0.0)
    sums = centred.sum(axis=0)
    within = np.where(given, centred - sums / number, 0.0)
    parts = [number, number**2, sums, sums**2 / number, (within**2).sum(axis=0), np.ones_like(number)]
    features = np.stack(parts) if rng is None else sums_to_draw(np.stack(parts), rng)

    def statistic(weights: Array) -> Array:
        total, squares, summed, between, inside, items = features @ weights.T
        usual = (total - squares / total) / (items - 1)
        error = inside / (total - items)
        true = ((between - summed**2 / total) / (items - 1) - error) / usual
        return np.stack([true, error, error])

    return statistic
