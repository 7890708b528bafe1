"""Mean correlation of pairs of raters."""

from __future__ import annotations

from typing import NamedTuple, get_args

import numpy as np

from similitude.errors import ArgumentError, UnknownNameError
from similitude.gold.reliability.bootstrap import USUAL, Resampling
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.jackknife import left_out_estimates
from similitude.gold.reliability.pairable_ratings import checked, without_noise
from similitude.gold.reliability.rater_pairs import RaterPairs, Ratings
from similitude.stats import Bounds
from similitude.stats.arrays import Array, Integers
from similitude.stats.correlation import Correlation
from similitude.stats.left_out_correlation import LeftOut, MeanLeftOut, pearson_left_out, spearman_left_out

__all__ = ["LEAST_SHARED", "PairwiseCorrelation", "mean_over_pairs", "pairwise_correlation"]


LEAST_SHARED = 3
"""With two shared items every correlation is 1 or -1; three is the smallest informative number."""


class PairwiseCorrelation(NamedTuple):
    """The mean correlation of pairs of raters.

    Attributes:
        estimate: the mean over pairs, with its interval.
        pairs: number of pairs averaged.
        left_out: pairs with too few shared items, or with a rater who gave all of them the same value.
        shared: median number of items shared by a pair; nan without a pair.
    """

    estimate: Estimate
    pairs: int
    left_out: int
    shared: float


def pairwise_correlation(
    values: Array,
    correlation: Correlation = "pearson",
    *,
    least_shared: int = LEAST_SHARED,
    resampling: Resampling = USUAL,
) -> PairwiseCorrelation:
    """Mean over pairs of raters of the correlation of their ratings of the items that both rated.

    Every pair has the same weight, however many items it shares. Range -1..1; 1 if all raters space (Pearson) or order
    (Spearman) the items alike. Leniency does not count.

    The interval is about these raters and all items from which these are a sample. It is the jackknife's over items,
    on the scale of Fisher's z (`similitude.stats.jackknife_interval`); a pair that is undefined without an item, or
    shares too few, is left out of that mean.

    Undefined with one rater, if no two raters share ``least_shared`` items, and if in every such pair one rater gave
    all shared items the same value.

    Args:
        values: raters x items, nan where a rater did not rate an item.
        correlation: "pearson" (r) or "spearman" (rho).
        least_shared: pairs with fewer shared items are left out and counted.
        resampling: the confidence level; with ``resamples=0`` there is no interval.

    Raises:
        UnknownNameError: the correlation is unknown.
        ArgumentError: ``least_shared`` is below 2.

    >>> from similitude.gold.reliability.bootstrap import NO_INTERVALS
    >>> ratings = np.array([[1, 2, 3, 4], [1, 3, 2, 4], [np.nan, 2, 3, 4]])
    >>> pairwise_correlation(ratings, "spearman", resampling=NO_INTERVALS).estimate.value  # 0.8, 1 and 0.5
    0.7667
    """
    if correlation not in get_args(Correlation):
        raise UnknownNameError("correlation", correlation, get_args(Correlation))
    if least_shared < 2:
        raise ArgumentError(f"cannot correlate {least_shared} items", remedy="ask for at least 2 shared items")
    ratings = Ratings.of_matrix(without_noise(checked(values)))
    return mean_over_pairs(ratings, correlation, least_shared=least_shared, resampling=resampling)


def mean_over_pairs(
    ratings: Ratings,
    correlation: Correlation,
    *,
    least_shared: int = LEAST_SHARED,
    resampling: Resampling = USUAL,
) -> PairwiseCorrelation:
    """The same of ratings in a long list, in which float noise is gone (`without_noise`)."""
    all_pairs = ratings.raters * (ratings.raters - 1) // 2
    mean = MeanLeftOut(int(ratings.item.max(initial=-1)) + 1)
    shared: list[Integers] = []
    for pairs in ratings.pairs(least_shared):
        found = _left_out(pairs, correlation, least_shared)
        mean.add(found, pairs.sizes, pairs.item)
        shared.append(pairs.sizes[np.isfinite(found.whole)])
    median = float(np.median(np.concatenate(shared))) if mean.number else np.nan
    estimate = _estimate(mean, resampling)
    if not estimate.is_defined:
        estimate = undefined(_reason(ratings, least_shared))
    return PairwiseCorrelation(estimate, mean.number, all_pairs - mean.number, median)


def _left_out(pairs: RaterPairs, correlation: Correlation, least_shared: int) -> LeftOut:
    """The correlations of pairs, and each without each item; undefined if then too few are shared."""
    figure = pearson_left_out if correlation == "pearson" else spearman_left_out
    whole, without = figure(pairs.one, pairs.other, pairs.sizes)
    still_enough = np.repeat(pairs.sizes > least_shared, pairs.sizes)
    return LeftOut(whole, np.where(still_enough, without, np.nan))


def _estimate(mean: MeanLeftOut, resampling: Resampling) -> Estimate:
    if resampling.resamples == 0:
        return Estimate(mean.value)
    return left_out_estimates([mean.value], mean.without()[None], Bounds(), resampling.level)[0]


def _reason(ratings: Ratings, least_shared: int) -> str:
    if ratings.raters < 2:
        return "only one rater: there is nothing to compare" if ratings.raters else "there are no ratings"
    if not any(True for _ in ratings.pairs(least_shared)):
        return f"no two raters rated {least_shared} items in common"
    return "in every pair of raters one gave all shared items the same value"
