"""Balance the places of items: every item stands in every place of its tuples equally often, give or take one.

A tuple with its k places and an item with its appearances are the two ends of edges. Each item is cut into parts of k
appearances, so that no node has more than k edges. By König's theorem the edges of such a graph have a colouring in k
colours in which no two edges of a node are alike. A colour is a place: every tuple has each place once, and every part
of an item has each place once (the last, smaller part at most once).

The graph is filled up with empty tuples until every node has k edges. If k is even, its edges are halved: paired at
every node, they form closed walks, and every second edge of a walk belongs to the first half (Euler), so that every
node has k / 2 edges in either. If k is odd, a perfect matching is one colour; without it every node has k - 1 edges.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["balance_places", "place_counts"]


def balance_places(tuples: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    """The same tuples with their items in an order that balances places.

    Args:
        tuples: item numbers, one row per tuple.
        rng: the source of randomness: of all balanced orders one is drawn, though not with equal chances.

    >>> ordered = balance_places(np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]), np.random.default_rng(0))
    >>> place_counts(ordered, 4)
    array([[1, 1, 1],
           [1, 1, 1],
           [1, 1, 1],
           [1, 1, 1]])
    """
    size = tuples.shape[1]
    shuffled = rng.permuted(tuples, axis=1)
    edges, of_part = _edges(shuffled, rng)
    place = rng.permutation(size)[_coloured(edges, size)][: tuples.size].reshape(tuples.shape)
    found = np.empty_like(tuples)
    np.put_along_axis(found, place, of_part[edges.part[: tuples.size]].reshape(tuples.shape), axis=1)
    return found


def place_counts(tuples: NDArray[np.intp], items: int) -> NDArray[np.int64]:
    """How often each item stands in each place: items x places."""
    size = tuples.shape[1]
    keys = tuples * size + np.arange(size)
    return np.bincount(keys.ravel(), minlength=items * size).reshape(items, size)


class _Edges(NamedTuple):
    """Edges between tuples and parts of items."""

    tuple: NDArray[np.intp]
    part: NDArray[np.intp]

    def at(self, chosen: NDArray[np.bool_]) -> _Edges:
        """Some of the edges."""
        return _Edges(self.tuple[chosen], self.part[chosen])


def _edges(tuples: NDArray[np.intp], rng: np.random.Generator) -> tuple[_Edges, NDArray[np.intp]]:
    """The edges of the graph, those of the tuples first, then those of the empty tuples; and the item of each part."""
    size, flat = tuples.shape[1], tuples.ravel()
    order = rng.permutation(flat.size)
    order = order[np.argsort(flat[order], kind="stable")]
    starts = np.flatnonzero(np.diff(flat[order], prepend=-1))
    nth = np.arange(flat.size) - np.repeat(starts, np.diff(starts, append=flat.size))
    part = np.empty_like(flat)
    part[order] = np.cumsum(nth % size == 0) - 1
    parts = int(part.max()) + 1
    of_part = np.empty(parts, dtype=np.intp)
    of_part[part] = flat
    lacking = size - np.bincount(part, minlength=parts)
    filled = np.concatenate([part, np.repeat(np.arange(parts), lacking)])
    return _Edges(np.repeat(np.arange(parts), size), filled), of_part


def _coloured(edges: _Edges, degree: int) -> NDArray[np.intp]:
    """A colour below ``degree`` for each edge, all edges of a node in different ones; a node has ``degree`` edges."""
    colour = np.zeros(edges.part.size, dtype=np.intp)
    if degree == 1:
        return colour
    chosen = _matched(edges) if degree % 2 else _half(edges)
    used = 1 if degree % 2 else degree // 2
    colour[chosen] = _coloured(edges.at(chosen), used)
    colour[~chosen] = used + _coloured(edges.at(~chosen), degree - used)
    return colour


def _half(edges: _Edges) -> NDArray[np.bool_]:
    """Whether each edge is in the first half, with half of the edges of every node."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    number = edges.part.size
    beside, across = _paired(edges.tuple), _paired(edges.part)
    steps = coo_array((np.ones(number, dtype=np.int8), (np.arange(number), across[beside])), shape=(number, number))
    _, walk = connected_components(steps.tocsr(), directed=False)
    return np.asarray(walk < walk[beside])  # two steps stay on one side of a walk, one step changes it


def _paired(node: NDArray[np.intp]) -> NDArray[np.intp]:
    """For each edge another one of its node; every node has an even number."""
    order = np.argsort(node, kind="stable")
    other = np.empty_like(order)
    other[order[0::2]], other[order[1::2]] = order[1::2], order[0::2]
    return other


def _matched(edges: _Edges) -> NDArray[np.bool_]:
    """Whether each edge is in a perfect matching."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    nodes = int(edges.part.max()) + 1
    number = edges.tuple
    graph = csr_array((np.ones(number.size, dtype=np.int32), (number, edges.part)), shape=(nodes, nodes))
    partner = maximum_bipartite_matching(graph, perm_type="column")
    fitting = np.flatnonzero(edges.part == partner[number])
    _, first = np.unique(number[fitting], return_index=True)  # one of parallel edges
    found = np.zeros(number.size, dtype=np.bool_)
    found[fitting[first]] = True
    return found
