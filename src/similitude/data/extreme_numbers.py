"""Numbers so large or so close together that sums of their squares cannot be computed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["extreme_numbers"]

MOST = 1e50
"""The fourth power of a larger number, or of a smaller difference than its reciprocal, leaves little of the range."""


def extreme_numbers(values: NDArray[np.float64]) -> tuple[str, str] | None:
    """What is wrong with ratings, and the remedy; None if they can be used.

    Args:
        values: ratings, nan where missing.

    >>> extreme_numbers(np.array([1.0, 2.0])), extreme_numbers(np.array([3.0, np.nan]))
    (None, None)
    >>> extreme_numbers(np.array([1e200, 2.0]))
    ('a rating is as large as 1e+200, and its square cannot be computed', 'divide all ratings by a constant')
    >>> extreme_numbers(np.array([1e-200, 2e-200]))
    ('ratings differ by 1e-200 at most, and its square cannot be computed', 'multiply all ratings by a constant')
    """
    low, high = (float(end.reduce(values, axis=None, initial=np.nan)) for end in (np.fmin, np.fmax))
    if np.isnan(low):
        return None
    largest, apart = max(abs(low), abs(high)), high - low
    if largest > MOST:
        return (
            f"a rating is as large as {largest:g}, and its square cannot be computed",
            "divide all ratings by a constant",
        )
    if 0 < apart < 1 / MOST:
        what = f"ratings differ by {apart:g} at most, and its square cannot be computed"
        return what, "multiply all ratings by a constant"
    return None
