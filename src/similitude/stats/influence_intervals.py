"""Confidence intervals of figures whose influences are known: a standard error, and a scale on which it is constant."""

from __future__ import annotations

import math

import numpy as np

from similitude.stats.arrays import Array, Integers
from similitude.stats.intervals import Interval

__all__ = ["attenuated_interval", "influence_error", "reliability_interval"]


def influence_error(influence: Array, groups: Integers | None = None) -> float:
    """The standard error of a figure from the influence of each item; items of a group err together.

    >>> influence_error(np.array([-1.0, 0.0, 1.0]))  # that of the mean of 1, 2 and 3: 1 / sqrt(3)
    0.577...
    """
    units = influence if groups is None else np.bincount(np.unique(groups, return_inverse=True)[1], influence)
    if units.size < 2:
        return math.nan
    return math.sqrt(float((units**2).sum()) * units.size / (units.size - 1)) / influence.size


def attenuated_interval(r: float, error: float, factor: float, units: int, level: float) -> Interval:
    """The interval of r / factor, symmetrical on Fisher's scale of r, which may end above 1.

    Args:
        r: a correlation.
        error: the standard error of r / factor.
        factor: what r is divided by: 1 for r itself.
        units: number of items or groups; Student's t has two degrees of freedom less.
        level: confidence level.

    >>> attenuated_interval(0.0, 0.1, 1.0, 10**9, 0.95)  # tanh(1.96 * 0.1)
    Interval(low=-0.193..., high=0.193..., reason=None)
    """
    if not (abs(r) < 1 and units > 2 and math.isfinite(error)):
        return Interval(math.nan, math.nan)
    room = _quantile(units, level) * error * factor / (1 - r * r)
    low, high = (math.tanh(math.atanh(r) + end) / factor for end in (-room, room))
    return Interval(low, high)


def reliability_interval(value: float, error: float, units: int, level: float) -> Interval:
    """The interval of a reliability, symmetrical on the scale of log(1 - value), as are those from F distributions.

    >>> reliability_interval(0.75, 0.1, 10**9, 0.95)  # 1 - 0.25 exp(+-1.96 * 0.1 / 0.25)
    Interval(low=0.452..., high=0.885..., reason=None)
    """
    if not (value < 1 and units > 2 and math.isfinite(error)):
        return Interval(math.nan, math.nan)
    room = _quantile(units, level) * error / (1 - value)
    low, high = (1 - (1 - value) * math.exp(end) for end in (room, -room))
    return Interval(low, high)


def _quantile(units: int, level: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(units - 2, (1 + level) / 2))
