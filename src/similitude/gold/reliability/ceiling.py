"""The human ceiling: how well one person, another panel, and a system that knew the truth would agree with gold.

Reference values for a system's correlation with gold, for Pearson's r and Spearman's rho; other measures have none.

- *One person*: each annotator's answers against gold made without them. A system above it predicts people better than
  one person does.
- *Another panel* of the same size: the reliability of gold.
- *A perfect system*: gold itself is a sample of opinions, so even a system that knew the truth correlates with it only
  at the square root of gold's reliability.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.reliability.bootstrap import LEVEL
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.named_raters import why_unnamed
from similitude.gold.reliability.rater_rest_correlation import own_and_rest_scores
from similitude.gold.reliability.score_reliability import ScoreReliability, Scores, score_reliability
from similitude.stats.arrays import Array, Integers
from similitude.stats.influence import Influences, spearman_influence
from similitude.stats.influence_intervals import attenuated_interval, influence_error, reliability_interval
from similitude.stats.left_out_influence import pearson_left_out

__all__ = ["Ceiling", "HumanCeiling", "human_ceiling"]


LEAST_ITEMS = 10
"""Annotators who share fewer items with others are left out: their correlation is mostly noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """Reference values for one kind of correlation with gold.

    Attributes:
        one_person: mean over annotators of the correlation between one annotator and the rest.
        panel: correlation with gold from another panel of the same size: the reliability of gold.
        perfect: correlation of a system that knows the truth: the square root of the reliability.
    """

    one_person: Estimate
    panel: Estimate
    perfect: Estimate


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HumanCeiling:
    """Reference values for a system's correlation with gold.

    Attributes:
        pearson: for Pearson's r.
        spearman: for Spearman's rho.
        annotators: one row per annotator: annotator, items (shared with others), pearson, spearman.
        left_out: number of annotators who share too few items.
        scores: the scores that the judgements add up to, with their reliability.
    """

    pearson: Ceiling
    spearman: Ceiling
    annotators: pl.DataFrame
    left_out: int
    scores: Scores


def human_ceiling(
    judgements: Judgements,
    *,
    items: Collection[str] | None = None,
    least_items: int = LEAST_ITEMS,
    level: float | None = LEVEL,
) -> HumanCeiling:
    """How well one person, another panel and a perfect system would correlate with gold.

    One person: for ratings, one annotator's ratings against the mean of the others'; for best-worst, counting scores
    from one annotator's answers against those from all others'. Every annotator has the same weight. Undefined if no
    annotator shares enough items with others, or annotators are unnamed.

    Another panel and a perfect system: see `score_reliability`.

    Intervals are over items (over groups of items, such as dialogues, where the items name them), from the influence of
    each on the figure; nothing is drawn at random.

    Args:
        judgements: ratings or best-worst answers.
        items: the items to correlate; by default all that were judged.
        least_items: annotators who share fewer items with others are left out and counted.
        level: confidence level; None for no intervals.

    >>> from similitude.samples import read_sample
    >>> ceiling = human_ceiling(Judgements.of_benchmark(read_sample("opinions"))).pearson
    >>> round(ceiling.one_person.value, 3), round(ceiling.panel.value, 3), round(ceiling.perfect.value, 3)
    (0.900, 0.979, 0.990)
    """
    table = own_and_rest_scores(judgements)
    if items is not None:
        table = table.filter(pl.col("item").is_in(list(items)))
    kept = table.filter(pl.len().over("annotator") >= least_items)
    sizes = kept.group_by("annotator", maintain_order=True).len("items")
    why = (None if judgements.annotators else why_unnamed(judgements)) or "no annotator shares enough items with others"
    scores = score_reliability(judgements, items)
    groups = _groups(judgements, scores.items)
    people = _People(kept, sizes["items"].to_numpy(), judgements, why)
    r, rho = people.correlations(pearson_left_out), people.correlations(spearman_influence)
    return HumanCeiling(
        pearson=_ceiling(people.mean(r, level), scores.pearson, groups, level),
        spearman=_ceiling(people.mean(rho, level), scores.spearman, groups, level),
        annotators=sizes.with_columns(pearson=r.figure, spearman=rho.figure),
        left_out=table["annotator"].n_unique() - sizes.height,
        scores=scores,
    )


