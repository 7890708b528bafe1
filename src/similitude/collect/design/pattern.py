"""Distinct tuples of the numbers 0, 1, ... in which numbers and pairs are balanced and all numbers are connected."""

from __future__ import annotations

from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from similitude.collect.design.balance_pairs import level
from similitude.collect.design.cyclic import turn_base_tuples
from similitude.collect.design.first_tuples import draw
from similitude.collect.design.levels import MeetingLevels
from similitude.collect.design.pair_repair import repair
from similitude.collect.design.parts import can_connect, connect, parts_of
from similitude.data.protocols import Listener

__all__ = ["FEW_ITEMS", "tuple_pattern"]

FEW_ITEMS = 500
"""Up to this many items, a search balances the pairs; beyond, random tuples have few faults, which are repaired."""
CROWDED = 0.6
"""From this ideal on, a cyclic design is tried, because a search by exchanges may fail."""


def tuple_pattern(
    items: int, size: int, tuples: int, rng: np.random.Generator, listener: Listener | None = None
) -> NDArray[np.intp]:
    """This many distinct tuples of the numbers below ``items``, as balanced as the search could make them.

    >>> tuple_pattern(4, 3, 4, np.random.default_rng(0))
    array([[0, 1, 2],
           [0, 1, 3],
           [0, 2, 3],
           [1, 2, 3]])
    """
    every = comb(items, size)
    if tuples > every - tuples:
        return _all_but(items, size, _search(items, size, every - tuples, rng, listener))
    return _search(items, size, tuples, rng, listener)


def _all_but(items: int, size: int, left_out: NDArray[np.intp]) -> NDArray[np.intp]:
    """All tuples except these. The set of all tuples is perfectly balanced, so the rest is as balanced as these."""
    numbers = chain.from_iterable(combinations(range(items), size))
    every = np.fromiter(numbers, dtype=np.intp).reshape(-1, size)
    unwanted = {row.tobytes() for row in np.sort(left_out, axis=1)}
    return every[[row.tobytes() not in unwanted for row in every]]


def _search(
    items: int, size: int, tuples: int, rng: np.random.Generator, listener: Listener | None
) -> NDArray[np.intp]:
    if tuples == 0:
        return np.empty((0, size), dtype=np.intp)
    levels = MeetingLevels(items=items, size=size, tuples=tuples)
    turned = turn_base_tuples(items, size, tuples) if _is_crowded(levels) else None
    if turned is not None and _is_good(turned, levels):
        return turned
    draft = draw(items, size, tuples, rng)
    few = items <= FEW_ITEMS
    found = (level if few else repair)(draft, levels, rng, listener)
    return connect(found, items, draft.fixed, rng) if can_connect(items, size, tuples) else found


def _is_crowded(levels: MeetingLevels) -> bool:
    return levels.items <= FEW_ITEMS and levels.ideal >= CROWDED


def _is_good(tuples: NDArray[np.intp], levels: MeetingLevels) -> bool:
    """Whether all items are connected and pairs are balanced; a cyclic design has no pair above the ceiling."""
    if parts_of(tuples, levels.items).max() > 0:
        return False
    low, high = (tuples[:, list(side)].ravel() for side in zip(*combinations(range(levels.size), 2), strict=True))
    keys = np.minimum(low, high) * levels.items + np.maximum(low, high)
    counts = np.bincount(keys, minlength=levels.items**2).reshape(levels.items, levels.items)
    return levels.unevenness(counts[np.triu_indices(levels.items, 1)]) == 0
