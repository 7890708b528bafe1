"""Cells: what remains when pairs are divided by one column after the other; a selection takes a number from each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.selection.divisions import Division
from similitude.collect.candidates.selection.quotas import divide, even_shares

__all__ = ["Cells", "Level", "Shortage"]

NO_LIMIT = np.iinfo(np.int32).max
"""More than any part is asked for."""


class Shortage(NamedTuple):
    """A cell with too few pairs.

    Attributes:
        cell: its name.
        has: how many it has.
        share: how many it was to give.
    """

    cell: str
    has: int
    share: int


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The cells after one more division.

    Attributes:
        division: the column that was added.
        parents: the cell of the level above that each cell is part of.
        codes: the part of the division that each cell holds.
        weights: of each cell among those of its parent.
    """

    division: Division
    parents: NDArray[np.int64]
    codes: NDArray[np.int64]
    weights: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cell of each pair.

    Attributes:
        of: the cell of each pair; -1 for a pair that some division leaves out.
        levels: from the first division to the last; its cells are those of the pairs.
    """

    of: NDArray[np.int64]
    levels: tuple[Level, ...]

    @classmethod
    def divided(cls, pairs: int, divisions: Sequence[Division]) -> Cells:
        """Divide pairs by one column after the other.

        Cells of the first division exist even if no pair is in them, because the lack is to be told.
        """
        of = np.zeros(pairs, np.int64)
        for division in divisions:
            of[division.codes < 0] = -1
        kept = np.flatnonzero(of >= 0)
        levels: list[Level] = []
        inside = np.zeros(len(kept), np.int64)
        for division in divisions:
            level, inside = _divided(division, inside, division.codes[kept], is_first=not levels)
            levels.append(level)
        of[kept] = inside
        return cls(of, tuple(levels))

    def __len__(self) -> int:
        return len(self.levels[-1].parents) if self.levels else 1

    def counts(self, pairs: NDArray[np.intp] | None = None) -> NDArray[np.int64]:
        """The number of pairs in each cell: of all, or of those at these positions."""
        of = self.of if pairs is None else self.of[pairs]
        return np.bincount(of[of >= 0], minlength=len(self)).astype(np.int64)

    def quotas(
        self, items: int, available: NDArray[np.int64], rng: np.random.Generator, *, moves: bool
    ) -> NDArray[np.int64]:
        """How many pairs to take from each cell.

        Args:
            items: from all of them.
            available: how many each cell has.
            rng: decides where numbers cannot be divided evenly.
            moves: whether other cells give more where one has too few.
        """
        wanted = np.array([items], np.int64)
        for level, has in zip(self.levels, self.upwards(available)[1:], strict=True):
            limits = has if moves else np.full(len(has), NO_LIMIT)
            wanted = np.minimum(divide(wanted, level.parents, level.weights, limits, rng), has)
        return np.minimum(wanted, available)

    def shortages(self, quotas: NDArray[np.int64], items: int, available: NDArray[np.int64]) -> list[Shortage]:
        """The cells, of any level, that have less than their share of what the level above gives."""
        found: list[Shortage] = []
        given, has = self.upwards(quotas), self.upwards(available)
        given[0] = np.array([items], np.int64)
        for depth, level in enumerate(self.levels):
            shares = even_shares(given[depth], level.parents, level.weights)
            for cell in np.flatnonzero(has[depth + 1] < shares).tolist():
                found.append(Shortage(self.name(depth, cell), int(has[depth + 1][cell]), int(shares[cell])))
        return found

    def name(self, depth: int, cell: int) -> str:
        """The name of a cell: its part of each division, such as "cosine 0.2 to 0.4, source news"."""
        parts: list[str] = []
        for level in self.levels[depth::-1]:
            parts.append(f"{level.division.name} {level.division.parts[level.codes[cell]]}")
            cell = int(level.parents[cell])
        return ", ".join(reversed(parts))

    def upwards(self, numbers: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Sums of the cells' numbers at every level, from the whole down to the cells themselves."""
        sums = [numbers]
        sizes = [1, *(len(level.parents) for level in self.levels)]
        for level, above in zip(self.levels[::-1], sizes[-2::-1], strict=True):
            sums.append(np.bincount(level.parents, sums[-1], above).astype(np.int64))
        return sums[::-1]


def _divided(
    division: Division, inside: NDArray[np.int64], codes: NDArray[np.int64], *, is_first: bool
) -> tuple[Level, NDArray[np.int64]]:
    """The cells after one more division, and the cell of each pair."""
    parts = len(division.parts)
    keys = inside * parts + codes
    if is_first:
        cells, places, counts = np.arange(parts), keys, np.bincount(keys, minlength=parts)
    else:
        cells, places, counts = np.unique(keys, return_inverse=True, return_counts=True)
    values = cells % parts
    weights = counts.astype(np.float64) if division.weights is None else division.weights[values]
    return Level(division, cells // parts, values, weights), places.astype(np.int64)
