"""Sets of items that comparisons connect. Scores of items in different sets cannot be compared."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["can_connect", "connect", "parts_of"]

TRIES = 200
"""The number of exchanges to try for each part."""


def parts_of(tuples: NDArray[np.intp], items: int) -> NDArray[np.int32]:
    """The part of each item, as a number; items of one tuple are in the same part.

    >>> parts_of(np.array([[0, 1], [1, 2], [3, 4]]), 5)
    array([0, 0, 0, 1, 1], dtype=int32)
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first = np.repeat(tuples[:, 0], tuples.shape[1] - 1)
    edges = (np.ones(len(first), np.int8), (first, tuples[:, 1:].ravel()))
    _, labels = connected_components(coo_array(edges, shape=(items, items)), directed=False)
    return np.asarray(labels, dtype=np.int32)


def can_connect(items: int, size: int, tuples: int) -> bool:
    """Whether the tuples can connect the items: the first adds ``size`` items, and each further one adds one fewer.

    >>> can_connect(25, 4, 8), can_connect(26, 4, 8)
    (True, False)
    """
    return tuples * (size - 1) >= items - 1


def connect(
    tuples: NDArray[np.intp], items: int, fixed: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.intp]:
    """Exchange items until all are connected, within a limited number of tries.

    An exchange between two parts repeats no item, pair or tuple, because items of different parts have never met. It
    joins the parts unless it splits one of them; then it is undone.
    """
    joined = tuples.copy()
    labels = parts_of(joined, items)
    for _ in range(TRIES * int(labels.max())):
        if labels.max() == 0:
            break
        places = _places_in_two_parts(joined, labels, fixed, rng)
        if places is None:
            break
        _exchange(joined, *places)
        after = parts_of(joined, items)
        if after.max() < labels.max():
            labels = after
        else:
            _exchange(joined, *places)
    return joined


def _places_in_two_parts(
    tuples: NDArray[np.intp], labels: NDArray[np.int32], fixed: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[int, int] | None:
    """A place in the smallest part and a place in another, neither of them fixed."""
    part = np.where(fixed, -1, labels[tuples]).ravel()
    smallest = np.bincount(labels).argmin()
    inside, outside = np.flatnonzero(part == smallest), np.flatnonzero((part != smallest) & (part >= 0))
    if not (len(inside) and len(outside)):
        return None
    return int(rng.choice(inside)), int(rng.choice(outside))


def _exchange(tuples: NDArray[np.intp], one: int, other: int) -> None:
    flat = tuples.reshape(-1)
    flat[[one, other]] = flat[[other, one]]
