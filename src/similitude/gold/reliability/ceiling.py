"""The human ceiling: how well one person, another panel, and a system that knew the truth would agree with gold.

Reference values for a system's correlation with gold, for Pearson's r and Spearman's rho; other measures have none.

- *One person*: each annotator's answers against gold made without them. A system above it predicts people better than
  one person does.
- *Another panel* of the same size: the reliability of gold.
- *A perfect system*: gold itself is a sample of opinions, so even a system that knew the truth does not reach 1: with
  Pearson's r it reaches the square root of gold's reliability.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.independent_units import independent_units
from similitude.gold.reliability.named_raters import why_unnamed
from similitude.gold.reliability.rater_rest_correlation import own_and_rest_scores, rest_correlations
from similitude.gold.reliability.score_reliability import ScoreReliability, Scores, score_reliability
from similitude.stats import Interval, Units, jackknife_interval
from similitude.stats.arrays import Array
from similitude.stats.correlation import Correlation
from similitude.stats.left_out_units import left_out_units

__all__ = ["Ceiling", "HumanCeiling", "human_ceiling", "reliability_interval"]


LEAST_ITEMS = 10
"""Annotators who share fewer items with others are left out: their correlation is mostly noise."""
ROUNDING = 1e-9
"""Reliabilities that differ by less are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """Reference values for one kind of correlation with gold.

    Attributes:
        one_person: mean over annotators of the correlation between one annotator and the rest.
        panel: correlation with gold from another panel of the same size: the reliability of gold.
        perfect: correlation of a system that knows the truth: what all people would say on average.
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
    scores: Scores = field(repr=False)


def human_ceiling(
    judgements: Judgements,
    *,
    items: Collection[str] | None = None,
    least_items: int = LEAST_ITEMS,
    resampling: Resampling = USUAL,
) -> HumanCeiling:
    """How well one person, another panel and a perfect system would correlate with gold.

    One person: for ratings, one annotator's ratings against the mean of the others'; for best-worst, counting scores
    from one annotator's answers against those from all others'. Every annotator has the same weight. Undefined if no
    annotator shares enough items with others, or annotators are unnamed.

    Another panel and a perfect system: see `score_reliability`. Undefined if they are below one person.

    Intervals are the jackknife's over items; for a panel and a perfect system over `independent_units`, on the scale of
    log(1 - reliability). Nothing is drawn at random.

    Args:
        judgements: ratings or best-worst answers.
        items: the items to correlate; by default all that were judged.
        least_items: annotators who share fewer items with others are left out and counted.
        resampling: the level of the intervals; 0 resamples for none.

    >>> import similitude as sim
    >>> ceiling = human_ceiling(sim.read_judgements("sample:opinions")).pearson
    >>> round(ceiling.one_person.value, 3), round(ceiling.panel.value, 3), round(ceiling.perfect.value, 3)
    (0.900, 0.980, 0.990)
    """
    scores = score_reliability(judgements, items)  # first, as it refuses answers that are not valid
    table = own_and_rest_scores(judgements)
    if items is not None:
        table = table.filter(pl.col("item").is_in(list(items)))
    numbered = pl.col("item").cast(pl.Categorical).to_physical()  # numbers are sorted faster than names
    kept = table.filter(pl.len().over("annotator") >= least_items).with_columns(numbered)
    why = (None if judgements.annotators else why_unnamed(judgements)) or "no annotator shares enough items with others"
    units = _units_of(judgements, scores.items)
    r, rho = (_one_person(kept, correlation, resampling, why) for correlation in ("pearson", "spearman"))
    sizes = kept.group_by("annotator", maintain_order=True).len("items")
    pearson, spearman = _at_least(scores.pearson, r.mean), _at_least(scores.spearman, rho.mean)
    scores = replace(scores, pearson=pearson, spearman=spearman)
    return HumanCeiling(
        pearson=_ceiling(r.mean, scores.pearson, units, resampling),
        spearman=_ceiling(rho.mean, scores.spearman, units, resampling),
        annotators=sizes.with_columns(pearson=r.each, spearman=rho.each),
        left_out=table["annotator"].n_unique() - sizes.height,
        scores=scores,
    )


def _at_least(found: ScoreReliability, one_person: Estimate) -> ScoreReliability:
    """The reliability; undefined if it is below what one person reaches, which nobody would believe of a panel.

    Scores of many people hold their differences in leniency and in the use of the scale, those of one person do not.
    """
    if not found.value < one_person.value - ROUNDING:
        return found
    why = "another panel would be below one person: raters differ too much in leniency, or in how they use the scale"
    return ScoreReliability(value=math.nan, without=np.full_like(found.without, math.nan), reason=why)


def reliability_interval(found: ScoreReliability, units: Units, level: float) -> Interval:
    """The interval of a reliability below 1, symmetrical on the scale of log(1 - reliability), as those of F ratios."""
    without = left_out_units(found.value, found.without, units)
    scaled = jackknife_interval(math.log(1 - found.value), np.log(np.where(without < 1, 1 - without, np.nan)), level)
    return Interval(1 - math.exp(scaled.high), 1 - math.exp(scaled.low), scaled.reason)


class _OnePerson(NamedTuple):
    mean: Estimate
    each: Array


def _one_person(table: pl.DataFrame, correlation: Correlation, resampling: Resampling, why: str) -> _OnePerson:
    if table.is_empty():
        return _OnePerson(undefined(why), np.empty(0))
    found = rest_correlations(table, correlation)
    mean = found.mean(resampling)
    if not mean.is_defined:
        mean = undefined("every annotator, or the rest, gives all items the same score")
    return _OnePerson(mean, found.each)


def _units_of(judgements: Judgements, items: list[str]) -> Units:
    units = independent_units(judgements)
    if units.of_item is None:
        return Units(len(items))
    of_item = dict(zip(judgements.judged, units.of_item.tolist(), strict=True))
    return Units.of_groups(np.array([of_item[item] for item in items], dtype=np.intp))


def _ceiling(one_person: Estimate, found: ScoreReliability, units: Units, resampling: Resampling) -> Ceiling:
    if found.reason is not None:
        return Ceiling(one_person=one_person, panel=undefined(found.reason), perfect=undefined(found.reason))
    panel = _panel(found, units, resampling)
    return Ceiling(one_person=one_person, panel=panel, perfect=_perfect(panel, found))


def _panel(found: ScoreReliability, units: Units, resampling: Resampling) -> Estimate:
    if resampling.resamples == 0:
        return Estimate(found.value)
    if found.value >= 1:
        return Estimate(found.value, reason="no interval: gold has no noise")
    return Estimate(found.value, *reliability_interval(found, units, resampling.level))


def _perfect(panel: Estimate, found: ScoreReliability) -> Estimate:
    """The correlation with the truth for a reliability and for the ends of its interval; below 0 these count as 0."""
    if panel.value <= 0:
        return undefined("the scores differ no more than their noise: gold is not reliable at all")
    value, low, high = found.truth_of(np.maximum(panel[:3], 0.0)).tolist()
    return Estimate(value, low, high, panel.reason)
