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

__all__ = ["repair"]

ROUNDS = 40
PATIENCE = 10
"""After this many rounds, pairs may meet once more than the ceiling, so that at least nothing repeats."""
CANDIDATES = 2_000
"""The number of places to consider for one exchange."""


def repair(draft: TupleDraft, levels: MeetingLevels, rng: np.random.Generator) -> NDArray[np.intp]:
    """Exchange items of the draft until nothing repeats and no pair meets more often than the ceiling."""
    tuples = draft.tuples.copy()
    for turn in range(ROUNDS):
        allowed = levels.ceiling + turn // PATIENCE
        places = _places_at_fault(tuples, levels.items, allowed)
        places = places[~draft.fixed.ravel()[places]]
        if not len(places):
            break
        for place in rng.permutation(places):
            _mend(tuples, int(place), levels.items, allowed, draft.fixed, rng)
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


def _mend(
    tuples: NDArray[np.intp],
    place: int,
    items: int,
    allowed: int,
    fixed: NDArray[np.bool_],
    rng: np.random.Generator,
) -> None:
    """Exchange the item at a place, if the place is still faulty and a harmless exchange is found."""
    size = tuples.shape[1]
    row, column = divmod(place, size)
    item, rest = tuples[row, column], np.delete(tuples[row], column)
    met = _met(tuples, item, items)
    if (met[rest] <= allowed).all() and item not in rest and not _has_twin(tuples, row):
        return
    excluded = np.any([_met(tuples, one, items) >= allowed for one in rest], axis=0)
    excluded[tuples[row]] = True
    crowded = met >= allowed
    crowded[item] = True
    candidates = rng.integers(tuples.size, size=min(CANDIDATES, 4 * tuples.size))
    other = _harmless(tuples, candidates, excluded, crowded, fixed)
    if other is not None:
        flat = tuples.reshape(-1)
        flat[[place, other]] = flat[[other, place]]


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


def _met(tuples: NDArray[np.intp], item: np.intp, items: int) -> NDArray[np.int64]:
    """How often each item meets this one."""
    return np.asarray(np.bincount(tuples[(tuples == item).any(axis=1)].ravel(), minlength=items), dtype=np.int64)


def _has_twin(tuples: NDArray[np.intp], row: int) -> bool:
    near = tuples[(tuples == tuples[row, 0]).any(axis=1)]
    return bool((np.sort(near, axis=1) == np.sort(tuples[row])).all(axis=1).sum() > 1)
