"""One sorted row, cut into levels: the items of one value stand together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from similitude.stats.ranks import Ordering

__all__ = ["Levels", "Members", "levels_by_row", "sum_of_members"]

Array = NDArray[np.float64]
Members = int | NDArray[np.intp]
"""The items of a level: a plain number where there is only one, for then a row is a view and costs nothing."""


@dataclass(frozen=True, eq=False)
class Levels:
    """The items of one row in order, those that share a value together.

    Attributes:
        order: the items.
        starts: the places in ``order`` at which a level begins; 0 is the first.
    """

    order: NDArray[np.intp]
    starts: NDArray[np.intp]

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """How many items each level has."""
        return np.diff(self.starts, append=self.order.size)

    @cached_property
    def members(self) -> list[Members]:
        """The items of every level, in order."""
        first, sizes = self.order[self.starts].tolist(), self.sizes.tolist()
        places = zip(self.starts.tolist(), first, sizes, strict=True)
        return [item if size == 1 else self.order[start : start + size] for start, item, size in places]

    @cached_property
    def ties(self) -> list[NDArray[np.intp]]:
        """The items of every level that has more than one."""
        return [members for members in self.members if not isinstance(members, int)]

    @cached_property
    def of_item(self) -> NDArray[np.intp]:
        """The number of each item's level."""
        numbers = np.empty(self.order.size, dtype=np.intp)
        numbers[self.order] = np.repeat(np.arange(self.starts.size), self.sizes)
        return numbers

    def reversed(self) -> Levels:
        """The same levels, the last one first."""
        starts = self.order.size - (self.starts + self.sizes)
        return Levels(self.order[::-1], starts[::-1])


def levels_by_row(ordering: Ordering) -> list[Levels]:
    """The levels of every sorted row, lowest first.

    >>> [levels.members for levels in levels_by_row(Ordering(np.array([[3.0, 1.0, 2.0]])))]
    [[1, 2, 0]]
    """
    n = ordering.values.shape[-1]
    rows = zip(ordering.order.reshape(-1, n), ordering.tie.reshape(-1, n), strict=True)
    return [Levels(order, np.flatnonzero(np.diff(tie, prepend=tie[0] - 1))) for order, tie in rows]


def sum_of_members(by_item: Array, members: Members) -> Array:
    """The rows of a level's items, added up."""
    rows = by_item[members]
    return rows if isinstance(members, int) else np.asarray(rows.sum(axis=0))
