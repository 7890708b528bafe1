"""Resamples as weights: how often each unit is drawn.

A unit is an item, or a group of items that belong together. Each resample calls the generator separately, so that the
draws do not depend on how many resamples are drawn at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array

__all__ = [
    "JACKKNIFE_LIMIT",
    "Units",
    "bootstrap_weights",
    "in_chunks",
    "jackknife_blocks",
    "jackknife_size",
    "jackknife_weights",
    "random_swaps",
]


JACKKNIFE_LIMIT = 4000
"""With more units than this, the jackknife leaves out blocks of units, not single units."""


@dataclass(frozen=True, eq=False)
class Units:
    """The units of resampling: single items, or groups of items.

    Attributes:
        number: the number of units.
        of_item: the unit of each item; None if every item is a unit.
    """

    number: int
    of_item: NDArray[np.intp] | None = None

    @classmethod
    def of_groups(cls, groups: NDArray[np.intp]) -> Units:
        """Groups of items as units; items with the same number belong to one group.

        >>> Units.of_groups(np.array([7, 7, 3])).number
        2
        """
        names, of_item = np.unique(groups, return_inverse=True)
        return cls(names.size, of_item)

    @property
    def sizes(self) -> NDArray[np.intp]:
        """The number of items of each unit."""
        return np.ones(self.number, dtype=np.intp) if self.of_item is None else np.bincount(self.of_item)

    def sums(self, values: Array) -> Array:
        """The sum over the items of each unit, along the last axis.

        >>> Units.of_groups(np.array([7, 7, 3])).sums(np.array([[1.0, 10.0, 100.0]]))
        array([[100.,  11.]])
        """
        if self.of_item is None:
            return values
        rows = values.reshape(-1, values.shape[-1])
        found = [np.bincount(self.of_item, weights=row) for row in rows]
        return np.array(found, dtype=np.float64).reshape(*values.shape[:-1], self.number)

    def among(self, items: NDArray[np.intp] | NDArray[np.bool_]) -> tuple[Units, NDArray[np.intp]]:
        """The units that have some of these items, as units of these items, and their numbers here."""
        if self.of_item is None:
            chosen = np.arange(self.number)[items]
            return Units(chosen.size), chosen
        numbers, of_item = np.unique(self.of_item[items], return_inverse=True)
        return Units(numbers.size, of_item), numbers

    def over_items(self, weights: Array) -> Array:
        """Weights of items from weights of units (resamples x units); each item has the weight of its unit."""
        return weights if self.of_item is None else np.take(weights.T, self.of_item, axis=0).T


def bootstrap_weights(units: int, resamples: int, rng: np.random.Generator, among: int | None = None) -> Array:
    """Counts of draws with replacement: resamples x units.

    Args:
        units: the number of units to count.
        resamples: the number of resamples.
        rng: draws.
        among: the number of all units, and of draws in each resample, if it is larger; draws of the other units are not
            counted.

    >>> bootstrap_weights(4, 2, np.random.default_rng(0)).sum(axis=1)
    array([4., 4.])
    """
    kind = np.uint16 if units <= 2**16 else np.int64  # small integers are drawn faster

    def drawn() -> NDArray[np.integer]:
        draws = units if among is None else int(rng.binomial(among, units / among))
        return np.bincount(rng.integers(0, units, draws, kind), minlength=units)

    return _one_by_one(drawn, units, resamples)


def random_swaps(units: int, resamples: int, rng: np.random.Generator) -> Array:
    """1 with probability 1/2, else 0, for each unit: resamples x units."""
    return _one_by_one(lambda: rng.integers(0, 2, units, dtype=np.uint8), units, resamples)


def jackknife_blocks(units: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """The block of each unit, which the jackknife leaves out together: single units, or random blocks of several.

    With m units per block, the skewness of the blocks' influence and the root of their number both shrink by sqrt(m),
    so that the acceleration of the BCa interval, skewness / (6 sqrt(number)), does not change.
    """
    if units <= JACKKNIFE_LIMIT:
        return np.arange(units)
    return rng.permutation(units) % JACKKNIFE_LIMIT


def jackknife_size(units: int) -> int:
    """The number of units or blocks that the jackknife leaves out."""
    return min(units, JACKKNIFE_LIMIT)


def jackknife_weights(blocks: NDArray[np.intp], first: int, last: int) -> Array:
    """0 for the units of the block that is left out, else 1; one row for each block from first to last.

    >>> jackknife_weights(np.arange(3), 0, 2)
    array([[0., 1., 1.],
           [1., 0., 1.]])
    """
    kept: NDArray[np.bool_] = blocks[:, None] != np.arange(first, last)
    return kept.astype(np.float64).T


def in_chunks(number: int, size: int) -> Iterator[tuple[int, int]]:
    """First and last (exclusive) index of each chunk.

    >>> list(in_chunks(5, 2))
    [(0, 2), (2, 4), (4, 5)]
    """
    for first in range(0, number, size):
        yield first, min(first + size, number)


def _one_by_one(draw: Callable[[], NDArray[np.integer]], units: int, resamples: int) -> Array:
    drawn = np.empty((resamples, units), dtype=np.int32)
    for row in drawn:
        row[:] = draw()
    # Memory is laid out by unit, because the weighted measures read the weights of one unit in all resamples.
    return np.ascontiguousarray(drawn.T, dtype=np.float64).T
