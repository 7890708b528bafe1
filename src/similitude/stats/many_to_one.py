"""Comparisons of many systems with one: is each better than it by more than chance?

Reference: Dunnett (1955), A multiple comparison procedure for comparing several treatments with a control; Dunnett and
Tamhane (1991), Step-down multiple tests for comparing treatments with a control in unbalanced one-way layouts.
"""

from __future__ import annotations

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.max_t import MaxT

__all__ = ["many_to_one_p_values"]


def many_to_one_p_values(statistics: Array, baseline: int, reference: MaxT) -> Array:
    """Corrected one-sided p-values of the comparisons with the baseline, by Dunnett's step-down test.

    The largest difference is compared with the largest of all by chance, the next with the largest of the rest, and so
    on.

    Args:
        statistics: systems, how many standard errors each is above the baseline, or above what is to be refuted.
        baseline: its number.
        reference: the differences if all systems were equally good.

    Returns:
        One p-value per system; nan for the baseline.

    >>> many_to_one_p_values(np.array([0.0, 2.19, 1.0, -0.5]), 0, MaxT(np.eye(4), 20.0)).round(2)
    array([ nan, 0.05, 0.26, 0.69])
    """
    found = np.full(len(statistics), np.nan)
    if len(statistics) > 1:
        others = np.array([row for row in range(len(statistics)) if row != baseline])
        rows = others[np.argsort(-statistics[others], kind="stable")].tolist()
        largest = np.maximum.accumulate(reference.differences(baseline, rows)[::-1])[::-1]
        found[rows] = np.maximum.accumulate(reference.p_values(largest, statistics[rows]))
    return found
