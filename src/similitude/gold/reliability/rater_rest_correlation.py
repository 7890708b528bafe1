"""Rater-rest correlation: one annotator's scores against those of all others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.reliability.bootstrap import Statistic
from similitude.gold.reliability.pairable_ratings import without_noise
from similitude.gold.reliability.rating_spread import ratings_of
from similitude.gold.reliability.resampled_correlations import Correlation, correlations_of_resamples
from similitude.stats import (
    Ordering,
    levels_by_row,
    pearson,
    pearson_features,
    pearson_from_sums,
    spearman,
    weighted_spearman,
)
from similitude.stats.arrays import Array

__all__ = ["own_and_rest_scores", "resampled_rest_correlation", "rest_correlation"]


MANY = 2000
"""From this many items, one pass over the sorted items is faster than ranking every resample."""


def own_and_rest_scores(judgements: Judgements) -> pl.DataFrame:
    """One row for every annotator and item that somebody else judged too.

    For ratings, ``own`` is the rating (the last of several) and ``rest`` the mean of the others'. For best-worst, both
    are counting scores, (#best - #worst) / #appearances: from the annotator's own answers, and from everybody else's.
    Unnamed answers count only among the others.

    Returns:
        Columns annotator, item, own, rest; sorted by annotator, in order of first appearance.
    """
    table = _rated(judgements) if judgements.kind == "rating" else _counted(judgements)
    order = pl.DataFrame({"annotator": judgements.annotators}, schema={"annotator": pl.String}).with_row_index("place")
    there = table.filter(pl.col("rest").is_finite()).join(order, on="annotator").sort("place", maintain_order=True)
    exact = {name: without_noise(there[name].to_numpy()) for name in ("own", "rest")}  # equal means must be ties
    return there.select("annotator", "item").with_columns(**exact)


def resampled_rest_correlation(table: pl.DataFrame, correlation: Correlation) -> Statistic:
    """The correlation of own and rest for every annotator of `own_and_rest_scores`, in resamples of the items.

    >>> made = pl.DataFrame({"annotator": ["x"] * 3, "item": list("abc"), "own": [1.0, 2, 3], "rest": [2.0, 4, 6]})
    >>> resampled_rest_correlation(made, "pearson")(np.ones((1, 3)))
    array([[1.]])
    """
    items = table["item"].unique(maintain_order=True)
    of_row = table["item"].replace_strict(items, np.arange(len(items)), return_dtype=pl.Int64).to_numpy()
    own, rest = table["own"].to_numpy(), table["rest"].to_numpy()
    figure = _pearson if correlation == "pearson" else _spearman
    parts = [(of_row[rows], figure(own[rows], rest[rows])) for rows in _rows_by_annotator(table)]
    return lambda weights: np.stack([in_resamples(weights[:, where]) for where, in_resamples in parts])


def rest_correlation(table: pl.DataFrame, correlation: Correlation) -> Array:
    """The correlation of own and rest in the sample itself, one figure per annotator."""
    own, rest = table["own"].to_numpy(), table["rest"].to_numpy()
    figure = pearson if correlation == "pearson" else spearman
    return np.array([float(figure(own[rows], rest[rows])) for rows in _rows_by_annotator(table)])


def _pearson(own: Array, rest: Array) -> Statistic:
    features = pearson_features(own, rest[None])[0].T
    return lambda weights: pearson_from_sums(weights @ features)


def _spearman(own: Array, rest: Array) -> Statistic:
    if own.size < MANY:
        both = np.stack([own, rest])
        return lambda weights: correlations_of_resamples(both, weights, "spearman")[:, 0, 1]
    own_levels, rest_levels = levels_by_row(Ordering(np.stack([own, rest])))
    return lambda weights: np.asarray(weighted_spearman(weights, own_levels, [rest_levels])[0])


def _rows_by_annotator(table: pl.DataFrame) -> Iterator[slice]:
    start = 0
    for size in table.group_by("annotator", maintain_order=True).len()["len"]:
        yield slice(start, start + size)
        start += size


def _rated(judgements: Judgements) -> pl.DataFrame:
    others = (pl.col("value").sum() - pl.col("value")) / (pl.len() - 1)
    return ratings_of(judgements).select("annotator", "item", own="value", rest=others.over("item"))


def _counted(judgements: Judgements) -> pl.DataFrame:
    key = ["annotator", "item"]
    answers = last_answers(judgements).frame
    shown = answers.select("annotator", item="items").explode("item").group_by(key, maintain_order=True).len("shown")
    for name in ("best", "worst"):
        named = answers.group_by("annotator", item=name).len(name)
        shown = shown.join(named, on=key, how="left", nulls_equal=True, maintain_order="left")
    counts = shown.with_columns(pl.col("shown", "best", "worst").fill_null(0).cast(pl.Float64))
    points, appearances = pl.col("best") - pl.col("worst"), pl.col("shown")
    rest = (points.sum().over("item") - points) / (appearances.sum().over("item") - appearances)
    return counts.with_columns(own=points / appearances, rest=rest)
