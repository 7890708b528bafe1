"""The pairs that can still be taken: cells have quotas, and a text may be in a few pairs only."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["CellTable", "Pool", "Uses"]


class CellTable(Protocol):
    """The cell of each pair, and how many pairs each cell should give."""

    @property
    def of(self) -> NDArray[np.int64]:
        """The cell of each pair; -1 for none."""

    def __len__(self) -> int: ...

    def counts(self, pairs: NDArray[np.intp] | None = None) -> NDArray[np.int64]:
        """The number of pairs in each cell: of all, or of those at these positions."""
        ...

    def quotas(
        self, items: int, available: NDArray[np.int64], rng: np.random.Generator, *, moves: bool
    ) -> NDArray[np.int64]:
        """How many pairs to take from each cell."""
        ...


class Uses:
    """How often the texts of pairs have been used, and how often they may be.

    Args:
        ends: for each pair, the numbers of what it uses up: its texts, or itself.
        limits: for each of these numbers, in how many pairs it may be.
    """

    def __init__(self, ends: NDArray[np.int64], limits: NDArray[np.int64]) -> None:
        self.ends, self.left = ends, limits.copy()

    def allow(self, pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether nothing that a pair needs is used up, for each pair by itself."""
        return np.asarray((self.left[self.ends[pairs]] > 0).all(axis=1))

    def allow_in_turn(self, pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether all that a pair needs is left even if every pair before it in the list is taken."""
        flat = self.ends[pairs].ravel()
        order = np.argsort(flat, kind="stable")
        before = np.empty(len(flat), np.int64)
        before[order] = np.arange(len(flat)) - np.searchsorted(flat[order], flat[order])
        return np.asarray((before < self.left[flat]).reshape(-1, self.ends.shape[1]).all(axis=1))

    def take(self, pairs: NDArray[np.intp]) -> None:
        """Use what these pairs need."""
        np.subtract.at(self.left, self.ends[pairs].ravel(), 1)


class Pool:
    """The pairs that can still be taken.

    Attributes:
        of: the cell of each pair.
        quotas: how many pairs each cell is still to give.
        kept_out: of each pair, whether no method looks at it.
        can_be_taken: of each pair, whether it is in a cell, has not been taken, and its texts are not used up.
    """

    def __init__(self, cells: CellTable, uses: Uses | None = None) -> None:
        self.of, self._cells, self._uses = cells.of, cells, uses
        self.quotas = np.zeros(len(cells), np.int64)
        self.can_be_taken = cells.of >= 0
        self.kept_out = np.zeros(len(cells.of), np.bool_)
        self._taken: list[NDArray[np.intp]] = []

    def candidates(self) -> NDArray[np.intp]:
        """The pairs that can be taken now: those of cells that are still to give some."""
        return np.flatnonzero(self.can_be_taken & (self.quotas > 0)[self.of])

    def accepts(self, pair: int) -> bool:
        """Whether this pair can be taken now."""
        here = np.array([pair])
        return bool(
            self.can_be_taken[pair]
            and self.quotas[self.of[pair]] > 0
            and (self._uses is None or self._uses.allow(here)[0])
        )

    def take(self, pairs: NDArray[np.intp]) -> None:
        """Take these pairs."""
        self._taken.append(pairs)
        self.can_be_taken[pairs] = False
        np.subtract.at(self.quotas, self.of[pairs], 1)
        if self._uses is not None:
            self._uses.take(pairs)

    def drop_used_up(self) -> None:
        """Notice which pairs have lost a text to others."""
        if self._uses is not None:
            alive = np.flatnonzero(self.can_be_taken)
            self.can_be_taken[alive] = self._uses.allow(alive)

    def without_conflict(self, pairs: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of the pairs that can be taken whatever becomes of the ones before them; always the first."""
        return pairs if self._uses is None else pairs[self._uses.allow_in_turn(pairs)]

    def keep_only(self, pairs: NDArray[np.intp]) -> None:
        """Look at no other pairs from now on."""
        self.kept_out[:] = True
        self.kept_out[pairs] = False
        self.can_be_taken &= ~self.kept_out

    def all_taken(self) -> NDArray[np.intp]:
        """The pairs that were taken, in order."""
        return np.concatenate([*self._taken, np.empty(0, np.intp)])

    def available(self) -> NDArray[np.int64]:
        """How many pairs each cell can give in all: those that were taken, and those that still can be."""
        return self._cells.counts(self.all_taken()) + self._cells.counts(np.flatnonzero(self.can_be_taken))
