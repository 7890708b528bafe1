"""The graph of best-worst comparisons: which items the answers connect, and so make comparable."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.data.plural import counted
from similitude.gold.aggregation.tuple_arrays import Tuples
from similitude.stats.arrays import Booleans, Integers

__all__ = ["ComparisonGraph", "comparison_graph", "named_parts"]

MOST_SHOWN = 3


class ComparisonGraph(NamedTuple):
    """Connected components of the comparisons.

    Attributes:
        parts: the connected component of each item; no chain of comparisons joins items of different parts.
        loops: the strongly connected component of each item: inside it, a chain of wins leads from every item to
            every other. If a part has several loops, some items never lost to the rest, and the maximum
            likelihood does not exist without a prior: their utilities would grow without bound.
    """

    parts: Integers
    loops: Integers

    @property
    def has_unbeaten_items(self) -> bool:
        """Whether some items of a part never lost to its other items."""
        return bool(self.loops.max() > self.parts.max())

    def is_outside_main_loop(self) -> Booleans:
        """Whether each item lies outside the largest loop of its part."""
        loops, first, sizes = np.unique(self.loops, return_index=True, return_counts=True)
        order = np.lexsort((-sizes, self.parts[first]))
        _, main = np.unique(self.parts[first][order], return_index=True)
        return ~np.isin(self.loops, loops[order][main])


def comparison_graph(answers: Tuples) -> ComparisonGraph:
    """Parts and loops of the graph in which every answer points from the lower item to the higher."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    is_member = answers.members >= 0
    shown = answers.members[is_member]
    best, worst = (np.repeat(named, is_member.sum(axis=1)) for named in (answers.best, answers.worst))
    low, high = np.concatenate([shown, worst]), np.concatenate([best, shown])
    graph = coo_array((np.ones(len(low)), (low, high)), shape=(len(answers.ids),) * 2).tocsr()
    _, parts = connected_components(graph)
    _, loops = connected_components(graph, connection="strong")
    return ComparisonGraph(parts.astype(np.intp), loops.astype(np.intp))


def named_parts(names: list[str], parts: Integers) -> str:
    """The number of parts, and the first names of each.

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
