"""The human ceiling: how well one person predicts the others, and how well a perfect system could.

Two figures to read a system's correlation with gold by. *One person*: each annotator's answers against gold made
without them; a system above it predicts people better than people do. *Reachable*: gold itself is a sample of
opinions, and even a system that knew the truth correlates with it only by the square root of gold's reliability.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.gold.reliability.agreement import Draws
from similitude.gold.reliability.estimate import LEVEL, Estimate, bootstrap_estimates, mean_of_known, undefined
from similitude.gold.reliability.rater_rest_correlation import (
    own_and_rest_scores,
    resampled_rest_correlation,
    rest_correlation,
)
from similitude.gold.reliability.resampled_correlations import Correlation
from similitude.gold.reliability.split_half import split_half
from similitude.stats.arrays import Array

__all__ = ["Ceiling", "human_ceiling"]


LEAST_ITEMS = 10
"""Annotators who share fewer items with others are left out: their correlation is mostly chance."""
RESAMPLES = 500
CORRELATIONS: tuple[Correlation, Correlation] = ("pearson", "spearman")
REPEATS = 50
"""Of cutting the judgements in half."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ceiling:
    """What a system's correlation with gold can be read by.

    Attributes:
        pearson: mean over annotators of Pearson's r between one annotator and the rest.
        spearman: the same with Spearman's rho.
        reachable: Pearson's r with gold that a system which knew the truth would have: the square root of gold's
            reliability, by random halves of each item's ratings (or of each tuple's annotations) and Spearman-Brown.
        annotators: one row each: annotator, items (shared with others), pearson, spearman.
        left_out: how many annotators share too few items to count.
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
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    rng: np.random.Generator | None = None,
) -> Ceiling:
    """How well each annotator agrees with the rest, averaged, and how well a perfect system would.

    For ratings, one annotator's ratings against the mean of the others'; for best-worst, scores counted from one
    annotator's answers against scores counted from all others'. Every annotator counts the same. Intervals draw items;
    all annotators see the same resamples.

    Undefined where no annotator shares enough items with others, or answers have no names (the first two), and where
    no item has two ratings, or no tuple two annotations (the last).

    Args:
        judgements: ratings or best-worst answers.
        least_items: annotators who share fewer items with others are left out and counted.
        resamples: how many; 0 for no intervals.
        level: of the intervals.
        rng: where randomness comes from; without one, the same resamples are drawn every time.

    >>> from similitude.samples import read_sample
    >>> ceiling = human_ceiling(Judgements.of_benchmark(read_sample("opinions")), resamples=0)
    >>> round(ceiling.pearson.value, 3), round(ceiling.reachable.value, 3)
    (0.900, 0.990)
    """
    draws = Draws(resamples, level, rng or np.random.default_rng(0))
    table = own_and_rest_scores(judgements)
    kept = table.filter(pl.len().over("annotator") >= least_items)
    sizes = kept.group_by("annotator", maintain_order=True).len("items")
    r, rho = (_one_person(kept, correlation, draws) for correlation in CORRELATIONS)
    return Ceiling(
        pearson=r.mean,
        spearman=rho.mean,
        reachable=_reachable(judgements, draws),
        annotators=sizes.with_columns(pearson=r.each, spearman=rho.each),
        left_out=table["annotator"].n_unique() - sizes.height,
    )


class _OnePerson(NamedTuple):
    mean: Estimate
    each: Array


def _one_person(table: pl.DataFrame, correlation: Correlation, draws: Draws) -> _OnePerson:
    if table.is_empty():
        return _OnePerson(undefined("no annotator shares enough items with others"), np.empty(0))
    items = table["item"].n_unique()
    by_annotator = resampled_rest_correlation(table, correlation)
    (mean,) = bootstrap_estimates(lambda weights: mean_of_known(by_annotator(weights))[None], items, **draws._asdict())
    if not mean.is_defined:
        mean = undefined("every annotator, or what the others say, is the same on all items")
    return _OnePerson(mean, rest_correlation(table, correlation))


def _reachable(judgements: Judgements, draws: Draws) -> Estimate:
    found = split_half(judgements, spearman_brown=True, repeats=REPEATS, **draws._asdict()).pearson
    if found.is_defined and found.value <= 0:
        return undefined("two halves of the judgements do not agree at all")
    value, low, high = (float(np.sqrt(np.maximum(end, 0.0))) for end in found[:3])
    return Estimate(value, low, high, found.reason)
