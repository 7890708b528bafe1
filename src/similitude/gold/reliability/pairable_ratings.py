"""Pairable ratings: checked, rounded to remove float noise, and limited to items with two or more ratings."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from similitude.data.extreme_numbers import extreme_numbers
from similitude.errors import ArgumentError
from similitude.gold.reliability.value_counts import ValueCounts, count_values
from similitude.stats.arrays import Array, Booleans, Integers

__all__ = ["SIGNIFICANT", "Pairable", "checked", "without_noise"]


SIGNIFICANT = 13
"""Values are equal if they agree in this many digits, counted from the first digit of the largest value."""

FEW_VALUES = 64
"""Up to this many values, counting each value in turn is faster than a binary search per rating."""


class Pairable:
    """The items that at least two raters rated.

    Attributes:
        values: raters x items, as given, nan where a rating is missing.
        number: ratings per item; at least 2.
        kept: for each item given, whether at least two raters rated it.
        reason: why agreement is undefined, in one sentence; None if it is defined.
    """

    def __init__(self, values: Array) -> None:
        ratings = checked(values)
        there = ~np.isnan(ratings)
        counts = _number_true(there)
        self.kept = counts >= 2
        self.values = ratings if self.kept.all() else ratings[:, self.kept]
        self.number = counts[self.kept]
        self.reason = self._reason(int(there.any(axis=1).sum()))

    @cached_property
    def domain(self) -> Array:
        """The distinct values without float noise, ascending."""
        return np.unique(without_noise(self._written))

    @cached_property
    def _written(self) -> Array:
        """The distinct values as given, with float noise."""
        found = np.unique(self.values)
        return found[~np.isnan(found)]

    @cached_property
    def is_complete(self) -> bool:
        """Whether every rater rated every item."""
        return bool((self.number == len(self.values)).all())

    @cached_property
    def tally(self) -> ValueCounts:
        """How often each item was given each value of the domain."""
        if self._written.size <= FEW_VALUES:
            counts = np.stack([_number_true(self.values == value) for value in self._written])
            if self._written.size > self.domain.size:
                starts = np.searchsorted(without_noise(self._written), self.domain)
                counts = np.add.reduceat(counts, starts, axis=0)
            return ValueCounts(counts.T)
        code = np.searchsorted(self.domain, without_noise(self.values))
        unit = np.broadcast_to(np.arange(self.number.size), code.shape)
        there = code < self.domain.size  # nan sorts last
        return count_values(unit[there], code[there], self.number.size, self.domain.size)

    def centred(self) -> Array:
        """Ratings minus their mean; 0 where a rating is missing."""
        if self.is_complete:
            return np.asarray(self.values - self.values.mean())
        there = ~np.isnan(self.values)
        filled = np.where(there, self.values, 0.0)
        return np.where(there, filled - filled.sum() / self.number.sum(), 0.0)

    def packed(self, columns: Integers) -> Array:
        """The ratings of these items, sorted within each column, missing ones at the bottom."""
        return np.sort(self.values[:, columns], axis=0)[: int(self.number.max())]

    def _reason(self, raters: int) -> str | None:
        if raters < 2:
            return "only one rater: there is nothing to compare" if raters else "there are no ratings"
        if self.number.size == 0:
            return "no item was rated by two raters: there is nothing to compare"
        if self.number.size == 1:
            return "only one item was rated by two raters: there is nothing to compare it with"
        ends = np.array([np.fmin.reduce(self.values, axis=None), np.fmax.reduce(self.values, axis=None)])
        if np.ptp(without_noise(ends)) == 0:
            same = "the same" if np.ptp(ends) == 0 else f"the same in their first {SIGNIFICANT} digits"
            return f"all ratings are {same}: agreement cannot be distinguished from chance"
        return None


def checked(values: ArrayLike) -> Array:
    """Ratings as raters x items.

    Raises:
        ArgumentError: the array does not have two dimensions, or a rating is infinite, no number, or too large or too
            small to compute with.
    """
    try:
        ratings = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        remedy = "give as many numbers for each rater, nan where a rating is missing; sim.reliability reads words, too"
        raise ArgumentError("ratings are no array of numbers", remedy=remedy) from None
    if ratings.ndim != 2:
        raise ArgumentError(f"ratings of {ratings.ndim} dimensions", remedy="give an array of raters x items")
    if np.isinf(ratings).any():
        raise ArgumentError("a rating is infinite", remedy="mark a missing rating with nan")
    if (extreme := extreme_numbers(ratings)) is not None:
        raise ArgumentError(extreme[0], remedy=extreme[1])
    return ratings


def without_noise(values: Array) -> Array:
    """Values rounded to 13 digits, counted from the first digit of the largest, which removes float noise.

    >>> without_noise(np.array([0.49999999999999994, 0.5, 4.0])).tolist()
    [0.5, 0.5, 4.0]
    """
    if values.size == 0 or np.isnan(largest := np.fmax.reduce(np.abs(values), axis=None)) or largest == 0:
        return values
    decimals = SIGNIFICANT - 1 - int(np.floor(np.log10(largest)))
    return np.round(values, min(decimals, 300))


def _number_true(marks: Booleans) -> Array:
    """The number of true values per column, summed in the narrowest type, which is fastest."""
    narrow = np.uint8 if len(marks) < 256 else np.int64
    return np.asarray(np.add.reduce(marks.view(np.uint8), axis=0, dtype=narrow), dtype=np.float64)
