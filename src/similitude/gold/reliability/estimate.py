"""Estimates: a figure with its interval, or the reason why it is undefined."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats import holding, percentile_interval
from similitude.stats.arrays import Array

__all__ = ["Estimate", "estimate_of", "undefined"]

UNDEFINED_LIMIT = 0.1
"""If a larger share of resamples leaves the figure undefined, it gets no interval."""

_NAN = float("nan")


class Estimate(NamedTuple):
    """A figure with its interval.

    Attributes:
        value: the figure; nan where it is undefined.
        low: lower end of the interval; nan where there is none.
        high: upper end.
        reason: why the figure or its interval is undefined, or a caveat; else None.
    """

    value: float
    low: float = _NAN
    high: float = _NAN
    reason: str | None = None

    @property
    def is_defined(self) -> bool:
        """Whether the figure is a number.

        >>> Estimate(0.5).is_defined, undefined("there is one rater only").is_defined
        (True, False)
        """
        return self.value == self.value


def undefined(reason: str) -> Estimate:
    """An undefined figure, with the reason.

    >>> undefined("there is one rater only")
    Estimate(value=nan, low=nan, high=nan, reason='there is one rater only')
    """
    return Estimate(_NAN, reason=reason)


def estimate_of(value: float, distribution: Array, level: float) -> Estimate:
    """A figure with the percentile interval of its resampled values; without one if too many of them are undefined.

    >>> estimate_of(2.0, np.array([1.0, 2.0, np.nan]), 0.9).reason
    'no interval: the figure is undefined in 1 of 3 resamples'
    """
    known = distribution[np.isfinite(distribution)]
    unknown = distribution.size - known.size
    if not np.isfinite(value):
        return Estimate(value)
    if unknown > UNDEFINED_LIMIT * distribution.size:
        reason = f"no interval: the figure is undefined in {unknown:,} of {distribution.size:,} resamples"
        return Estimate(value, reason=reason)
    low, high, why = holding(percentile_interval(known, level), value)
    note = f"left out {unknown:,} of {distribution.size:,} resamples in which the figure is undefined"
    return Estimate(value, low, high, note if unknown else why)
