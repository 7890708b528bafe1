"""Which items can be compared at all: the parts into which answers connect them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.plural import counted
from similitude.gold.aggregation.tuple_arrays import Tuples

__all__ = ["Connection", "connect", "named_parts"]

MOST_SHOWN = 3


class Connection(NamedTuple):
    """How answers connect items.

    Attributes:
        parts: the number of the part of each item; items of different parts were never compared, nor with others that
            were.
        loops: the number of the loop of each item: within one, every item won, by a chain of answers, over every
            other. Where a part is not one loop, some items won over the rest and never lost, and no utilities are
            most likely: without a prior they would grow for ever.
    """

    parts: NDArray[np.intp]
    loops: NDArray[np.intp]

    @property
    def has_endless_winners(self) -> bool:
        """Whether some items of a part never lost to its other items."""
        return bool(self.loops.max() > self.parts.max())

    def is_outside_main_loop(self) -> NDArray[np.bool_]:
        """Whether each item lies outside the largest loop of its part."""
        loops, first, sizes = np.unique(self.loops, return_index=True, return_counts=True)
        order = np.lexsort((-sizes, self.parts[first]))
        _, main = np.unique(self.parts[first][order], return_index=True)
        return ~np.isin(self.loops, loops[order][main])


def connect(answers: Tuples) -> Connection:
    """The parts and loops of a graph in which every answer points from the lower item to the higher."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    is_member = answers.members >= 0
    shown = answers.members[is_member]
    best, worst = (np.repeat(named, is_member.sum(axis=1)) for named in (answers.best, answers.worst))
    low, high = np.concatenate([shown, worst]), np.concatenate([best, shown])
    graph = coo_array((np.ones(len(low)), (low, high)), shape=(len(answers.ids),) * 2).tocsr()
    _, parts = connected_components(graph, directed=False)
    _, loops = connected_components(graph, connection="strong")
    return Connection(parts.astype(np.intp), loops.astype(np.intp))


def named_parts(names: list[str], parts: NDArray[np.intp]) -> str:
    """The parts in words: how many, and the first of each.

    >>> named_parts(["a", "b", "c"], np.array([0, 0, 1]))
    '2 parts: (a, b), (c)'
    """
    number = int(parts.max()) + 1
    shown = [
        _first_of([names[place] for place in np.flatnonzero(parts == part)]) for part in range(number)[:MOST_SHOWN]
    ]
    more = f" and {number - MOST_SHOWN:,} more" if number > MOST_SHOWN else ""
    return f"{counted(number, 'part')}: {', '.join(shown)}{more}"


def _first_of(names: list[str]) -> str:
    return f"({', '.join(names[:MOST_SHOWN])}{', ...' if len(names) > MOST_SHOWN else ''})"
