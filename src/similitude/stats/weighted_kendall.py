"""Kendall's tau-b of many resamples at once.

All resamples follow the order of the full sample together. The draws so far are counted by gold level in a Fenwick tree
whose cells are vectors over resamples, which takes n log n vector additions for all resamples. On 3,000 items this is
several times as fast as calling scipy for each resample. It is exact, because all counts are integers.

Reference: Fenwick (1994), A new data structure for cumulative frequency tables.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.levels import Levels, Members, sum_of_members
from similitude.stats.weighted_correlation import by_item

__all__ = ["weighted_kendall"]


def weighted_kendall(weights: Array, gold: Levels, rows: Sequence[Levels]) -> Array:
    """Tau-b of each row with gold in each resample: rows x resamples; nan where a side is constant.

    >>> one, other = (Levels(np.array(order), np.arange(3)) for order in ([0, 1, 2], [0, 2, 1]))
    >>> weighted_kendall(np.array([[1.0, 1.0, 1.0], [3.0, 0.0, 0.0]]), one, [other]).round(4)
    array([[0.3333,    nan]])
    """
    counts = by_item(weights)
    gold_pairs = _pairs_apart(counts, gold)
    found = [_tau(_right_minus_wrong(counts, gold, row), gold_pairs, _pairs_apart(counts, row)) for row in rows]
    return np.stack(found)


class _Passed:
    """The draws so far by gold level, with cumulative counts in log n additions."""

    def __init__(self, levels: int, resamples: int) -> None:
        self.tree = np.zeros((levels, resamples))
        self.at_level = np.zeros((levels, resamples))
        self.total = np.zeros(resamples)
        self._below = [_path_down(level) for level in range(levels)]
        self._above = [_path_up(level, levels) for level in range(levels)]

    def lower_minus_higher(self, level: int) -> Array:
        """The draws below this level minus the draws above it."""
        below = self.tree[self._below[level]].sum(axis=0)
        below *= 2
        below += self.at_level[level]
        below -= self.total
        return np.asarray(below)

    def add(self, level: int, drawn: Array) -> None:
        self.tree[self._above[level]] += drawn
        self.at_level[level] += drawn
        self.total += drawn


def _right_minus_wrong(counts: Array, gold: Levels, row: Levels) -> Array:
    """The number of concordant pairs of draws minus that of discordant pairs."""
    passed, balance = _Passed(gold.starts.size, counts.shape[1]), np.zeros(counts.shape[1])
    gold_level = gold.of_item.tolist()
    for members in row.members:
        level = _items(members)
        for item in level:
            balance += counts[item] * passed.lower_minus_higher(gold_level[item])
        for item in level:
            passed.add(gold_level[item], counts[item])
    return balance


def _pairs_apart(counts: Array, levels: Levels) -> Array:
    """The number of pairs of draws at different levels."""
    totals = counts.sum(axis=0)
    same = np.einsum("nb,nb->b", counts, counts)
    for members in levels.ties:
        same += sum_of_members(counts, members) ** 2 - np.einsum("nb,nb->b", counts[members], counts[members])
    return np.asarray((totals**2 - same) / 2)


def _tau(balance: Array, gold_pairs: Array, row_pairs: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        tau = balance / np.sqrt(gold_pairs) / np.sqrt(row_pairs)
    return np.where((gold_pairs > 0) & (row_pairs > 0), np.clip(tau, -1.0, 1.0), np.nan)


def _items(members: Members) -> list[int]:
    return [members] if isinstance(members, int) else members.tolist()


def _path_down(level: int) -> list[int]:
    """The cells of the tree whose sum is the count of all levels below this one."""
    path = []
    while level > 0:
        path.append(level)
        level -= level & -level
    return path


def _path_up(level: int, levels: int) -> list[int]:
    """The cells of the tree that include this level, but for one that includes all, which no path leads down to."""
    path, cell = [], level + 1
    while cell < levels:
        path.append(cell)
        cell += cell & -cell
    return path
