"""How many more items, or groups, would decide between systems."""

from __future__ import annotations

import math
from collections.abc import Sequence

from similitude import stats
from similitude.evaluate.significance.evidence import Evidence

__all__ = ["POWER", "more_units"]

POWER = 0.8
"""The chance to decide."""
MOST_TIMES = 1000
"""If more than so many times the units were needed, no number is given."""


def more_units(evidence: Evidence, one: int, others: Sequence[int]) -> int | None:
    """How many more units would decide, to two digits; None if none are needed, or if no number would do.

    Args:
        evidence: on one measure.
        one: a system.
        others: those from all of which it is to differ.
    """
    if not others or not {one, *others} <= set(evidence.known):
        return None
    place = evidence.known.index(one)
    needed = max(
        stats.units_for_power(
            float(evidence.statistics[place, evidence.known.index(other)]),
            float(evidence.criticals[one, other]),
            evidence.units,
            POWER,
        )
        for other in others
    )
    more = needed - evidence.units
    return _two_digits(more) if 0 < more <= MOST_TIMES * evidence.units else None


def _two_digits(number: float) -> int:
    """A number of units rounded up to two digits.

    >>> [_two_digits(number) for number in (0.3, 7.2, 41.0, 683.2, 12345.0)]
    [1, 8, 41, 690, 13000]
    """
    unit = int(10 ** max(0, math.floor(math.log10(number)) - 1))
    return math.ceil(number / unit) * unit
