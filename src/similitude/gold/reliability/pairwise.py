"""Mean correlation of pairs of raters."""

from __future__ import annotations

from typing import NamedTuple, get_args

import numpy as np

from similitude.errors import ArgumentError, UnknownNameError
from similitude.gold.reliability.bootstrap import USUAL, Resampling, Statistic, bootstrap_estimates
from similitude.gold.reliability.estimate import Estimate, mean_of_known, undefined
from similitude.gold.reliability.pairable_ratings import checked, without_noise
from similitude.gold.reliability.resampled_correlations import Correlation, SharedItems, correlations_of_resamples
from similitude.stats.arrays import Array, Integers

__all__ = ["LEAST_SHARED", "PairwiseCorrelation", "pairwise_correlation"]


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
    (Spearman) the items alike. Leniency does not count. The interval resamples items; a pair that is undefined in a
    resample is left out of that resample's mean.

    Undefined with one rater, if no two raters share ``least_shared`` items, and if in every such pair one rater gave
    all shared items the same value.

    Args:
        values: raters x items, nan where a rater did not rate an item.
        correlation: "pearson" (r) or "spearman" (rho).
        least_shared: pairs with fewer shared items are left out and counted.
        resampling: how intervals are drawn.

    Raises:
        UnknownNameError: the correlation is unknown.
        ArgumentError: ``least_shared`` is below 2.

    >>> from similitude.gold.reliability import NO_INTERVALS
    >>> ratings = np.array([[1, 2, 3, 4], [1, 3, 2, 4], [np.nan, 2, 3, 4]])
    >>> pairwise_correlation(ratings, "spearman", resampling=NO_INTERVALS).estimate.value  # 0.8, 1 and 0.5
    0.7667
    """
    if correlation not in get_args(Correlation):
        raise UnknownNameError("correlation", correlation, get_args(Correlation))
    if least_shared < 2:
        raise ArgumentError(f"cannot correlate {least_shared} items", remedy="ask for at least 2 shared items")
    ratings = without_noise(checked(values))
    ratings = ratings[~np.isnan(ratings).all(axis=1)]
    shared = _shared(ratings)
    pairs = _usable(ratings, np.argwhere(np.triu(shared >= least_shared, k=1)))
    all_pairs = len(ratings) * (len(ratings) - 1) // 2
    if len(pairs) == 0:
        return PairwiseCorrelation(undefined(_reason(shared, least_shared)), 0, all_pairs, np.nan)
    in_common = shared[pairs[:, 0], pairs[:, 1]]
    statistic, units = _mean_over_pairs(ratings, pairs, in_common, correlation), ratings.shape[1]
    estimate = bootstrap_estimates(statistic, units, width=len(pairs), resampling=resampling)[0]
    return PairwiseCorrelation(estimate, len(pairs), all_pairs - len(pairs), float(np.median(in_common)))


def _shared(ratings: Array) -> Integers:
    """The number of items shared by every two raters."""
    there = (~np.isnan(ratings)).astype(np.float64)
    return np.asarray(np.rint(there @ there.T), dtype=np.intp)


def _usable(ratings: Array, pairs: Integers) -> Integers:
    """The pairs in which neither rater gave all shared items the same value."""
    if not np.isnan(ratings).any():
        varies = ratings.min(axis=1, initial=np.inf) < ratings.max(axis=1, initial=-np.inf)
        return np.asarray(pairs[varies[pairs].all(axis=1)])
    kept = [pair for pair, (a, b) in enumerate(pairs.tolist()) if _both_vary(ratings[a], ratings[b])]
    return pairs[kept]


def _both_vary(one: Array, other: Array) -> bool:
    there = ~np.isnan(one) & ~np.isnan(other)
    return bool(np.ptp(one[there]) > 0 and np.ptp(other[there]) > 0)


def _mean_over_pairs(ratings: Array, pairs: Integers, shared: Integers, correlation: Correlation) -> Statistic:
    """The mean over pairs in every resample."""
    if not np.isnan(ratings).any():
        one, other = pairs.T
        return lambda weights: mean_of_known(correlations_of_resamples(ratings, weights, correlation)[:, one, other].T)[
            None
        ]
    blocks = SharedItems.blocks(ratings, pairs, shared)
    return lambda weights: mean_of_known(
        np.concatenate([block.correlations(weights, correlation) for block in blocks])
    )[None]


def _reason(shared: Integers, least_shared: int) -> str:
    if len(shared) < 2:
        return "only one rater: there is nothing to compare" if len(shared) else "there are no ratings"
    if np.triu(shared, k=1).max() < least_shared:
        return f"no two raters rated {least_shared} items in common"
    return "in every pair of raters one gave all shared items the same value"
