"""Balance pairs of many items: in random tuples few pairs meet too often, and one exchange separates each of them.

In 2N random four-tuples, about 144 pairs meet twice, however large N is. An exchange is made if no pair in the two new
tuples meets more often than allowed, so every exchange removes a fault and creates none.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from similitude.collect.design.first_tuples import TupleDraft
from similitude.collect.design.levels import MeetingLevels
from similitude.data.protocols import Listener

__all__ = ["repair"]

ROUNDS = 40
PATIENCE = 10
"""After this many rounds, pairs may meet once more than the ceiling, so that at least nothing repeats."""
REPORT = 200
"""Progress is reported every so many places."""
CANDIDATES = 2_000
"""The number of places to consider for one exchange."""


def repair(
    draft: TupleDraft, levels: MeetingLevels, rng: np.random.Generator, listener: Listener | None = None
) -> NDArray[np.intp]:
    """Exchange items of the draft until nothing repeats and no pair meets more often than the ceiling."""
    tuples = draft.tuples.copy()
    known = _Occurrences(tuples, levels.items)
    for turn in range(ROUNDS):
        allowed = levels.ceiling + turn // PATIENCE
        places = _places_at_fault(tuples, levels.items, allowed)
        places = places[~draft.fixed.ravel()[places]]
        if not len(places):
            break
        for done, place in enumerate(rng.permutation(places).tolist()):
            _mend(known, place, allowed, draft.fixed, rng)
            if listener is not None and done % REPORT == 0:
                listener.progress(f"separating pairs, round {turn + 1}", done, len(places))
    return tuples


def _places_at_fault(tuples: NDArray[np.intp], items: int, allowed: int) -> NDArray[np.intp]:
    """One place of every repeated item, of every pair that meets too often, and of every repeated tuple."""
    size = tuples.shape[1]
    found = [_later_twins(np.sort(tuples, axis=1))]
    firsts, keys, lasts = [], [], []
    for one, other in combinations(range(size), 2):
        low, high = np.minimum(tuples[:, one], tuples[:, other]), np.maximum(tuples[:, one], tuples[:, other])
        keys.append(low * items + high)
        firsts.append(np.arange(len(tuples)) * size + one)
        lasts.append(np.arange(len(tuples)) * size + other)
    key, first, last = np.concatenate(keys), np.concatenate(firsts), np.concatenate(lasts)
    _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    bad = (counts[inverse] > allowed) | (key % items == key // items)
    return np.unique(np.concatenate([*found, first[bad], last[bad]]))


def _later_twins(ordered: NDArray[np.intp]) -> NDArray[np.intp]:
    """The first place of every tuple that repeats an earlier one."""
    _, first = np.unique(ordered, axis=0, return_index=True)
    return np.asarray(np.setdiff1d(np.arange(len(ordered)), first) * ordered.shape[1])


class _Occurrences:
    """Tuples with the rows of each item, so that a look at one item does not read all tuples.

    Attributes:
        tuples: item numbers, one row per tuple.
    """

    def __init__(self, tuples: NDArray[np.intp], items: int) -> None:
        self.tuples, self._items = tuples, items
        self._row = np.argsort(tuples.ravel(), kind="stable") // tuples.shape[1]
        self._ends = np.concatenate([[0], np.cumsum(np.bincount(tuples.ravel(), minlength=items))])
        self._moved: dict[int, list[int]] = {}

    def met(self, item: int) -> NDArray[np.int64]:
        """How often each item meets this one."""
        return np.asarray(np.bincount(self._near(item).ravel(), minlength=self._items), dtype=np.int64)

    def has_twin(self, row: int) -> bool:
        """Whether another tuple has the same items."""
        near = self._near(int(self.tuples[row, 0]))
        return bool((np.sort(near, axis=1) == np.sort(self.tuples[row])).all(axis=1).sum() > 1)

    def exchange(self, place: int, other: int) -> None:
        """Exchange the items of two places."""
        flat, size = self.tuples.reshape(-1), self.tuples.shape[1]
        for item, gone, come in ((int(flat[place]), place, other), (int(flat[other]), other, place)):
            rows = self._rows(item)
            rows.remove(gone // size)
            rows.append(come // size)
            self._moved[item] = rows
        flat[[place, other]] = flat[[other, place]]

    def _near(self, item: int) -> NDArray[np.intp]:
        """The tuples of an item, each once."""
        return self.tuples[list(set(self._rows(item)))]

    def _rows(self, item: int) -> list[int]:
        if item in self._moved:
            return self._moved[item]
        return list(self._row[self._ends[item] : self._ends[item + 1]].tolist())


def _mend(known: _Occurrences, place: int, allowed: int, fixed: NDArray[np.bool_], rng: np.random.Generator) -> None:
    """Exchange the item at a place, if the place is still faulty and a harmless exchange is found."""
    tuples = known.tuples
    row, column = divmod(place, tuples.shape[1])
    item, rest = int(tuples[row, column]), np.delete(tuples[row], column)
    met = known.met(item)
    if (met[rest] <= allowed).all() and item not in rest and not known.has_twin(row):
        return
    excluded = np.any([known.met(one) >= allowed for one in rest.tolist()], axis=0)
    excluded[tuples[row]] = True
    crowded = met >= allowed
    crowded[item] = True
    candidates = rng.integers(tuples.size, size=min(CANDIDATES, 4 * tuples.size))
    other = _harmless(tuples, candidates, excluded, crowded, fixed)
    if other is not None:
        known.exchange(place, other)


def _harmless(
    tuples: NDArray[np.intp],
    candidates: NDArray[np.int64],
    excluded: NDArray[np.bool_],
    crowded: NDArray[np.bool_],
    fixed: NDArray[np.bool_],
) -> int | None:
    """The first candidate whose item fits the faulty tuple, and whose tuple has room for the other item."""
    rows = candidates // tuples.shape[1]
    theirs = tuples.reshape(-1)[candidates]
    crowding = crowded[tuples[rows]].sum(axis=1) - crowded[theirs]
    good = np.flatnonzero(~excluded[theirs] & (crowding == 0) & ~fixed.reshape(-1)[candidates])
    return int(candidates[good[0]]) if len(good) else None
