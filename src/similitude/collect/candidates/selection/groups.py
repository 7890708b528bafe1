"""Groups: pairs that are drawn together, such as one of every band for each dialogue (GiCCS, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.selection.cells import Cells
from similitude.collect.candidates.selection.divisions import Division

__all__ = ["GroupCells", "choose_groups"]


@dataclass(frozen=True, slots=True, eq=False)
class GroupCells:
    """One cell for every band of every group; pairs of groups that were not chosen are in none.

    Attributes:
        of: the cell of each pair, group by group; -1 for a pair of no chosen group.
        groups: how many were chosen.
        bands: cells for one group.
        each: how many pairs of each band are wanted.
    """

    of: NDArray[np.int64]
    groups: int
    bands: int
    each: int

    def __len__(self) -> int:
        return self.groups * self.bands

    def counts(self, pairs: NDArray[np.intp] | None = None) -> NDArray[np.int64]:
        """The number of pairs in each cell: of all, or of those at these positions."""
        of = self.of if pairs is None else self.of[pairs]
        return np.bincount(of[of >= 0], minlength=len(self)).astype(np.int64)

    def quotas(
        self, items: int, available: NDArray[np.int64], rng: np.random.Generator, *, moves: bool
    ) -> NDArray[np.int64]:
        """How many pairs to take from each cell: where a band has too few, the nearest of the same group gives more."""
        del items, rng  # follow from the groups
        has = available.reshape(self.groups, self.bands)
        taken = np.minimum(has, self.each)
        lacks = self.each - taken
        for distance in range(1, self.bands if moves else 1):
            for step in (-distance, distance):
                lacks -= _move(taken, lacks, has, step)
        return taken.ravel()


def _move(taken: NDArray[np.int64], lacks: NDArray[np.int64], has: NDArray[np.int64], step: int) -> NDArray[np.int64]:
    """Take more from the bands that are a step away from those that lack pairs; return how many, where they lack."""
    bands = np.arange(has.shape[1])
    lacking = bands[(bands + step >= 0) & (bands + step < len(bands))]
    moved = np.zeros_like(lacks)
    moved[:, lacking] = np.minimum(lacks[:, lacking], (has - taken)[:, lacking + step])
    taken[:, lacking + step] += moved[:, lacking]
    return moved


@dataclass(frozen=True, slots=True, eq=False)
class ChosenGroups:
    """Which groups are taken.

    Attributes:
        cells: of the pairs.
        chosen: the number of each chosen group.
        complete: how many groups had enough pairs in every band.
        usable: how many groups could have been taken.
        over: the cells of the groups themselves, if they are divided over columns.
    """

    cells: GroupCells
    chosen: NDArray[np.int64]
    complete: int
    usable: int
    over: Cells


def choose_groups(
    groups: NDArray[np.int64],
    bands: Division,
    divisions: Sequence[Division],
    wanted: int | None,
    each: int,
    *,
    moves: bool,
    rng: np.random.Generator,
) -> ChosenGroups:
    """Choose groups at random, evenly over the parts of the divisions, and those with pairs in all bands first.

    Args:
        groups: the number of each pair's group, from 0; -1 for a pair that cannot be taken.
        bands: the band of each pair.
        divisions: what groups are divided over, given for each pair; a group is where its first pair is.
        wanted: how many groups; None for all that are usable.
        each: how many pairs of each band a group needs.
        moves: whether a group that lacks a band may give more of another.
        rng: the source of randomness.
    """
    count, width = int(groups.max(initial=-1)) + 1, len(bands.parts)
    held = (groups >= 0) & (bands.codes >= 0)
    sizes = np.bincount(groups[held] * width + bands.codes[held], minlength=count * width).reshape(count, width)
    lacks = (sizes < each).sum(axis=1)
    usable = sizes.sum(axis=1) >= each * width if moves else lacks == 0
    over = Cells.divided(count, [_of_groups(division, groups, held, count, usable) for division in divisions])
    if not divisions:
        over.of[~usable] = -1
    available = over.counts()
    quotas = over.quotas(int(available.sum()) if wanted is None else wanted, available, rng, moves=moves)
    chosen = _first_in_cells(over.of, quotas, lacks, rng)
    places = np.full(count + 1, -1, np.int64)  # one more for pairs of no group, whose number is -1
    places[chosen] = np.arange(len(chosen))
    of = np.where(held & (places[groups] >= 0), places[groups] * width + bands.codes, -1)
    cells = GroupCells(of, len(chosen), width, each)
    return ChosenGroups(cells, chosen, int((lacks == 0).sum()), int(usable.sum()), over)


def _of_groups(
    division: Division, groups: NDArray[np.int64], held: NDArray[np.bool_], count: int, usable: NDArray[np.bool_]
) -> Division:
    """The part of each group: that of its first pair; groups that cannot be taken are in none."""
    codes = np.full(count, -1, np.int64)
    places = np.flatnonzero(held)[::-1]
    codes[groups[places]] = division.codes[places]  # the last assignment counts, which is the first pair's
    return replace(division, codes=np.where(usable, codes, -1))


def _first_in_cells(
    of: NDArray[np.int64], quotas: NDArray[np.int64], lacks: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """As many of each cell as its quota says, those that lack least first, at random among equals; in order."""
    order = np.lexsort((rng.random(len(of)), lacks, of))
    order = order[of[order] >= 0]
    firsts = np.searchsorted(of[order], of[order])
    return np.sort(order[np.arange(len(order)) - firsts < quotas[of[order]]])