class _People:
    """Each annotator against the rest: rows of `own_and_rest_scores`, annotator after annotator."""

    def __init__(self, table: pl.DataFrame, sizes: Integers, judgements: Judgements, why: str) -> None:
        self._own, self._rest = table["own"].to_numpy(), table["rest"].to_numpy()
        names = table["item"].unique(maintain_order=True)
        self._items = len(names)
        of_row = table["item"].replace_strict(names, np.arange(self._items), return_dtype=pl.Int64)
        self._item, self._sizes, self._why = of_row.to_numpy(), sizes, why
        self._groups = _groups(judgements, names.to_list())

    def correlations(self, influence: Callable[[Array, Array], Influences]) -> Influences:
        """The correlation of every annotator, and the influence of every row on it."""
        ends = np.cumsum(self._sizes)
        found = [influence(self._own[a:b], self._rest[a:b]) for a, b in zip(ends - self._sizes, ends, strict=True)]
        if not found:
            return Influences(np.empty(0), np.empty(0))
        return Influences(np.array([each.figure for each in found]), np.concatenate([each.of_item for each in found]))

    def mean(self, found: Influences, level: float | None) -> Estimate:
        """The mean over annotators whose correlation is defined. An item counts through all who judged it."""
        if not found.figure.size:
            return undefined(self._why)
        known = np.isfinite(found.figure)
        if not known.any():
            return undefined("every annotator, or the rest, gives all items the same score")
        value = float(found.figure[known].mean())
        share = np.where(known, self._items / self._sizes / np.count_nonzero(known), 0.0)
        weighted = np.where(np.repeat(known, self._sizes), found.of_item, 0.0) * np.repeat(share, self._sizes)
        if level is None:
            return Estimate(value)
        influence = np.asarray(np.bincount(self._item, weighted, minlength=self._items), dtype=np.float64)
        return _bounded(value, influence, self._groups, level)


def _groups(judgements: Judgements, items: list[str]) -> Integers | None:
    """The group of each item, such as its dialogue; None if the items are not known, or share no group.

    >>> made = pl.DataFrame({"item": list("abc"), "value": [1.0, 2.0, 3.0]})
    >>> known = pl.DataFrame({"id": list("abc"), "left": ["l"] * 3, "right": ["r"] * 3, "group": ["x", None, "x"]})
    >>> _groups(Judgements(name="made", frame=made, items=known), ["c", "b", "a"])
    array([1, 0, 1])
    """
    if judgements.items is None or judgements.items["group"].null_count() == judgements.items.height:
        return None
    of_item = dict(zip(judgements.items["id"], judgements.items["group"], strict=True))
    named = pl.Series([of_item.get(item) for item in items], dtype=pl.String)
    alone = pl.Series([f"\0item {item}" for item in items], dtype=pl.String)
    numbers = (named.fill_null(alone).rank("dense") - 1).to_numpy().astype(np.intp)
    return None if numbers.max(initial=-1) + 1 == len(items) else numbers


def _bounded(value: float, influence: Array, groups: Integers | None, level: float) -> Estimate:
    interval = attenuated_interval(value, influence_error(influence, groups), 1.0, _units(influence, groups), level)
    return Estimate(value, interval.low, interval.high, _why_none(interval.low))


def _units(influence: Array, groups: Integers | None) -> int:
    return influence.size if groups is None else int(np.unique(groups).size)


def _why_none(end: float) -> str | None:
    return "no interval: too few items, or all agree exactly" if math.isnan(end) else None


def _ceiling(one_person: Estimate, found: ScoreReliability, groups: Integers | None, level: float | None) -> Ceiling:
    if found.reason is not None:
        return Ceiling(one_person=one_person, panel=undefined(found.reason), perfect=undefined(found.reason))
    panel = Estimate(found.value)
    if level is not None:
        error, units = influence_error(found.influence, groups), _units(found.influence, groups)
        interval = reliability_interval(found.value, error, units, level)
        panel = Estimate(found.value, interval.low, interval.high, _why_none(interval.low))
    return Ceiling(one_person=one_person, panel=panel, perfect=_root(panel))


def _root(panel: Estimate) -> Estimate:
    """The square root of a reliability and of the ends of its interval; a negative lower end becomes 0."""
    if panel.value <= 0:
        return undefined("the scores differ no more than their noise: gold is not reliable at all")
    low, high = (math.nan if math.isnan(end) else math.sqrt(max(end, 0.0)) for end in (panel.low, panel.high))
    return Estimate(math.sqrt(panel.value), low, high, panel.reason)
