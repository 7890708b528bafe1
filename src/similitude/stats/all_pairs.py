"""All pairs of estimates compared together: the step-down test by the largest of many correlated t.

Reference: Romano and Wolf (2005), Exact and approximate stepdown methods for multiple hypothesis testing; Hothorn,
Bretz and Westfall (2008), Simultaneous inference in general parametric models.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Integers
from similitude.stats.max_t import MaxT
from similitude.stats.student_t import t_point

__all__ = ["StepDown", "step_down"]

AT_ONCE = 64
"""So many pairs are looked up together."""
MOST_ROOTS = 12
"""Critical values are computed at so many steps, and interpolated between."""


class StepDown(NamedTuple):
    """What the step-down test says of all pairs; both matrices are symmetric.

    Attributes:
        p_values: corrected, systems x systems; nan for pairs without a statistic.
        criticals: what the difference of a pair has to exceed, in standard errors, once all pairs that are clearer are
            decided. For pairs that are not decided it is the value at the step where the test stops.
    """

    p_values: Array
    criticals: Array


def step_down(statistics: Array, reference: MaxT, level: float) -> StepDown:
    """Compare all pairs.

    The largest difference is compared with the largest of all pairs by chance; if it is decided, the next is compared
    with the largest of the rest, and so on. The chance that any pair of equal estimates is decided is at most 1 -
    ``level``. For two estimates it is the t test.

    Args:
        statistics: systems x systems, how many standard errors two systems differ, of either sign; nan for pairs that
            are left out.
        reference: the same differences if all systems were equally good.
        level: 1 - the chance to decide anything wrongly.

    >>> statistics = np.array([[0.0, 2.2, 5.0], [-2.2, 0.0, 4.0], [-5.0, -4.0, 0.0]])
    >>> found = step_down(statistics, MaxT(np.eye(3), 100.0), 0.95)
    >>> found.p_values[[0, 0, 1], [1, 2, 2]].round(3), found.criticals[[0, 0, 1], [1, 2, 2]].round(1)
    (array([0.03, 0.  , 0.  ]), array([2. , 2.4, 2.2]))
    """
    rows, columns = np.triu_indices(len(statistics), 1)
    sizes = np.abs(statistics[rows, columns])
    order = np.argsort(-sizes, kind="stable")  # nan comes last
    order = order[: np.count_nonzero(~np.isnan(sizes))]
    rows, columns, sizes = rows[order], columns[order], sizes[order]
    p_values, criticals = np.full((2, *statistics.shape), np.nan)
    if order.size:
        corrected = np.maximum.accumulate(_p_values(rows, columns, sizes, reference))
        decided = int(np.count_nonzero(corrected <= 1 - level))
        alone = t_point((1 - level) / 2, reference.freedom)
        steps = np.maximum(_critical_values(rows, columns, min(decided, order.size - 1), reference, level), alone)
        for matrix, found in ((p_values, corrected), (criticals, steps)):
            matrix[rows, columns] = matrix[columns, rows] = found
    return StepDown(p_values, criticals)


def _p_values(rows: Integers, columns: Integers, sizes: Array, reference: MaxT) -> Array:
    """Of each pair against the largest of itself and those after it."""
    found, rest = np.empty(sizes.size), np.zeros(reference.directions)
    for last in range(sizes.size, 0, -AT_ONCE):
        first = max(0, last - AT_ONCE)
        largest = np.empty((last - first, reference.directions))
        for place in range(last - 1, first - 1, -1):
            rest = np.maximum(rest, np.abs(reference.differences(int(rows[place]), [int(columns[place])])[0]))
            largest[place - first] = rest
        found[first:last] = reference.p_values(largest, sizes[first:last])
    return found


def _critical_values(rows: Integers, columns: Integers, last: int, reference: MaxT, level: float) -> Array:
    """Of each pair; all that come after the last step have its value."""
    places = np.unique(np.geomspace(1, last + 1, MOST_ROOTS).round().astype(np.intp)) - 1
    rest, largest = np.zeros(reference.directions), {}
    for place in range(rows.size - 1, -1, -1):
        rest = np.maximum(rest, np.abs(reference.differences(int(rows[place]), [int(columns[place])])[0]))
        if place in places:
            largest[place] = rest
    values = [reference.critical_value(largest[place], level, 0.001) for place in places.tolist()]
    return np.asarray(np.interp(np.arange(rows.size), places, values))
