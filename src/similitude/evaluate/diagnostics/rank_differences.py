"""How much the choice of measure changes the ranks of systems: Table 1 of the task-oriented paper, for any run.

Reference: Reimers, Beyer and Gurevych (2016), section 2.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from similitude.evaluate.measures import Figure, Measure
from similitude.stats import average_ranks, competition_ranks
from similitude.stats.arrays import Array, Integers

__all__ = ["RankDifferences", "rank_differences", "system_ranks"]


class RankDifferences(NamedTuple):
    """Measures x measures.

    Attributes:
        mean: mean absolute difference between a system's ranks under the two measures; nan if fewer than two systems
            have a figure on both.
        largest: the largest such difference.
        systems: number of systems with a figure on both; only these are ranked.
        mover: index of the system that moved farthest; -1 if none moved.
    """

    mean: Array
    largest: Array
    systems: Integers
    mover: Integers


def system_ranks(
    figures: Sequence[Sequence[Figure]],
    measures: Sequence[Measure],
    *,
    ties: Literal["average", "lowest"] = "average",
) -> Array:
    """The rank of every system under every measure, systems x measures: 1 = best, nan where undefined.

    Args:
        figures: systems x measures.
        measures: the measures, which define the better direction.
        ties: systems with equal figures share the "average" of their ranks, or the "lowest", as in printed tables.
    """
    rank = average_ranks if ties == "average" else _printed_ranks
    losses = _losses(figures, measures)
    ranks = np.full(losses.shape, np.nan)
    for column, is_defined in enumerate(~np.isnan(losses.T)):
        ranks[is_defined, column] = rank(losses[is_defined, column])
    return ranks


def rank_differences(figures: Sequence[Sequence[Figure]], measures: Sequence[Measure]) -> RankDifferences:
    """Mean and largest absolute difference of ranks, for each pair of measures.

    A system without a figure on one of the two measures is left out of that pair, and the others are ranked among
    themselves, so an undefined figure never counts as a lost place.

    >>> from similitude.evaluate.measures import make_measure
    >>> figures = [[Figure(0.9), Figure(0.4)], [Figure(0.8), Figure(0.1)], [Figure(0.7), Figure(0.2)]]
    >>> # pearson: 1 2 3; mae, where lower is better: 3 1 2. |1-3| + |2-1| + |3-2| = 4, over 3 systems
    >>> float(rank_differences(figures, [make_measure("pearson"), make_measure("mae")]).mean[0, 1])
    1.333...
    """
    losses = _losses(figures, measures)
    size = len(measures)
    mean, largest = np.full((size, size), np.nan), np.full((size, size), np.nan)
    systems, mover = np.zeros((size, size), dtype=np.intp), np.full((size, size), -1, dtype=np.intp)
    for one, other in np.ndindex(size, size):
        both = np.flatnonzero(~np.isnan(losses[:, one]) & ~np.isnan(losses[:, other]))
        systems[one, other] = both.size
        if both.size > 1:
            gaps = np.abs(average_ranks(losses[both, one]) - average_ranks(losses[both, other]))
            mean[one, other], largest[one, other] = gaps.mean(), gaps.max()
            mover[one, other] = both[gaps.argmax()] if gaps.max() > 0 else -1
    return RankDifferences(mean, largest, systems, mover)


def _losses(figures: Sequence[Sequence[Figure]], measures: Sequence[Measure]) -> Array:
    """Systems x measures, with signs such that lower is better."""
    values = np.array([[figure.value for figure in row] for row in figures], dtype=np.float64)
    signs = np.array([-1.0 if measure.higher_is_better else 1.0 for measure in measures])
    return np.asarray(values.reshape(len(figures), len(measures)) * signs)


def _printed_ranks(losses: Array) -> Array:
    return competition_ranks(-losses).astype(np.float64)
