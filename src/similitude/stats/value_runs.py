"""Optimal division of sorted values into runs, for very many samples at once.

In one dimension, clusters are runs of neighbours, so dynamic programming over their ends finds the optimum (Fisher,
1958; Wang and Song, 2011).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array

__all__ = ["Divide", "RunTable", "best_runs", "least_squares", "most_likely_runs", "run_table"]

Divide = Callable[[Array, Array, int, float], Array]
"""The cost of each run, given sizes and variances of runs, the number of values in a sample and the least sigma."""

MOST_ENDS = 32
"""The most places at which runs may end; in longer samples they are evenly spaced."""


def least_squares(sizes: Array, variances: Array, values: int, floor: float) -> Array:
    """The sum of squares around the mean of a run, which k-means minimises."""
    return sizes * variances


def most_likely_runs(sizes: Array, variances: Array, values: int, floor: float) -> Array:
    """Minus the classification log-likelihood of a run: under its own Gaussian, with the share of its size."""
    floored = np.maximum(variances, floor**2)
    return np.asarray(sizes * (0.5 * (np.log(floored) + variances / floored) - np.log(sizes / values)))


class RunTable(NamedTuple):
    """All runs between two places at which runs may end.

    Attributes:
        ends: the places, from 0 to the number of values.
        sizes: ends x ends x 1; 1 if the second end is not after the first.
        variances: ends x ends x samples.
        is_run: ends x ends x 1, whether the second end is after the first.
    """

    ends: NDArray[np.intp]
    sizes: Array
    variances: Array
    is_run: NDArray[np.bool_]


def run_table(ordered: Array) -> RunTable:
    """Sizes and variances of all runs.

    Args:
        ordered: values x samples, each sample sorted.
    """
    values = len(ordered)
    ends = np.unique(np.linspace(0, values, min(values, MOST_ENDS) + 1).round().astype(np.intp))
    sizes = (ends[None, :] - ends[:, None])[:, :, None].astype(np.float64)
    safe = np.maximum(sizes, 1.0)
    sums, squares = (np.insert(np.cumsum(powers, axis=0), 0, 0.0, axis=0)[ends] for powers in (ordered, ordered**2))
    means = (sums[None] - sums[:, None]) / safe
    variances = np.maximum((squares[None] - squares[:, None]) / safe - means**2, 0.0)
    return RunTable(ends, safe, variances, sizes > 0)


def best_runs(table: RunTable, runs: int, divide: Divide, floor: float) -> NDArray[np.intp]:
    """The ends of the runs in the division of each sample with the lowest cost.

    Args:
        table: all runs of the samples.
        runs: the number of runs; at most the number of values, and 32.
        divide: the cost of a run.
        floor: the least standard deviation, for costs that use one.

    Returns:
        Runs + 1 x samples: 0, the end of the first run, ..., the number of values.

    >>> best_runs(run_table(np.array([[1.0], [1.1], [4.0], [4.1]])), 2, least_squares, 0.1).ravel()
    array([0, 2, 4])
    """
    samples = table.variances.shape[2]
    places = [np.full(samples, len(table.ends) - 1)]
    if runs > 1:
        costs = np.where(table.is_run, divide(table.sizes, table.variances, int(table.ends[-1]), floor), np.inf)
        cheapest, chosen = costs[0], []
        for _ in range(runs - 2):
            extended = cheapest[:, None] + costs
            chosen.append(extended.argmin(axis=0))
            cheapest = extended.min(axis=0)
        places.append((cheapest + costs[:, -1]).argmin(axis=0))
        for back in reversed(chosen):
            places.append(np.take_along_axis(back, places[-1][None], axis=0)[0])
    first = np.zeros(samples, dtype=np.intp)
    return np.asarray(table.ends[np.array([first, *reversed(places)])])
