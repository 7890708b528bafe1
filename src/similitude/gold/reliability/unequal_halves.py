"""Reliability of all answers from the correlation of two halves, which need not be of the same size.

If a half with noise variance n1 correlates at r with a half with noise n2, the true variance t solves
r^2 = t^2 / ((t + n1) (t + n2)); the reliability of scores with noise n is t / (t + n). For two halves of the same
size it is the Spearman-Brown formula 2r / (1 + r); for one odd answer it is that of Horst (1951).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from similitude.gold.reliability.random_halves import HalfScores
from similitude.gold.reliability.resampled_correlations import Correlation
from similitude.stats.arrays import Array, Booleans
from similitude.stats.influence import Influences, spearman_influence
from similitude.stats.left_out_influence import pearson_left_out

__all__ = ["HalfNoise", "correlation_of_halves", "stepped_up"]


class HalfNoise(NamedTuple):
    """Noise variance of scores from all answers and from each half, all in the same unit."""

    whole: float
    first: float
    second: float


def stepped_up(halves: Influences, noise: HalfNoise) -> Influences:
    """The reliability of scores from all answers, with its influences, from the positive correlation of two halves.

    >>> even, odd = HalfNoise(1 / 4, 1 / 2, 1 / 2), HalfNoise(1 / 3, 1 / 1, 1 / 2)
    >>> half = Influences(np.array(0.5), np.zeros(1))
    >>> float(stepped_up(half, even).figure), float(stepped_up(half, odd).figure)  # 2 * 0.5 / (1 + 0.5); Horst
    (0.666..., 0.686...)
    """
    r, (whole, one, other) = float(halves.figure), noise
    if r >= 1 or one * other == 0:
        return Influences(np.array(1.0), np.zeros_like(halves.of_item))
    both = one + other
    share = (np.sqrt(both**2 + 4 * one * other * (1 / r**2 - 1)) - both) / (2 * one * other)
    value = 1 / (1 + share * whole)
    slope = 2 * whole * value**2 / (r**3 * (both + 2 * share * one * other))
    return Influences(np.array(value), slope * halves.of_item)


def correlation_of_halves(scores: HalfScores, correlation: Correlation) -> Influences:
    """The mean correlation of the halves over halvings, and the mean influence of each item.

    An item without a score in one half has no influence on that halving. Halvings whose correlation is undefined are
    left out; both are nan if all are.
    """
    influence = pearson_left_out if correlation == "pearson" else spearman_influence
    is_known = ~np.isnan(scores.first + scores.second)
    if is_known.all():
        found = influence(*scores)
    else:
        each = [_of_known(*row, influence) for row in zip(*scores, is_known, strict=True)]
        found = Influences(*(np.array(part) for part in zip(*each, strict=True)))
    defined = np.isfinite(found.figure)
    if not defined.any():
        return Influences(np.array(np.nan), np.full(scores.first.shape[-1], np.nan))
    return Influences(found.figure[defined].mean(), found.of_item[defined].mean(axis=0))


def _of_known(
    first: Array, second: Array, is_known: Booleans, influence: Callable[[Array, Array], Influences]
) -> Influences:
    of_item, number = np.zeros(first.size), int(is_known.sum())
    if number < 2:
        return Influences(np.array(np.nan), of_item)
    found = influence(first[is_known], second[is_known])
    of_item[is_known] = found.of_item * (first.size / number)
    return Influences(found.figure, of_item)
