"""Weights of agreement between ordered categories: 1 for the same category, less the farther two are apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from similitude.errors import UnknownNameError
from similitude.gold.reliability.value_counts import ValueCounts
from similitude.stats.arrays import Array

__all__ = ["WEIGHTS", "Weighting", "Weights", "category_weights"]

Weights = Literal["identity", "linear", "quadratic", "ordinal"]
WEIGHTS: tuple[Weights, ...] = get_args(Weights)


def category_weights(values: Array, weights: Weights) -> Array:
    """The weight of every pair of categories: values x values, symmetric, 1 on the diagonal and 0 in the far corners.

    - identity: 1 for the same category, 0 for any other;
    - linear: 1 - distance / largest distance;
    - quadratic: 1 - squared distance / largest squared distance;
    - ordinal: 1 - C(m, 2) / C(q, 2), where m categories lie from the one to the other (both included) and q are there
      in all: only the order counts.

    Reference: Gwet (2014), Handbook of Inter-Rater Reliability, chapter 3.

    Args:
        values: the values of the categories, ascending.
        weights: the name of the weights.

    Raises:
        UnknownNameError: there are no weights of that name.

    >>> category_weights(np.array([1.0, 2.0, 3.0]), "ordinal").round(3)
    array([[1.   , 0.667, 0.   ],
           [0.667, 1.   , 0.667],
           [0.   , 0.667, 1.   ]])
    """
    if weights not in _DISTANCES:
        raise UnknownNameError("weights", weights, WEIGHTS)
    apart = _DISTANCES[weights](values)
    return np.asarray(1.0 - apart / max(float(apart.max(initial=0.0)), np.finfo(float).tiny))


class Weighting:
    """The weights of some categories, applied without a matrix where only equal categories agree.

    Args:
        values: the values of the categories, ascending.
        weights: the name of the weights.
    """

    def __init__(self, values: Array, weights: Weights) -> None:
        self._values, self._weights = values, weights

    @cached_property
    def _matrix(self) -> Array | None:
        return None if self._weights == "identity" else category_weights(self._values, self._weights)

    @property
    def total(self) -> float:
        """The sum of the weights of all pairs of categories."""
        return float(self._values.size if self._matrix is None else self._matrix.sum())

    def pairs(self, tally: ValueCounts) -> Array:
        """For each item, the sum of the weights over ordered pairs of its answers, each with itself included."""
        return tally.squares if self._matrix is None else tally.pairs_by(self._matrix)

    def times(self, shares: Array) -> Array:
        """Shares of categories (in the last axis) times the weights: for each category, its mean weight."""
        return shares if self._matrix is None else np.asarray(shares @ self._matrix)


def _differ(values: Array) -> Array:
    return 1.0 - np.eye(values.size)


def _linear(values: Array) -> Array:
    return np.abs(values[:, None] - values)


def _quadratic(values: Array) -> Array:
    return np.asarray((values[:, None] - values) ** 2)


def _ordinal(values: Array) -> Array:
    steps = np.abs(np.arange(values.size)[:, None] - np.arange(values.size))
    return np.asarray(steps * (steps + 1))  # twice C(steps + 1, 2)


_DISTANCES: dict[Weights, Callable[[Array], Array]] = {
    "identity": _differ,
    "linear": _linear,
    "quadratic": _quadratic,
    "ordinal": _ordinal,
}
