"""Batches of items of similar length in random order, so that there is little padding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Batcher", "Step", "StepPart"]

_POOL = 32
"""The number of batches that are sorted by length together: little padding, yet a new mix in each epoch."""


@dataclass(frozen=True, slots=True)
class StepPart:
    """Items that are computed together.

    Attributes:
        items: their positions; the items of a unit are adjacent.
        length: in tokens, to which every row is padded.
    """

    items: NDArray[np.int64]
    length: int


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the optimiser, computed in one or several parts."""

    parts: tuple[StepPart, ...]

    @property
    def size(self) -> int:
        """The number of items."""
        return sum(len(part.items) for part in self.parts)


@dataclass(frozen=True, kw_only=True, eq=False)
class Batcher:
    """Divides items into the steps of an epoch.

    Attributes:
        lengths: of each item's longest text, in tokens.
        unit: the number of items that stay together: for 2, items 0 and 1, 2 and 3, and so on.
        batch: items per step.
        rows: texts that are encoded per item.
        grid: padded lengths are multiples of this, so that there are few shapes; 1 for no padding to a grid.
        longest: the most tokens that the model reads.
        seed: of all random orders.
    """

    lengths: NDArray[np.int64]
    unit: int
    batch: int
    rows: int
    grid: int
    longest: int
    seed: int

    def steps(self, epoch: int, tokens: int | None) -> list[Step]:
        """The steps of an epoch; every item is in one step, and the items of a step have similar lengths.

        Args:
            epoch: each has its own order.
            tokens: the most to compute at a time, padding included; None for no limit.
        """
        rng = np.random.default_rng([self.seed, epoch])
        size = max(1, self.batch // self.unit)
        order = self._by_length(rng.permutation(len(self.lengths) // self.unit), size * _POOL)
        batches = [order[start : start + size] for start in range(0, len(order), size)]
        return [self._step(rng, batches[place], tokens) for place in rng.permutation(len(batches))]

    def count(self) -> int:
        """The number of steps in an epoch."""
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
        """How many of these items may be computed at a time, at this length; at least one unit."""
        if tokens is None:
            return items
        return min(items, max(1, tokens // (length * self.rows * self.unit)) * self.unit)

    def padded(self, length: int) -> int:
        """The length, rounded up to the grid, and to an eighth of a power of two if that is coarser.

        So there are at most eight shapes from 64 tokens to 128, and as many to 256.
        """
        step = self.grid if self.grid == 1 else max(self.grid, 1 << max(0, (length - 1).bit_length() - 4))
        return min(-(-length // step) * step, self.longest)
