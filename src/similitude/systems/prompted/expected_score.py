"""The expected score: the mean over the levels of a scale, weighted by the model's probabilities.

mean = sum_k p_k x_k and sigma = sqrt(sum_k p_k (x_k - mean)^2), where x_k are the levels of the scale and p_k their
probabilities, normalised to sum to 1. The standard deviation measures the model's uncertainty.

Probabilities come from the likelihood of each level after the prompt or, if an endpoint returns none, from the
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
"""Requested alternatives to the first token; the maximum of common endpoints."""
_TENTHS = 11


class ExpectedScore(NamedTuple):
    """Means and standard deviations per item.

    Attributes:
        means: nan if no level has any probability.
        sigmas: population standard deviations.
        covered: the total probability of all levels before normalisation.
    """

    means: Array
    sigmas: Array
    covered: Array


def levels_of(scale: Scale, given: Sequence[float] | None = None) -> tuple[float, ...]:
    """The levels of a scale: those given, or its integers, or tenths on 0..1.

    >>> levels_of(Scale(low=1, high=5))
    (1.0, 2.0, 3.0, 4.0, 5.0)

    Raises:
        ArgumentError: there are fewer than two, one is off the scale, or one is a prefix of another.
    """
    levels = tuple(float(level) for level in given) if given is not None else _default_levels(scale)
    if len(levels) < 2 or len(set(levels)) < len(levels):
        raise ArgumentError("levels must be at least two distinct numbers", remedy="write levels=[1, 2, 3, 4, 5]")
    off = [level for level in levels if not scale.low <= level <= scale.high]
    if off:
        raise ArgumentError(f"level {off[0]:g} is not on the scale {scale}", remedy="give levels on the scale")
    texts = level_texts(levels)
    for one in texts:
        longer = [other for other in texts if other != one and other.startswith(one)]
        if longer:
            raise ArgumentError(
                f"level '{one}' is a prefix of level '{longer[0]}', so it would count for both",
                remedy="choose levels that are not prefixes of each other, or another scale, as in scale=0..5",
            )
    return levels


def level_texts(levels: Sequence[float]) -> tuple[str, ...]:
    """The levels as text, all with the same number of decimals.

    >>> level_texts([0, 0.5, 1]), level_texts([1, 2])
    (('0.0', '0.5', '1.0'), ('1', '2'))
    """
    digits = max(len(f"{level:.6f}".rstrip("0").partition(".")[2]) for level in levels)
    return tuple(f"{level:.{digits}f}" for level in levels)


def expected_scores(levels: Sequence[float], logs: Array) -> ExpectedScore:
    """Means and standard deviations.

    Args:
        levels: the levels of the scale.
        logs: log-probabilities as items x levels; -inf for none.

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
    """Log-probabilities as items x levels, from likelihoods."""
    totals = [[one.total for one in options] for options in found]
    return np.array(totals, dtype=np.float64).reshape(len(found), levels)


def answer_log_probabilities(answers: Sequence[ModelAnswer], texts: Sequence[str]) -> Array:
    """Log-probabilities as items x levels, from first tokens; tokens that differ only in spaces are combined."""
    logs = np.full((len(answers), len(texts)), -np.inf)
    for row, answer in enumerate(answers):
        for token, log in answer.first:
            if token.strip() in texts:
                column = texts.index(token.strip())
                logs[row, column] = np.logaddexp(logs[row, column], log)
    return logs


def _default_levels(scale: Scale) -> tuple[float, ...]:
    low, high = float(scale.low), float(scale.high)
    if (low, high) == (0.0, 1.0):
        return tuple(place / (_TENTHS - 1) for place in range(_TENTHS))
    if low.is_integer() and high.is_integer() and low >= 0 and high <= 9:
        return tuple(float(level) for level in range(int(low), int(high) + 1))
    raise ArgumentError(
        f"the scale {scale} has no default levels",
        remedy="give levels, as in levels=[1, 2, 3], or use scale=0..5; scores are mapped to the gold scale",
    )
