"""Near pairs by cells: products of matrices, of which only the cosines above a floor are looked at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.neighbours.directed_pairs import BestPairs, Pairs
from similitude.collect.candidates.neighbours.index import NeighbourIndex

__all__ = ["cell_floors", "cell_pairs"]

VISITORS = 2_048
ASKED = 1
"""How many visitors are asked for a floor, in sizes of the cell."""

NEVER = np.float32(-2.0)
ROUNDING = np.float32(1e-5)
"""By how much the cosine of two vectors may differ from one product of matrices to another."""


def cell_floors(index: NeighbourIndex, cells: range, k: int) -> NDArray[np.float32]:
    """For each position of some cells, its k-th highest cosine among its cell and some visitors; -2 if there are fewer.

    A neighbour of the position must reach it, or it is not among the k nearest.
    """
    return np.concatenate([np.empty(0, np.float32), *(_floors_of(index, cell, k) for cell in cells)])


def _floors_of(index: NeighbourIndex, cell: int, k: int) -> NDArray[np.float32]:
    starts = index.cells.starts
    members = np.arange(starts[cell], starts[cell + 1])
    visitors = _visitors(index, cell)
    step = max(1, len(visitors) // max(1, ASKED * len(members)))
    others = np.concatenate([members, visitors[::step]])
    if len(others) <= k:
        return np.full(len(members), NEVER)
    cosines = index.vectors[members] @ index.vectors[others].T
    cosines[~index.allow(members[:, None], others[None, :])] = NEVER
    return np.partition(cosines, len(others) - k, axis=1)[:, len(others) - k] - ROUNDING


def _visitors(index: NeighbourIndex, cell: int) -> NDArray[np.integer]:
    """The positions that visit a cell."""
    cells = index.cells
    if cells.ends[cell]:
        return np.arange(cells.starts[cell + 1], cells.ends[cell])
    return cells.visitors[cells.visitor_starts[cell] : cells.visitor_starts[cell + 1]]


def cell_pairs(index: NeighbourIndex, cells: range, k: int) -> Pairs:
    """Directed pairs of positions that some cells bring together, at most ``k`` for each position, sorted by it.

    The k nearest of a position are among those of all cells; `best_pairs` of all of them finds them.
    """
    best = BestPairs(k)
    for cell in cells:
        members = np.arange(index.cells.starts[cell], index.cells.starts[cell + 1])
        vectors = index.vectors[members[0] : members[-1] + 1] if len(members) else index.vectors[:0]
        _add_members(best, index, members, vectors)
        visitors = _visitors(index, cell)
        for start in range(0, len(visitors) if len(members) else 0, VISITORS):
            _add_visitors(best, index, visitors[start : start + VISITORS], members, vectors)
    return best.best()


def _add_members(
    best: BestPairs, index: NeighbourIndex, members: NDArray[np.int64], vectors: NDArray[np.float32]
) -> None:
    """Pairs within one cell."""
    cosines = vectors @ vectors.T
    first, second = np.nonzero(cosines >= index.floors[members][:, None])
    is_allowed = index.allow(members[first], members[second])
    first, second = first[is_allowed], second[is_allowed]
    best.add(members[first], members[second], cosines[first, second])


def _add_visitors(
    best: BestPairs,
    index: NeighbourIndex,
    visitors: NDArray[np.integer],
    members: NDArray[np.int64],
    vectors: NDArray[np.float32],
) -> None:
    """Pairs of a cell's members with visitors, in both directions."""
    cosines = np.take(index.vectors, visitors, axis=0) @ vectors.T
    of_visitors, of_members = index.floors[visitors], index.floors[members]
    is_near = cosines >= of_visitors[:, None]
    is_near |= cosines >= of_members
    places = np.flatnonzero(is_near)
    first, second = np.divmod(places, len(members))
    left, right, found = visitors[first], members[second], cosines.ravel()[places]
    is_allowed = index.allow(left, right)
    for_visitor = is_allowed & (found >= of_visitors[first])
    for_member = is_allowed & (found >= of_members[second])
    best.add(left[for_visitor], right[for_visitor], found[for_visitor])
    best.add(right[for_member], left[for_member], found[for_member])
