"""Which items make a step: shuffled, then by length, so that little is padding and nothing is learned from order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Batcher", "Step", "StepPart"]

_POOL = 32
"""Batches' worth of shuffled items that are sorted by length together: little padding, yet mixed anew each epoch."""


@dataclass(frozen=True, slots=True)
class StepPart:
    """Items that are computed together.

    Attributes:
        items: their positions; where items come in pairs, the two of a pair follow each other.
        length: tokens that every row is padded to.
    """

    items: NDArray[np.int64]
    length: int


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the optimiser, in one part or several."""

    parts: tuple[StepPart, ...]

    @property
    def size(self) -> int:
        """Items in it."""
        return sum(len(part.items) for part in self.parts)


@dataclass(frozen=True, kw_only=True, eq=False)
class Batcher:
    """Makes the steps of an epoch.

    Attributes:
        lengths: tokens of each item's longest text.
        unit: items that must meet: item 0 and 1, 2 and 3, ... for 2; each alone for 1.
        batch: items of a step.
        rows: texts that are encoded for an item.
        grid: padded lengths are multiples of this, so that there are few shapes.
        longest: that the model reads.
        seed: of every order.
    """

    lengths: NDArray[np.int64]
    unit: int
    batch: int
    rows: int
    grid: int
    longest: int
    seed: int

    def steps(self, epoch: int, tokens: int | None) -> list[Step]:
        """Every item once, in steps of as many items (the last may have fewer), of similar length each.

        Args:
            epoch: another order in each; the same epoch has the same steps.
            tokens: that may be computed at a time, padding included; None for no limit.
        """
        rng = np.random.default_rng([self.seed, epoch])
        size = max(1, self.batch // self.unit)
        order = self._by_length(rng.permutation(len(self.lengths) // self.unit), size * _POOL)
        batches = [order[start : start + size] for start in range(0, len(order), size)]
        return [self._step(rng, batches[place], tokens) for place in rng.permutation(len(batches))]

    def count(self) -> int:
        """Steps in an epoch."""
        return -(-(len(self.lengths) // self.unit) // max(1, self.batch // self.unit))

    def _by_length(self, units: NDArray[np.int64], pool: int) -> NDArray[np.int64]:
        longest = self.lengths.reshape(-1, self.unit).max(axis=1)
        pools = [units[start : start + pool] for start in range(0, len(units), pool)]
        return np.concatenate([part[np.argsort(longest[part], kind="stable")] for part in pools])

    def _step(self, rng: np.random.Generator, units: NDArray[np.int64], tokens: int | None) -> Step:
        within = rng.permuted(np.tile(np.arange(self.unit), (len(units), 1)), axis=1)
        items = units[:, None] * self.unit + within
        return Step(tuple(self._parts(items, tokens)))

    def _parts(self, items: NDArray[np.int64], tokens: int | None) -> list[StepPart]:
        length = self.padded(int(self.lengths[items].max()))
        room = self.room(length, items.size, tokens) // self.unit
        pieces = [items[start : start + room] for start in range(0, len(items), room)]
        return [StepPart(piece.reshape(-1), self.padded(int(self.lengths[piece].max()))) for piece in pieces]

    def room(self, length: int, items: int, tokens: int | None) -> int:
        """How many of these items, at this length, may be computed at a time; one unit at least."""
        if tokens is None:
            return items
        return min(items, max(1, tokens // (length * self.rows * self.unit)) * self.unit)

    def padded(self, length: int) -> int:
        """The length on the grid."""
        return min(-(-length // self.grid) * self.grid, self.longest)
