"""Exact nearest neighbours of some rows, block by block: what an index is measured against."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.neighbours.directed_pairs import BestPairs, Pairs
from similitude.collect.candidates.neighbours.restrictions import Restrictions

__all__ = ["exact_pairs"]

BLOCK = 4_096
FIRST = 256
"""The first block is small: until it is seen there are no floors, and all of it is sorted."""

QUERIES = 512


def exact_pairs(
    vectors: NDArray[np.float32],
    rows: NDArray[np.int64],
    k: int,
    restrictions: Restrictions,
    among: NDArray[np.int64] | None = None,
) -> Pairs:
    """The ``k`` nearest rows of each of some rows, by cosine, as directed pairs sorted by row.

    Args:
        vectors: unit vectors, perhaps mapped from a file.
        rows: whose neighbours are wanted, each once.
        k: how many; a row has fewer if it may be paired with fewer.
        restrictions: which rows may be paired.
        among: where neighbours are looked for, ascending; by default all rows.
    """
    rows = rows[restrictions.is_usable[rows]]
    among = np.arange(len(vectors)) if among is None else among
    best = BestPairs(k)
    for start in range(0, len(rows), QUERIES):
        _add_neighbours(best, vectors, rows[start : start + QUERIES], k, restrictions, among)
    return best.best()


def _add_neighbours(
    best: BestPairs,
    vectors: NDArray[np.float32],
    rows: NDArray[np.int64],
    k: int,
    restrictions: Restrictions,
    among: NDArray[np.int64],
) -> None:
    """One pass over the others for a few rows; a row's floor rises to the k-th best cosine of each block seen."""
    queries = np.ascontiguousarray(vectors[rows])
    floors = np.full(len(rows), -np.inf, np.float32)
    for start, end in pairwise([0, *range(FIRST, len(among), BLOCK), len(among)]):
        block = among[start:end]
        cosines = queries @ _rows(vectors, block).T
        query, column = np.nonzero(cosines >= floors[:, None])
        is_allowed = restrictions.allow(rows[query], block[column])
        query, column = query[is_allowed], column[is_allowed]
        found = cosines[query, column]
        best.add(rows[query], block[column], found)
        _raise_floors(floors, query, found, k)


def _rows(vectors: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """Some ascending rows, without a copy if they follow each other."""
    if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
        return vectors[rows[0] : rows[-1] + 1]
    return vectors[rows]


def _raise_floors(floors: NDArray[np.float32], query: NDArray[np.intp], found: NDArray[np.float32], k: int) -> None:
    """Raise each query's floor to the k-th of the cosines just found for it, if there are as many."""
    order = np.lexsort((-found, query))
    query, found = query[order], found[order]
    starts = np.searchsorted(query, np.arange(len(floors)))
    places = starts + k - 1
    has_k = np.zeros(len(floors), bool)
    inside = places < len(query)
    has_k[inside] = query[places[inside]] == np.flatnonzero(inside)
    floors[has_k] = np.maximum(floors[has_k], found[places[has_k]])
