"""Levelling many items: chance alone makes few pairs meet too often; each is taken apart by one exchange.

Of 2N four-tuples drawn at random, about 144 pairs meet twice, however large N is. An exchange is taken if nothing in
the two new tuples meets more often than allowed, so that every exchange mends a fault and makes none.
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
"""After so many rounds pairs may meet once more than they should, so that at least nothing repeats."""
CANDIDATES = 2_000
"""Places looked at for one exchange."""


def repair(draft: TupleDraft, levels: MeetingLevels, rng: np.random.Generator) -> NDArray[np.intp]:
    """The draft with items exchanged until nothing repeats and no pair meets more often than the ceiling."""
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
    """One place of every pair that repeats an item or meets too often, and of every tuple that exists already."""
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
    """The first place of every tuple that stands there a second time."""
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
    """Exchange the item at a place with one elsewhere, if it is still at fault and a harmless exchange is found."""
    size = tuples.shape[1]
    row, column = divmod(place, size)
    item, rest = tuples[row, column], np.delete(tuples[row], column)
    met = _met(tuples, item, items)
    if (met[rest] <= allowed).all() and item not in rest and not _has_twin(tuples, row):
        return
    unwelcome = np.any([_met(tuples, one, items) >= allowed for one in rest], axis=0)
    unwelcome[tuples[row]] = True
    tired = met >= allowed
    tired[item] = True
    candidates = rng.integers(tuples.size, size=min(CANDIDATES, 4 * tuples.size))
    other = _harmless(tuples, candidates, unwelcome, tired, fixed)
    if other is not None:
        flat = tuples.reshape(-1)
        flat[[place, other]] = flat[[other, place]]


def _harmless(
    tuples: NDArray[np.intp],
    candidates: NDArray[np.int64],
    unwelcome: NDArray[np.bool_],
    tired: NDArray[np.bool_],
    fixed: NDArray[np.bool_],
) -> int | None:
    """The first place whose item is welcome in the faulty tuple, in a tuple with none that the other is tired of."""
    rows = candidates // tuples.shape[1]
    theirs = tuples.reshape(-1)[candidates]
    tiring = tired[tuples[rows]].sum(axis=1) - tired[theirs]
    good = np.flatnonzero(~unwelcome[theirs] & (tiring == 0) & ~fixed.reshape(-1)[candidates])
    return int(candidates[good[0]]) if len(good) else None


def _met(tuples: NDArray[np.intp], item: np.intp, items: int) -> NDArray[np.int64]:
    """How often each item meets this one."""
    return np.asarray(np.bincount(tuples[(tuples == item).any(axis=1)].ravel(), minlength=items), dtype=np.int64)


def _has_twin(tuples: NDArray[np.intp], row: int) -> bool:
    near = tuples[(tuples == tuples[row, 0]).any(axis=1)]
    return bool((np.sort(near, axis=1) == np.sort(tuples[row])).all(axis=1).sum() > 1)
