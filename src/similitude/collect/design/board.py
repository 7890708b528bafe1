"""Tuples with a matrix of how often any two items meet, updated as items are exchanged."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.collect.design.first_tuples import TupleDraft
from similitude.collect.design.levels import MeetingLevels

__all__ = ["Board", "Faults", "Place"]

SAME = 10**6
"""Initial meetings of an item with itself, so large that a repeated item is the worst fault."""


class Place(NamedTuple):
    """A place in a tuple: row and column."""

    row: int
    column: int


class Faults(NamedTuple):
    """The number of repeated items and tuples, and how far pairs are from balance."""

    repeats: int
    unevenness: int


class Board:
    """Tuples, and how often any two items meet.

    Attributes:
        tuples: item numbers, one row per tuple.
        meetings: how often two items meet, items x items.
    """

    def __init__(self, draft: TupleDraft, levels: MeetingLevels) -> None:
        self.tuples, self._fixed = draft.tuples.copy(), draft.fixed
        self._levels = levels
        self.meetings = _count_meetings(self.tuples, levels.items)
        self._known = Counter(_key(row) for row in self.tuples)
        self._banned = np.zeros((len(self.tuples), levels.items), dtype=np.int32)

    def faults(self) -> Faults:
        """The faults of the current tuples."""
        meetings, ceiling, floor = self.meetings, self._levels.ceiling, self._levels.floor
        own = int(meetings.trace()) - SAME * len(meetings)
        above = int(np.maximum(meetings - ceiling, 0).sum()) - own - (SAME - ceiling) * len(meetings)
        lacking = int(np.maximum(floor - meetings, 0).sum()) if floor else 0
        return Faults(own + len(self.tuples) - len(self._known), (above + lacking) // 2)

    def place_at_fault(self, rng: np.random.Generator) -> Place | None:
        """Draw a faulty place: in a repeated item or tuple, or else in a pair that meets too often or too seldom."""
        for search in (self._repeated_items, self._twins, self._crowded_pair, self._rare_pair):
            rows, columns = np.nonzero(search(rng) & ~self._fixed)
            if len(rows):
                chosen = rng.integers(len(rows))
                return Place(int(rows[chosen]), int(columns[chosen]))
        return None

    def changes(self, place: Place, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Change of the sum of squared meetings for each exchange of the item at ``place`` with an item of these rows.

        With c meetings before, one meeting more adds 2c + 1 and one meeting less subtracts 2c - 1. Items that both
        tuples hold meet both exchanged items as often as before; their four terms, which add up to 4, are removed.
        """
        tuples, item, rest = self.tuples[rows], self.tuples[place], self._others(place)
        inside = self.meetings[tuples[:, :, None], tuples[:, None, :]].sum(axis=2) - self.meetings[tuples, tuples]
        comes = (2 * self.meetings[rest] + 1).sum(axis=0)[tuples]
        leaves = (2 * self.meetings[item, rest] - 1).sum()
        joins = _sum_of_others(2 * self.meetings[item][tuples] + 1)
        parts = 2 * inside - (tuples.shape[1] - 1)
        shared = _sum_of_others((tuples[:, :, None] == rest).any(axis=2).astype(np.int64))
        return np.asarray(comes - leaves + joins - parts - 4 * shared, dtype=np.float64)

    def forbidden(self, place: Place, rows: NDArray[np.int64], step: int) -> NDArray[np.bool_]:
        """Which places of these rows cannot be exchanged with ``place`` at this step."""
        tuples, item = self.tuples[rows], self.tuples[place]
        back = (self._banned[place.row][tuples] > step) | (self._banned[rows, item] > step)[:, None]
        return np.asarray(back | self._fixed[rows] | (tuples == item) | (rows == place.row)[:, None])

    def ban(self, one: Place, other: Place, until: NDArray[np.int64]) -> None:
        """Keep two exchanged items from returning before these steps."""
        self._banned[one.row, self.tuples[other]] = until[0]
        self._banned[other.row, self.tuples[one]] = until[1]

    def exchange(self, one: Place, other: Place) -> bool:
        """Exchange two items, unless that creates a tuple that already exists; return whether it did."""
        before = [_key(self.tuples[place.row]) for place in (one, other)]
        self._swap(one, other)
        after = [_key(self.tuples[place.row]) for place in (one, other)]
        if after[0] == after[1] or any(key in self._known for key in after):
            self._swap(one, other)
            return False
        self._remember(gone=before, come=after)
        self._count_anew(one, gone=self.tuples[other], come=self.tuples[one])
        self._count_anew(other, gone=self.tuples[one], come=self.tuples[other])
        return True

    def _swap(self, one: Place, other: Place) -> None:
        self.tuples[one], self.tuples[other] = self.tuples[other], self.tuples[one]

    def _remember(self, *, gone: list[bytes], come: list[bytes]) -> None:
        self._known.update(come)
        self._known.subtract(gone)
        for key in gone:
            if not self._known[key]:
                del self._known[key]

    def _count_anew(self, place: Place, *, gone: np.intp, come: np.intp) -> None:
        for one in self._others(place):
            for item, change in ((gone, -1), (come, 1)):
                self.meetings[item, one] += change
                self.meetings[one, item] += change

    def _others(self, place: Place) -> NDArray[np.intp]:
        row = self.tuples[place.row]
        return np.asarray(row[np.arange(len(row)) != place.column])

    def _repeated_items(self, rng: np.random.Generator) -> NDArray[np.bool_]:
        repeated = np.flatnonzero(self.meetings.diagonal() > SAME)
        if not len(repeated):
            return np.zeros(self.tuples.shape, dtype=np.bool_)
        at = self.tuples == rng.choice(repeated)
        return np.asarray(at & (at.sum(axis=1) > 1)[:, None])

    def _twins(self, rng: np.random.Generator) -> NDArray[np.bool_]:
        if len(self._known) == len(self.tuples):
            return np.zeros(self.tuples.shape, dtype=np.bool_)
        twin = np.array([self._known[_key(row)] > 1 for row in self.tuples])
        return np.broadcast_to(twin[:, None], self.tuples.shape)

    def _crowded_pair(self, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Mask of the places of two items that meet too often, in tuples that hold both."""
        one, other = _any_pair(self.meetings > self._levels.ceiling, rng)
        together = (self.tuples == one).any(axis=1) & (self.tuples == other).any(axis=1)
        return np.asarray(((self.tuples == one) | (self.tuples == other)) & together[:, None])

    def _rare_pair(self, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Mask of the places of one of two items that meet too seldom, in tuples without the other."""
        one, other = _any_pair(self.meetings < self._levels.floor, rng)
        return np.asarray((self.tuples == one) & ~(self.tuples == other).any(axis=1)[:, None])


def _any_pair(chosen: NDArray[np.bool_], rng: np.random.Generator) -> tuple[int, int]:
    """Draw one of these pairs of different items; (-1, -1) if there is none."""
    places = np.flatnonzero(chosen)
    places = places[places % (len(chosen) + 1) != 0]
    return divmod(int(places[rng.integers(len(places))]), len(chosen)) if len(places) else (-1, -1)


def _count_meetings(tuples: NDArray[np.intp], items: int) -> NDArray[np.int64]:
    meetings = np.zeros((items, items), dtype=np.int64)
    np.fill_diagonal(meetings, SAME)
    for one, other in permutations(range(tuples.shape[1]), 2):
        np.add.at(meetings, (tuples[:, one], tuples[:, other]), 1)
    return meetings


def _sum_of_others(values: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(values.sum(axis=1, keepdims=True) - values)


def _key(row: NDArray[np.intp]) -> bytes:
    return np.sort(row).tobytes()
