"""Levels: the items of a row in sorted order, grouped by equal values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array
from similitude.stats.ranks import Ordering

__all__ = ["Levels", "Members", "levels_by_row", "sum_of_members"]

Members = int | NDArray[np.intp]
"""The items of a level; an int for a single item, because indexing with an int makes no copy."""


@dataclass(frozen=True, eq=False)
class Levels:
    """The items of one row in sorted order, grouped by equal values.

    Attributes:
        order: the items.
        starts: the place in ``order`` at which each level begins.
    """

    order: NDArray[np.intp]
    starts: NDArray[np.intp]

    @classmethod
    def of(cls, values: NDArray[np.float64] | NDArray[np.integer]) -> Levels:
        """The levels of one row, lowest first.

        >>> Levels.of(np.array([3.0, 1.0, 3.0])).of_item
        array([1, 0, 1])
        """
        order = np.argsort(values)
        ordered = values[order]
        is_new = np.ones(ordered.size, dtype=np.bool_)
        np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
        return cls(order, np.flatnonzero(is_new))

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """The number of items in each level."""
        return np.diff(self.starts, append=self.order.size)

    @cached_property
    def members(self) -> list[Members]:
        """The items of each level."""
        first, sizes = self.order[self.starts].tolist(), self.sizes.tolist()
        places = zip(self.starts.tolist(), first, sizes, strict=True)
        return [item if size == 1 else self.order[start : start + size] for start, item, size in places]

    @cached_property
    def ties(self) -> list[NDArray[np.intp]]:
        """The items of each level that has more than one."""
        return [members for members in self.members if not isinstance(members, int)]

    @cached_property
    def of_item(self) -> NDArray[np.intp]:
        """The level of each item."""
        numbers = np.empty(self.order.size, dtype=np.intp)
        numbers[self.order] = np.repeat(np.arange(self.starts.size), self.sizes)
        return numbers

    def middles(self) -> Array:
        """The rank of each item minus one half: the items below its level plus half of those at it.

        >>> Levels.of(np.array([3.0, 1.0, 3.0])).middles()
        array([2. , 0.5, 2. ])
        """
        return np.asarray((self.starts + self.sizes / 2)[self.of_item])

    def sums_above(self, values: Array) -> Array:
        """For each item, the sum of the values of items above its level, plus half the sum at its level.

        >>> Levels.of(np.array([3.0, 1.0, 3.0])).sums_above(np.array([1.0, 10.0, 100.0]))
        array([ 50.5, 106. ,  50.5])
        """
        at_level = np.bincount(self.of_item, weights=values)
        above = at_level.sum() - np.cumsum(at_level) + at_level / 2
        return np.asarray(above[self.of_item])

    def reversed(self) -> Levels:
        """The levels in reverse order."""
        starts = self.order.size - (self.starts + self.sizes)
        return Levels(self.order[::-1], starts[::-1])


def levels_by_row(ordering: Ordering) -> list[Levels]:
    """The levels of each row, lowest first.

    >>> [levels.members for levels in levels_by_row(Ordering(np.array([[3.0, 1.0, 2.0]])))]
    [[1, 2, 0]]
    """
    n = ordering.values.shape[-1]
    rows = zip(ordering.order.reshape(-1, n), ordering.tie.reshape(-1, n), strict=True)
    return [Levels(order, np.flatnonzero(np.diff(tie, prepend=tie[0] - 1))) for order, tie in rows]


def sum_of_members(by_item: Array, members: Members) -> Array:
    """The sum of the rows of a level's items."""
    rows = by_item[members]
    return rows if isinstance(members, int) else np.asarray(rows.sum(axis=0))
