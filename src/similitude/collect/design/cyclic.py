"""Cyclic designs: base tuples from a difference family, shifted once around the circle of items.

If two items of a base tuple are d apart, its shifted copies hold every pair of items that are d apart, each once. If no
difference occurs twice in the base tuples, then no pair occurs twice in the shifted copies, and every item occurs
equally often. Difference families (Bose 1939) give designs that a search by exchanges does not find, such as 52
four-tuples of 26 items, or the 21 lines of the projective plane of order 4.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

__all__ = ["turn_base_tuples"]

STEPS = 20_000
"""The number of partial families to examine before giving up."""
DEEPEST = 300
"""The largest number of items in all base tuples; a larger family is not found in so few steps."""


def turn_base_tuples(items: int, size: int, tuples: int) -> NDArray[np.intp] | None:
    """This many tuples in which no pair meets more often than necessary; None if no family was found.

    >>> turn_base_tuples(7, 3, 7)[:3]
    array([[0, 1, 3],
           [1, 2, 4],
           [2, 3, 5]])
    """
    if tuples % items or size < 3 or tuples // items * size > DEEPEST:
        return None
    ceiling = -(-tuples * comb(size, 2) // comb(items, 2))
    family = _Search(items, size, tuples // items, ceiling).run()
    if family is None:
        return None
    turned = (np.array(family)[:, None, :] + np.arange(items)[None, :, None]) % items
    turned = turned.reshape(tuples, size).astype(np.intp)
    return turned if len(np.unique(np.sort(turned, axis=1), axis=0)) == tuples else None


class _Search:
    """Depth-first search: the smallest unused difference starts a base tuple, which grows by one item at a time."""

    def __init__(self, items: int, size: int, bases: int, ceiling: int) -> None:
        self.items, self.size, self.bases = items, size, bases
        self.room = [ceiling] * items
        self.left = STEPS

    def run(self) -> list[list[int]] | None:
        return self._extend([0], [])

    def _extend(self, base: list[int], done: list[list[int]]) -> list[list[int]] | None:
        self.left -= 1
        if self.left < 0:
            return None
        if len(base) == self.size:
            complete = [*done, base]
            return complete if len(complete) == self.bases else self._extend([0], complete)
        for item in self._next(base):
            differences = [sign * (item - one) % self.items for one in base for sign in (1, -1)]
            if self._take(differences):
                found = self._extend([*base, item], done)
                if found is not None:
                    return found
                self._give_back(differences)
        return None

    def _next(self, base: list[int]) -> list[int]:
        open_ones = [item for item in range(1, self.items) if self.room[item] > 0 and item not in base]
        return open_ones[:1] if len(base) == 1 else open_ones

    def _take(self, differences: list[int]) -> bool:
        for place, one in enumerate(differences):
            self.room[one] -= 1
            if self.room[one] < 0:
                self._give_back(differences[: place + 1])
                return False
        return True

    def _give_back(self, differences: list[int]) -> None:
        for one in differences:
            self.room[one] += 1
