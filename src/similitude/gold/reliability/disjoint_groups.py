"""Observed errors of a pilot: disjoint groups of its raters compared with each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from similitude.gold.reliability.variance_components import Design
from similitude.stats import pearson
from similitude.stats.arrays import Array

__all__ = ["gapless", "observed_errors"]


SPLITS = 50
MOST_ITEMS = 20_000
"""Each split compares the groups on at most this many items, drawn at random."""


def gapless(values: Array) -> Array:
    """The values with the missing ones (nan) moved to the bottom of each column, order kept.

    >>> gapless(np.array([[np.nan, 1.0], [2.0, 3.0]]))
    array([[ 2.,  1.],
           [nan,  3.]])
    """
    if np.isfinite(values).all():
        return values
    return np.take_along_axis(values, np.argsort(np.isnan(values), axis=0, kind="stable"), axis=0)


def observed_errors(values: Array, design: Design, numbers: Sequence[int], rng: np.random.Generator) -> pl.DataFrame:
    """The differences between two disjoint groups of n raters, for every n, averaged over random groups.

    Half the mean squared difference of two means is the squared error of one. The correlation of two such means is
    their reliability; its root is their correlation with the truth. Of more than 20,000 items, each pair of groups is
    compared on as many random ones.

    Args:
        values: raters x items.
        design: crossed groups have the same raters on all items; nested groups are redrawn for each item.
        numbers: the numbers n.
        rng: random generator.

    Returns:
        Columns observed_mean_error and observed_correlation, one row for each n; null if fewer than ten items
        have 2 n ratings.
    """
    rows = [_observed(values, design, number, rng) for number in numbers]
    schema = {"observed_mean_error": pl.Float64, "observed_correlation": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _observed(
    values: Array, design: Design, number: int, rng: np.random.Generator
) -> tuple[float | None, float | None]:
    enough = values[:, np.isfinite(values).sum(axis=0) >= 2 * number]
    if enough.shape[1] < 10:
        return None, None
    squares, reliabilities = np.array([_two_groups(enough, design, number, rng) for _ in range(SPLITS)]).T
    reliability = reliabilities.mean()
    correlation = float(np.sqrt(reliability)) if reliability > 0 else None
    return float(np.sqrt(squares.mean() / 2)), correlation


def _two_groups(values: Array, design: Design, number: int, rng: np.random.Generator) -> tuple[float, float]:
    if values.shape[1] > MOST_ITEMS:
        values = values[:, rng.integers(0, values.shape[1], MOST_ITEMS)]
    shuffled = rng.permutation(values) if design == "crossed" else rng.permuted(values, axis=0)
    ready = gapless(shuffled)
    one, other = ready[:number].mean(axis=0), ready[number : 2 * number].mean(axis=0)
    return float(((one - other) ** 2).mean()), float(pearson(one, other))
