"""The human ceiling: how well one person predicts the others, and how well a perfect system could do.

Two reference values for a system's correlation with gold. *One person*: each annotator's answers against gold made
without them; a system above it predicts people better than one person does. *Reachable*: gold itself is a sample of
opinions, so even a system that knew the truth correlates with it only at the square root of gold's reliability.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.named_raters import why_unnamed
from similitude.gold.reliability.rater_rest_correlation import own_and_rest_scores, rest_correlations
from similitude.gold.reliability.resampled_correlations import Correlation
from similitude.gold.reliability.split_half import split_half
from similitude.stats.arrays import Array

__all__ = ["Ceiling", "human_ceiling"]


LEAST_ITEMS = 10
"""Annotators who share fewer items with others are left out: their correlation is mostly noise."""
RESAMPLES = 500
CORRELATIONS: tuple[Correlation, Correlation] = ("pearson", "spearman")
REPEATS = 50
"""Random halvings of the judgements."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ceiling:
    """Reference values for a system's correlation with gold.

    Attributes:
        pearson: mean over annotators of Pearson's r between one annotator and the rest.
        spearman: the same with Spearman's rho.
        reachable: Pearson's r with gold of a system that knows the truth: the square root of gold's reliability, from
            random halves of each item's ratings (or each tuple's annotations) and Spearman-Brown.
        annotators: one row per annotator: annotator, items (shared with others), pearson, spearman.
        left_out: number of annotators who share too few items.
    """

    pearson: Estimate
    spearman: Estimate
    reachable: Estimate
    annotators: pl.DataFrame
    left_out: int


def human_ceiling(
    judgements: Judgements,
    *,
    least_items: int = LEAST_ITEMS,
    resampling: Resampling = USUAL,
) -> Ceiling:
    """Mean correlation of each annotator with the rest, and the correlation that a perfect system would have.

    For ratings, one annotator's ratings against the mean of the others'; for best-worst, counting scores from one
    annotator's answers against those from all others'. Every annotator has the same weight. Intervals of the first two
    are the jackknife's over items (`rest_correlations`), the last has that of split-half reliability.

    The first two are undefined if no annotator shares enough items with others, or annotators are unnamed; the last is
    undefined if no item has two ratings, or no tuple two annotations.

    Args:
        judgements: ratings or best-worst answers.
        least_items: annotators who share fewer items with others are left out and counted.
        resampling: how intervals are drawn.

    >>> from similitude.gold.reliability import NO_INTERVALS
    >>> from similitude.samples import read_sample
    >>> ceiling = human_ceiling(Judgements.of_benchmark(read_sample("opinions")), resampling=NO_INTERVALS)
    >>> round(ceiling.pearson.value, 3), round(ceiling.reachable.value, 3)
    (0.900, 0.990)
    """
    resampling = resampling.with_generator()
    table = own_and_rest_scores(judgements)
    kept = table.filter(pl.len().over("annotator") >= least_items)
    sizes = kept.group_by("annotator", maintain_order=True).len("items")
    why = (None if judgements.annotators else why_unnamed(judgements)) or "no annotator shares enough items with others"
    r, rho = (_one_person(kept, correlation, resampling, why) for correlation in CORRELATIONS)
    return Ceiling(
        pearson=r.mean,
        spearman=rho.mean,
        reachable=_reachable(judgements, resampling),
        annotators=sizes.with_columns(pearson=r.each, spearman=rho.each),
        left_out=table["annotator"].n_unique() - sizes.height,
    )


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


def _reachable(judgements: Judgements, resampling: Resampling) -> Estimate:
    found = split_half(judgements, spearman_brown=True, repeats=REPEATS, resampling=resampling).pearson
    if found.is_defined and found.value <= 0:
        return undefined("two halves of the judgements do not agree at all")
    value, low, high = (float(np.sqrt(np.maximum(end, 0.0))) for end in found[:3])
    return Estimate(value, low, high, found.reason)
