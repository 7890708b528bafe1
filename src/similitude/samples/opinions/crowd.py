"""Simulated raters: people of different attitudes, who differ where the texts leave something to attitude."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.samples.opinions.meetings import Meeting, Meetings

__all__ = ["POOL", "Crowd", "Rated", "draw_crowd", "rate"]

POOL = 32
"""Raters that there are; each pair is rated by some of them."""

STEP = 0.5
LOW, HIGH = 1.4, 4.1
"""What is said of pairs whose exact facts are all different, or all the same, before all that people differ over."""

_VAGUE, _OPPOSITE = 0.7, 1.3
_BIAS, _NOISE = 0.1, 0.2
_CREDIT = {Meeting.SAME: 1.0, Meeting.NEAR: 0.25}
_TOP = 5.0

Array = NDArray[np.float64]


class Crowd(NamedTuple):
    """Raters, one entry each.

    Attributes:
        lenience: whether a vague wording beside an exact one speaks for likeness, from -1 (strict) to 1 (lenient).
        heart: how much opposite feelings speak against it, from 0 to 1.
        bias: how far all answers lie above or below.
    """

    lenience: Array
    heart: Array
    bias: Array


class Rated(NamedTuple):
    """Pairs x raters: the ratings, and who gave them."""

    ratings: Array
    raters: NDArray[np.int64]


def draw_crowd(rng: np.random.Generator) -> Crowd:
    """People of whom many are strict or lenient and few in between; the attitudes are unrelated to each other.

    Attitudes are the quantiles of the arcsine distribution, dealt out at random, so that every seed has the same ones.
    """
    evenly = np.sin(np.pi / 2 * (np.arange(POOL) + 0.5) / POOL) ** 2
    return Crowd(
        lenience=2 * rng.permutation(evenly) - 1,
        heart=rng.permutation(evenly),
        bias=rng.normal(0.0, _BIAS, POOL),
    )


def rate(rng: np.random.Generator, crowd: Crowd, pairs: Meetings, weights: Array, raters: int) -> Rated:
    """What people say of pairs, on 0..5 in steps of 0.5.

    An answer starts from how much of the exact facts is the same: from 1.4 for nothing to 4.1 for everything, each fact
    counting by its weight, and a near value a quarter. Every vague wording that covers the exact one beside it moves it
    by 0.7 times the rater's lenience, opposite feelings by -1.3 times the rater's heart; then come bias and noise.

    Args:
        rng: source of randomness.
        crowd: who may be asked.
        pairs: what they are asked about.
        weights: how much each fact of the domain counts.
        raters: how many are asked about each.
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
