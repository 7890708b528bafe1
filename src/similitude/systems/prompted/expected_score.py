"""The expected score: the mean over a scale's answers, each weighed by the probability that the model gives it.

mean = sum_k p_k x_k and sigma = sqrt(sum_k p_k (x_k - mean)^2), where x_k are the levels of the scale and p_k their
probabilities, brought to a sum of 1. So a language model that doubts is an uncertain system.

Probabilities come from the likelihood of every level after the prompt or, where an endpoint gives none, from the
likeliest first tokens of its answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.models.language.protocol import Likelihood, ModelAnswer

__all__ = [
    "ALTERNATIVES",
    "ExpectedScore",
    "answer_log_probabilities",
    "expected_scores",
    "level_texts",
    "levels_of",
    "option_log_probabilities",
]

Array = NDArray[np.float64]

ALTERNATIVES = 20
"""First tokens that are asked for; the most that common endpoints give."""
_TENTHS = 11


class ExpectedScore(NamedTuple):
    """Means and standard deviations, one an item.

    Attributes:
        means: nan where no level has any probability.
        sigmas: population standard deviations.
        covered: the probability that all levels had together, before it was brought to 1.
    """

    means: Array
    sigmas: Array
    covered: Array


def levels_of(scale: Scale, given: Sequence[float] | None = None) -> tuple[float, ...]:
    """The answers that a scale has: those given, or its whole numbers, or tenths on 0..1.

    >>> levels_of(Scale(low=1, high=5))
    (1.0, 2.0, 3.0, 4.0, 5.0)

    Raises:
        ArgumentError: they cannot be told apart by how they are written, lie off the scale, or there are none.
    """
    levels = tuple(float(level) for level in given) if given is not None else _usual(scale)
    if len(levels) < 2 or len(set(levels)) < len(levels):
        raise ArgumentError("levels must be two numbers or more, each once", remedy="write levels=[1, 2, 3, 4, 5]")
    off = [level for level in levels if not scale.low <= level <= scale.high]
    if off:
        raise ArgumentError(f"level {off[0]:g} is not on the scale {scale}", remedy="give levels on the scale")
    texts = level_texts(levels)
    for one in texts:
        longer = [other for other in texts if other != one and other.startswith(one)]
        if longer:
            raise ArgumentError(
                f"level '{one}' is how level '{longer[0]}' begins, so that one would count for both",
                remedy="choose levels of which none begins another, or ask on another scale, as in scale=0..5",
            )
    return levels


def level_texts(levels: Sequence[float]) -> tuple[str, ...]:
    """How levels are written: all with as many decimals as one of them needs.

    >>> level_texts([0, 0.5, 1]), level_texts([1, 2])
    (('0.0', '0.5', '1.0'), ('1', '2'))
    """
    digits = max(len(f"{level:.6f}".rstrip("0").partition(".")[2]) for level in levels)
    return tuple(f"{level:.{digits}f}" for level in levels)


def expected_scores(levels: Sequence[float], logs: Array) -> ExpectedScore:
    """Means and spreads.

    Args:
        levels: the answers of the scale.
        logs: items x levels, logarithms of probabilities; -inf for none.

    >>> found = expected_scores([1, 5], np.log([[0.3, 0.1]]))  # 3/4 and 1/4: mean 2, variance 3/4 + 9/4
    >>> found.means, found.sigmas.round(4), found.covered.round(4)
    (array([2.]), array([1.7321]), array([0.4]))
    """
    values = np.asarray(levels, dtype=np.float64)
    highest = logs.max(axis=1, keepdims=True, initial=-np.inf)
    known = np.isfinite(highest)
    weights = np.exp(logs - np.where(known, highest, 0.0))
    totals = weights.sum(axis=1, keepdims=True)
    shares = np.divide(weights, totals, out=np.full_like(weights, np.nan), where=totals > 0)
    means = shares @ values
    sigmas = np.sqrt((shares * (values - means[:, None]) ** 2).sum(axis=1))
    return ExpectedScore(means, sigmas, np.exp(logs).sum(axis=1))


def option_log_probabilities(found: Sequence[tuple[Likelihood, ...]], levels: int) -> Array:
    """Items x levels."""
    totals = [[one.total for one in options] for options in found]
    return np.array(totals, dtype=np.float64).reshape(len(found), levels)


def answer_log_probabilities(answers: Sequence[ModelAnswer], texts: Sequence[str]) -> Array:
    """Items x levels, from the first tokens of answers; tokens that differ in spaces alone count together."""
    logs = np.full((len(answers), len(texts)), -np.inf)
    for row, answer in enumerate(answers):
        for token, log in answer.first:
            if token.strip() in texts:
                column = texts.index(token.strip())
                logs[row, column] = np.logaddexp(logs[row, column], log)
    return logs


def _usual(scale: Scale) -> tuple[float, ...]:
    low, high = float(scale.low), float(scale.high)
    if (low, high) == (0.0, 1.0):
        return tuple(place / (_TENTHS - 1) for place in range(_TENTHS))
    if low.is_integer() and high.is_integer() and low >= 0 and high <= 9:
        return tuple(float(level) for level in range(int(low), int(high) + 1))
    raise ArgumentError(
        f"the scale {scale} has no usual levels",
        remedy="name them, as in levels=[1, 2, 3], or ask on scale=0..5; answers are mapped to the gold scale",
    )
