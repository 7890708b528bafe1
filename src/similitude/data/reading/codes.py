"""Codes among numbers: values that stand for something that is missing, and running numbers that are no scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["far_values", "finite_values", "is_running_number", "lone_outlier", "suspicious_code"]

NEGATIVE_CODES = (-1.0, -2.0, -7.0, -8.0, -9.0, -77.0, -88.0, -98.0, -99.0, -888.0, -998.0, -999.0, -9999.0)
POSITIVE_CODES = (9.0, 77.0, 88.0, 98.0, 99.0, 255.0, 777.0, 888.0, 998.0, 999.0, 9999.0, 32767.0, 65535.0, 99999.0)
"""Numbers that questionnaires, statistics packages and hidden test sets use for a missing value.

255 and 65535 are what -1 becomes in a type of number that has no sign.
"""

FEW = 10
"""With fewer numbers, a 9 among 1 to 5 is no evidence of a code."""

SAMPLED = 1000
FAR = 3.0
"""A usual code is suspicious if it lies this many ranges of all other numbers away from them."""

BEYOND = 100.0
"""Any number is suspicious if it lies this many ranges of all other numbers away from them."""


def suspicious_code(values: NDArray[np.float64]) -> float | None:
    """A number that is likely to be a code for a missing value, or a slip of the keyboard; None if there is none.

    >>> suspicious_code(np.array([4.0, -1.0, 2.5, 3.0]))
    -1.0
    >>> suspicious_code(np.array([1.0, 2.0, 5.0, 99.0]))
    99.0
    >>> suspicious_code(np.array([-1.0, -0.5, 0.25, 1.0])) is None
    True
    """
    finite = finite_values(values)
    if not len(finite) or finite.min() == finite.max():
        return None
    low, high = float(finite.min()), float(finite.max())
    if low in NEGATIVE_CODES and finite[finite != low].min() >= 0:
        return low
    ends = [end for end in (high, low) if _may_be_far(end, finite)]
    return next((end for end in ends if _is_far(end, finite[finite != end], len(finite))), None)


def lone_outlier(values: NDArray[np.float64]) -> float | None:
    """The highest or lowest number if it occurs once and lies `FAR` ranges of all others away, such as 45 for 4.5.

    >>> lone_outlier(np.array([1.5, 2.0, 5.0, 45.0, 3.0, 4.0, 1.0, 2.5, 3.5, 4.5]))
    45.0
    """
    finite = finite_values(values)
    if len(finite) < FEW or not _may_have_outlier(finite):
        return None
    lowest, low, high, highest = np.partition(finite, (0, 1, -2, -1))[[0, 1, -2, -1]].tolist()
    if highest - high >= FAR * max(high - lowest, 1.0):
        return float(highest)
    return float(lowest) if low - lowest >= FAR * max(highest - low, 1.0) else None


def far_values(values: NDArray[np.float64], most: float = 0.5) -> NDArray[np.float64]:
    """The different values of a part of the numbers that lies `BEYOND` ranges of all others away, such as dates.

    A spreadsheet turns 2-Feb into the number of a day, 44594.

    >>> far_values(np.array([1.0, 44594.0, 2.0, 5.0, 4.0, 44622.0]))
    array([44594., 44622.])

    Args:
        values: the numbers.
        most: the largest part of them that may be meant.
    """
    finite = finite_values(values)
    none = np.empty(0)
    if len(finite) < FEW // 2:
        return none
    low, high = float(finite.min()), float(finite.max())
    room = (high - low) / BEYOND
    for near in (finite <= low + room, finite >= high - room):
        others, far = finite[near], finite[~near]
        if not 0 < len(far) <= most * len(finite):
            continue
        width = max(float(others.max() - others.min()), 1.0)
        if min(abs(far.min() - others.max()), abs(others.min() - far.max())) >= BEYOND * width:
            return np.unique(far)
    return none


def finite_values(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The finite values; the array itself if they all are, so that nothing is copied."""
    finite = np.isfinite(values)
    return values if finite.all() else values[finite]


def _may_be_far(end: float, values: NDArray[np.float64]) -> bool:
    """Whether `_is_far` has to look at all numbers; some tell already that an end that is no code is not far."""
    some = values[:SAMPLED]
    some = some[some != end]
    if end in POSITIVE_CODES + NEGATIVE_CODES or not len(some):
        return True
    low, high = float(some.min()), float(some.max())
    return bool(min(abs(end - low), abs(end - high)) >= BEYOND * max(high - low, 1.0))


def _may_have_outlier(values: NDArray[np.float64]) -> bool:
    """Whether at most one number lies in the upper or the lower part of the range; found out without sorting."""
    low, high = values.min(), values.max()
    part = (high - low) / 3
    return bool(np.count_nonzero(values > low + part) < 2 or np.count_nonzero(values < high - part) < 2)


def _is_far(end: float, others: NDArray[np.float64], count: int) -> bool:
    """Whether an end of the numbers lies so far from all others that it cannot be on their scale.

    Args:
        end: the lowest or highest number.
        others: all numbers but this one.
        count: how many numbers there are, with this one.
    """
    low, high = float(others.min()), float(others.max())
    width = max(high - low, 1.0)
    gap = min(abs(end - low), abs(end - high))
    if count > 2 and gap >= BEYOND * width:
        return True
    if end not in POSITIVE_CODES + NEGATIVE_CODES or low == high:
        return False
    whole = bool((others % 1 == 0).all())
    return gap >= FAR * width or (whole and gap >= width and count >= FEW and high <= 7)


def is_running_number(values: NDArray[np.float64], least: int = 4) -> bool:
    """Whether numbers count the rows: each one more (or one less) than the number before.

    >>> is_running_number(np.array([1.0, 2.0, 3.0, 4.0])), is_running_number(np.array([1.0, 2.0, 4.0, 3.0]))
    (True, False)

    Args:
        values: the numbers in the order of rows.
        least: with fewer numbers than this, the answer is no.
    """
    if len(values) < least or not np.isfinite(values).all():
        return False
    if np.abs(np.diff(values[:least])).max() != 1:
        return False
    steps = np.diff(values)
    return bool((steps == 1).all() or (steps == -1).all())
