"""Weighted sums of independent estimates, and votes of rankings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.ranks import average_ranks

__all__ = ["Ends", "RankVotes", "combined_ends", "combined_freedom", "rank_votes"]


class Ends(NamedTuple):
    """The ends of intervals."""

    low: Array
    high: Array


def combined_ends(weights: Array, values: Array, ends: Ends) -> Ends:
    """The interval of a weighted sum of independent estimates, from the interval of each.

    Half widths add up as standard errors do, in squares. An interval that is longer on one side, as those of
    correlations are, is so because the estimate is skewed; the third cumulants of independent estimates add up, so that
    the more estimates there are, the more symmetric their sum is. One estimate alone keeps its own interval. Nan if one
    of the intervals is undefined.

    Reference: Cornish and Fisher (1938), Moments and cumulants in the specification of distributions.

    Args:
        weights: of the estimates, not negative.
        values: estimates, the first axis as long as ``weights``.
        ends: of the same shape.

    >>> ends = Ends(np.array([[0.5], [0.5]]), np.array([[0.9], [0.9]]))
    >>> # half widths .2, the middle .1 below the value: .8 -+ .2 / sqrt(2) - .1 / 2
    >>> combined_ends(np.array([0.5, 0.5]), np.array([[0.8], [0.8]]), ends)
    Ends(low=array([0.60857864]), high=array([0.89142136]))
    """
    half, shift = (ends.high - ends.low) / 2, (ends.high + ends.low) / 2 - values
    squares = np.tensordot(weights**2, half**2, axes=1)
    thirds = np.tensordot(weights**3, shift * half**2, axes=1)
    moved = np.divide(thirds, squares, out=np.zeros_like(squares), where=squares != 0)
    middle, reach = np.tensordot(weights, values, axes=1) + moved, np.sqrt(squares)
    return Ends(middle - reach, middle + reach)


def combined_freedom(variances: Array, freedoms: Array) -> Array:
    """The degrees of freedom of a sum of independent variances (Welch, 1947; Satterthwaite, 1946).

    Infinite where all variances are 0.

    Args:
        variances: parts x systems, already multiplied by their squared weights.
        freedoms: of each of them; may be infinite.

    >>> combined_freedom(np.array([[1.0, 4.0], [1.0, 0.0]]), np.array([[10.0], [5.0]]))  # 4 / (1/10 + 1/5), 10
    array([13.33333333, 10.        ])
    """
    total, spread = variances.sum(axis=0), (variances**2 / freedoms).sum(axis=0)
    return np.asarray(np.divide(total**2, spread, out=np.full(total.shape, np.inf), where=spread > 0))


class RankVotes(NamedTuple):
    """What voters think of candidates.

    Attributes:
        borda: the Borda count of each candidate: over all voters, the candidates below it, ties counting one half.
        mean_rank: the mean rank of each candidate; 1 is best, ties share the average rank.
    """

    borda: Array
    mean_rank: Array


def rank_votes(merits: Array) -> RankVotes:
    """Borda counts and mean ranks.

    Args:
        merits: voters x candidates, higher is better.

    >>> rank_votes(np.array([[0.9, 0.8, 0.1], [0.5, 0.7, 0.5]]))
    RankVotes(borda=array([2.5, 3. , 0.5]), mean_rank=array([1.75, 1.5 , 2.75]))
    """
    below = average_ranks(merits) - 1
    return RankVotes(below.sum(axis=0), merits.shape[1] - below.mean(axis=0))
