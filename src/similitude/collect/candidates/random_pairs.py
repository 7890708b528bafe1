"""Random pairs of texts: what a benchmark of near pairs alone would lack."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.neighbours.neighbour_lists import RowPairs
from similitude.collect.candidates.neighbours.restrictions import Restrictions

__all__ = ["random_pairs"]

ROUNDS = 20


def random_pairs(restrictions: Restrictions, count: int, rng: np.random.Generator) -> RowPairs:
    """Distinct pairs of rows that may be paired, the lower row first, sorted.

    The first text of a pair is drawn from all, the second from those of the same part. There are fewer than ``count``
    pairs if so many are hard to find: if few texts may be paired at all.

    Args:
        restrictions: which rows may be paired.
        count: how many pairs.
        rng: draws them.
    """
    rows = np.flatnonzero(restrictions.is_usable)
    rows = rows[np.argsort(restrictions.parts[rows], kind="stable")]
    _, part, sizes = np.unique(restrictions.parts[rows], return_inverse=True, return_counts=True)
    firsts = np.cumsum(sizes) - sizes
    keys = np.empty(0, np.int64)
    for _ in range(ROUNDS if len(rows) > 1 else 0):
        place = rng.integers(len(rows), size=2 * (count - len(keys)) + 16)
        other = firsts[part[place]] + rng.integers(sizes[part[place]])
        keys = _distinct(keys, _keys(rows[place], rows[other], restrictions))[:count]
        if len(keys) == count:
            break
    left, right = np.divmod(np.sort(keys), len(restrictions))
    return RowPairs(left, right)


def _keys(left: NDArray[np.int64], right: NDArray[np.int64], restrictions: Restrictions) -> NDArray[np.int64]:
    """One number for each allowed pair, whichever text comes first."""
    is_allowed = restrictions.allow(left, right)
    low, high = np.minimum(left, right)[is_allowed], np.maximum(left, right)[is_allowed]
    return low * len(restrictions) + high


def _distinct(keys: NDArray[np.int64], more: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers in order of first appearance, each once."""
    everything = np.concatenate([keys, more])
    _, first = np.unique(everything, return_index=True)
    return everything[np.sort(first)]
