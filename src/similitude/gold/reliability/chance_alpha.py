"""Krippendorff's alpha that random answers would give, for the tuples of a design.

Alpha corrects for a chance that draws answers from all answers of the pool. People who answer at random draw from the
items of their tuple. Where every tuple offers the same choices (its places), both are the same, and random answers give
0. Where a choice is an item, people who click at random still agree more often than two answers from the pool.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Integers

__all__ = ["ChanceAlphas", "chance_alphas"]


class ChanceAlphas(NamedTuple):
    """The alpha of random answers, in each coding of `BestWorstAgreement`."""

    combined: float
    by_position: float
    by_item: float


def chance_alphas(tuple_of: Integers, item: Integers, number: Array) -> ChanceAlphas:
    """Alpha if every answer named two different items of its tuple at random, best and worst.

    1 - (n - 1) E[observed] / E[expected]: the expectations of the two sums of alpha, over all such answers.

    Args:
        tuple_of: the tuple of each item shown; a tuple and an item together occur once.
        item: the items shown, numbered from 0.
        number: answers per tuple.

    >>> shown = np.array([[0, 1, 2], [1, 2, 3], [4, 5, 6]])
    >>> chance = chance_alphas(np.repeat(np.arange(3), 3), shown.ravel(), np.full(3, 100.0))
    >>> [round(alpha, 3) for alpha in chance]
    [-0.0, 0.001, 0.207]
    """
    size = np.bincount(tuple_of).astype(np.float64)
    named = 2 * number / size  # how often each item of a tuple is named, on average
    places = np.arange(int(size.max()))
    by_place = np.array([named[size > place].sum() for place in places])
    by_item = np.bincount(item, named[tuple_of])
    differing, varying = 2 * number * (1 - 1 / size), 2 * number * np.maximum(1 - 2 / size, 0.0)
    return ChanceAlphas(
        combined=_combined(number, size),
        by_position=_alpha(2 * number.sum(), differing.sum(), varying.sum() + by_place @ by_place),
        by_item=_alpha(2 * number.sum(), differing.sum(), varying.sum() + by_item @ by_item),
    )


def _combined(number: Array, size: Array) -> float:
    """Of the pairs of different places (from 0), as many have their second place later as that place's number."""
    share = 1 / np.maximum(size * (size - 1), 1.0)
    later = np.arange(1, int(size.max()))
    by_pair = np.array([(number * share)[size > place].sum() for place in later])
    differing = float((number * (1 - share)).sum())
    return _alpha(number.sum(), differing, differing + 2 * later @ by_pair**2)


def _alpha(answers: float, differing: float, squares: float) -> float:
    """Alpha from the expected pairs of a tuple that differ, and the expected sum of squared counts of all labels."""
    expected = answers**2 - squares
    return float(1 - (answers - 1) * differing / expected) if expected > 0 else float("nan")
