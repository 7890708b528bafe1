"""Simulated raters with different attitudes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.samples.opinions.meetings import Meeting, Meetings
from similitude.stats.arrays import Array

__all__ = ["POOL", "Crowd", "Rated", "draw_crowd", "rate"]

POOL = 32
"""The number of raters; some of them rate each pair."""

STEP = 0.5
LOW, HIGH = 1.4, 4.1
"""The ratings of pairs whose exact facts all differ, or are all the same, before attitudes, bias and noise."""

_VAGUE, _OPPOSITE = 0.7, 1.3
_BIAS, _NOISE = 0.1, 0.2
_CREDIT = {Meeting.SAME: 1.0, Meeting.NEAR: 0.25}
_TOP = 5.0


class Crowd(NamedTuple):
    """Raters, with one entry for each.

    Attributes:
        lenience: how similar a rater finds a vague wording and an exact one, from -1 (strict) to 1 (lenient).
        heart: how much a rater minds opposite feelings, from 0 to 1.
        bias: what a rater adds to all ratings.
    """

    lenience: Array
    heart: Array
    bias: Array


class Rated(NamedTuple):
    """Ratings and their raters, both pairs x raters."""

    ratings: Array
    raters: NDArray[np.int64]


def draw_crowd(rng: np.random.Generator) -> Crowd:
    """Raters of whom many are strict or lenient and few in between; the two attitudes are independent.

    Attitudes are quantiles of the arcsine distribution in random order, so that all seeds have the same ones.
    """
    evenly = np.sin(np.pi / 2 * (np.arange(POOL) + 0.5) / POOL) ** 2
    return Crowd(
        lenience=2 * rng.permutation(evenly) - 1,
        heart=rng.permutation(evenly),
        bias=rng.normal(0.0, _BIAS, POOL),
    )


def rate(rng: np.random.Generator, crowd: Crowd, pairs: Meetings, weights: Array, raters: int) -> Rated:
    """Ratings of pairs on 0..5 in steps of 0.5.

    The base of a rating is the weighted share of exact facts that are the same, mapped to 1.4 (none) to 4.1 (all); a
    near value counts a quarter. Every vague wording that covers the exact one adds 0.7 times the rater's lenience,
    opposite feelings subtract 1.3 times the rater's heart; then come bias and noise.

    Args:
        rng: source of randomness.
        crowd: all raters.
        pairs: the pairs to rate.
        weights: the weight of each fact of the domain.
        raters: how many raters rate each pair.
    """
    who = rng.random((len(pairs), POOL)).argsort(axis=1)[:, :raters]
    is_vague = pairs.of_facts == Meeting.VAGUE
    counts = weights[pairs.facts] * ~is_vague
    same = (counts * np.array([_CREDIT.get(meeting, 0.0) for meeting in Meeting])[pairs.of_facts]).sum(axis=1)
    agreed = LOW + (HIGH - LOW) * same / counts.sum(axis=1)
    answers = agreed[:, None] + _VAGUE * is_vague.sum(axis=1, keepdims=True) * crowd.lenience[who]
    answers -= _OPPOSITE * (pairs.feeling == 2)[:, None] * crowd.heart[who]
    answers += crowd.bias[who] + rng.normal(0.0, _NOISE, who.shape)
    return Rated(np.clip(np.round(answers / STEP) * STEP, 0.0, _TOP) + 0.0, who)  # no minus 0
