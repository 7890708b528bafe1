"""Comparisons of many systems with one baseline.

Reference: Dunnett (1955), A multiple comparison procedure for comparing several treatments with a control; Dunnett and
Tamhane (1991), Step-down multiple tests for comparing treatments with a control in unbalanced one-way layouts.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.max_t import MaxT

__all__ = ["many_to_one_critical_value", "many_to_one_p_values", "many_to_one_step_values"]

Sides = Literal["one", "two"]


def many_to_one_p_values(statistics: Array, baseline: int, reference: MaxT, *, sides: Sides = "two") -> Array:
    """Corrected p-values of the comparisons with the baseline, by Dunnett's step-down test.

    The largest difference is compared with the largest of all by chance, the next with the largest of the rest, and so
    on. The family-wise error rate is that of the comparisons with the baseline, not of all pairs.

    Args:
        statistics: systems, how many standard errors each is above the baseline (or above what is to be refuted).
        baseline: its number.
        reference: the differences if all systems were equally good.
        sides: "two" for any difference, "one" for positive ones.

    Returns:
        One p-value per system; nan for the baseline.

    >>> many_to_one_p_values(np.array([0.0, 2.54, 1.0, -0.5]), 0, MaxT(np.eye(4), 20.0)).round(2)
    array([ nan, 0.05, 0.51, 0.62])
    """
    found = np.full(len(statistics), np.nan)
    if len(statistics) > 1:
        rows, observed, largest = _steps(statistics, baseline, reference, sides)
        found[rows] = np.maximum.accumulate(reference.p_values(largest, observed))
    return found


def many_to_one_critical_value(baseline: int, others: list[int], reference: MaxT, level: float) -> float:
    """What no difference from the baseline exceeds, in standard errors, with probability ``level``: Dunnett's d.

    >>> round(many_to_one_critical_value(0, [1, 2, 3], MaxT(np.eye(4), 20.0), 0.95), 2)  # Dunnett (1955): 2.54
    2.54
    """
    return reference.critical_value(_differences(reference, baseline, others, "two").max(axis=0), level)


def many_to_one_step_values(
    statistics: Array, baseline: int, wanted: list[int], reference: MaxT, level: float
) -> dict[int, float]:
    """What the difference of each wanted system has to exceed once all that are clearer are decided, to about .03."""
    rows, _, largest = _steps(statistics, baseline, reference, "two")
    places = [place for place, row in enumerate(rows) if row in wanted]
    found = reference.rough_critical_values(largest[places], level)
    return dict(zip((rows[place] for place in places), found.tolist(), strict=True))


def _steps(statistics: Array, baseline: int, reference: MaxT, sides: Sides) -> tuple[list[int], Array, Array]:
    """The systems, clearest difference first, the differences, and at each step the largest of the rest by chance."""
    others = np.array([row for row in range(len(statistics)) if row != baseline])
    observed = statistics[others] if sides == "one" else np.abs(statistics[others])
    order = np.argsort(-observed, kind="stable")
    rows = [int(row) for row in others[order]]
    differences = _differences(reference, baseline, rows, sides)
    return rows, observed[order], np.asarray(np.maximum.accumulate(differences[::-1])[::-1])


def _differences(reference: MaxT, baseline: int, others: list[int], sides: Sides) -> Array:
    found = reference.differences(baseline, others)
    return found if sides == "one" else np.abs(found)
