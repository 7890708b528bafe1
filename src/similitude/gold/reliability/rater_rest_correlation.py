"""Rater-rest correlation: one annotator's scores against those of all others."""

from __future__ import annotations

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.aggregation.last_answers import last_answers
from similitude.gold.aggregation.tuple_arrays import numbered
from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.estimate import Estimate
from similitude.gold.reliability.jackknife import left_out_estimates
from similitude.gold.reliability.pairable_ratings import without_noise
from similitude.gold.reliability.rating_spread import ratings_of
from similitude.stats import Bounds
from similitude.stats.arrays import Integers
from similitude.stats.correlation import Correlation
from similitude.stats.left_out_correlation import LeftOut, MeanLeftOut, pearson_left_out, spearman_left_out

__all__ = ["RestCorrelations", "own_and_rest_scores", "rest_correlations"]


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


class RestCorrelations:
    """The correlation of own and rest for every annotator of `own_and_rest_scores`.

    Intervals are about all items from which these are a sample, judged by these people. They are the jackknife's over
    items, on the scale of Fisher's z (`similitude.stats.jackknife_interval`).

    Attributes:
        each: one figure per annotator; nan where own or rest are constant.
    """

    def __init__(self, table: pl.DataFrame, found: LeftOut) -> None:
        self._sizes = table.group_by("annotator", maintain_order=True).len()["len"].to_numpy().astype(np.intp)
        self._item = numbered(table["item"], table["item"].unique()).to_numpy().astype(np.intp)
        self._without = found.without
        self.each = found.whole

    def estimates(self, resampling: Resampling) -> list[Estimate]:
        """Every annotator's figure, with an interval from the items of that annotator."""
        if resampling.resamples == 0:
            return [Estimate(value) for value in self.each.tolist()]
        rows = np.split(self._without, np.cumsum(self._sizes)[:-1])
        return [
            left_out_estimates([value], row[None], Bounds(), resampling.level)[0]
            for value, row in zip(self.each.tolist(), rows, strict=True)
        ]

    def mean(self, resampling: Resampling) -> Estimate:
        """The mean over annotators. Each has the same weight, and an item is left out for all of them."""
        mean = MeanLeftOut(int(self._item.max()) + 1)
        mean.add(LeftOut(self.each, self._without), self._sizes, self._item)
        if resampling.resamples == 0:
            return Estimate(mean.value)
        return left_out_estimates([mean.value], mean.without()[None], Bounds(), resampling.level)[0]


def rest_correlations(table: pl.DataFrame, correlation: Correlation) -> RestCorrelations:
    """Correlate own and rest.

    Args:
        table: of `own_and_rest_scores`, with at least one row.
        correlation: "pearson" or "spearman".

    >>> made = pl.DataFrame({"annotator": ["x"] * 3, "item": list("abc"), "own": [1.0, 2, 3], "rest": [2.0, 4, 6]})
    >>> rest_correlations(made, "pearson").each
    array([1.])
    """
    sizes = table.group_by("annotator", maintain_order=True).len()["len"].to_numpy().astype(np.intp)
    figure = pearson_left_out if correlation == "pearson" else spearman_left_out
    return RestCorrelations(table, figure(table["own"].to_numpy(), table["rest"].to_numpy(), sizes))


def _rated(judgements: Judgements) -> pl.DataFrame:
    others = (pl.col("value").sum() - pl.col("value")) / (pl.len() - 1)
    return ratings_of(judgements).select("annotator", "item", own="value", rest=others.over("item"))


def _counted(judgements: Judgements) -> pl.DataFrame:
    """Counting scores. Annotators and items are numbers here; unnamed answers have the number after the last."""
    answers, items = last_answers(judgements).frame, len(judgements.judged)
    names, ids = pl.Series(judgements.annotators, dtype=pl.String), pl.Series(judgements.judged)
    who = _numbers(answers["annotator"], names)
    by = np.repeat(who, answers["items"].list.len().to_numpy())
    keys, shown = np.unique(by * items + _numbers(answers["items"].explode(), ids), return_counts=True)
    best, worst = (
        np.bincount(np.searchsorted(keys, who * items + _numbers(answers[name], ids)), minlength=keys.size)
        for name in ("best", "worst")
    )
    points, item = best - worst, keys % items
    all_points, all_shown = (np.bincount(item, counts)[item] for counts in (points, shown))
    others = all_shown - shown
    rest = np.divide(all_points - points, others, out=np.full(keys.size, np.nan), where=others > 0)
    table = pl.DataFrame({"annotator": keys // items, "item": item, "own": points / shown, "rest": rest})
    named = table.filter(pl.col("annotator") < len(names))
    return named.with_columns(annotator=names.gather(named["annotator"]), item=ids.gather(named["item"]))


def _numbers(names: pl.Series, known: pl.Series) -> Integers:
    """The number of each name among the known ones; null is the number after the last."""
    if known.is_empty():
        return np.zeros(names.len(), dtype=np.intp)
    return numbered(names, known).fill_null(len(known)).to_numpy()
