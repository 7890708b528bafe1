"""Confidence intervals from a bootstrap distribution: percentile and BCa."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array

__all__ = [
    "Interval",
    "acceleration",
    "bca_interval",
    "bias_corrected_interval",
    "bias_correction",
    "percentile_interval",
    "rounding_of",
]


ROUNDING = 1e-12
"""Values that differ by less, relative to their size or to 1, count as equal."""


class Interval(NamedTuple):
    """A confidence interval.

    Attributes:
        low: the lower end; nan if it is undefined.
        high: the upper end; nan if it is undefined.
        reason: why the ends are undefined, or a caveat about them.
    """

    low: float
    high: float
    reason: str | None = None


def rounding_of(value: float) -> float:
    """The largest difference between two values of this size that count as equal."""
    return ROUNDING * max(1.0, abs(value))


def percentile_interval(distribution: Array, level: float) -> Interval:
    """The middle ``level`` of the distribution (Efron, 1979).

    >>> percentile_interval(np.arange(101.0), 0.9)
    Interval(low=5.0, high=95.0, reason=None)
    """
    tail = (1 - level) / 2
    return Interval(*np.quantile(distribution, [tail, 1 - tail]).tolist())


def bca_interval(distribution: Array, estimate: float, jackknife: Array, level: float) -> Interval:
    """The bias-corrected and accelerated interval (BCa).

    Reference: Efron (1987), Better bootstrap confidence intervals; DiCiccio and Efron (1996).

    Args:
        distribution: the estimate in every resample.
        estimate: the estimate on the sample.
        jackknife: the estimate without each unit.
        level: the nominal coverage.

    Returns:
        The interval; the percentile interval, with the reason, if bias or acceleration are undefined.
    """
    plain = percentile_interval(distribution, level)
    bias, speed = bias_correction(distribution, estimate), acceleration(jackknife)
    if plain.high - plain.low <= rounding_of(estimate):
        return plain._replace(reason="percentile interval: nearly all resamples give the same figure")
    if not np.isfinite(bias):
        return plain._replace(reason="percentile interval: all resamples lie on one side of the figure")
    if not np.isfinite(speed):
        return plain._replace(reason="percentile interval: the figure is the same whatever is left out")
    return Interval(*np.quantile(distribution, _shifted(level, bias, speed)).tolist())


def bias_corrected_interval(distribution: Array, estimate: float, level: float) -> Interval:
    """The bias-corrected percentile interval (BC): as `bca_interval`, without acceleration.

    Reference: Efron (1981), Nonparametric standard errors and confidence intervals.

    >>> bias_corrected_interval(np.arange(101.0), 50.0, 0.9)
    Interval(low=5.0, high=95.0, reason=None)
    """
    plain = percentile_interval(distribution, level)
    bias = bias_correction(distribution, estimate)
    if plain.high - plain.low <= rounding_of(estimate):
        return plain._replace(reason="nearly all resamples give the same figure")
    if not np.isfinite(bias):
        return plain._replace(reason="percentile interval: all resamples lie on one side of the figure")
    return Interval(*np.quantile(distribution, _shifted(level, bias, 0.0)).tolist())


def bias_correction(distribution: Array, estimate: float) -> float:
    """The normal quantile of the share of resamples below the estimate; those equal to it count half."""
    from scipy.special import ndtri

    room = rounding_of(estimate)
    below = np.count_nonzero(distribution < estimate - room) + np.count_nonzero(distribution <= estimate + room)
    return float(ndtri(below / (2 * distribution.size)))


def acceleration(jackknife: Array) -> float:
    """A sixth of the skewness of the units' influence; nan if no unit has any.

    >>> acceleration(np.array([1.0, 2.0, 3.0]))
    0.0
    """
    if jackknife.size < 2 or np.ptp(jackknife) <= rounding_of(float(jackknife[0])):
        return float("nan")
    influence = (jackknife.mean() - jackknife) / np.ptp(jackknife)
    return float((influence**3).sum() / (6 * (influence**2).sum() ** 1.5))


def _shifted(level: float, bias: float, speed: float) -> Array:
    """The quantiles of the distribution that are the two ends."""
    from scipy.special import ndtr, ndtri

    tail = (1 - level) / 2
    z = bias + ndtri(np.array([tail, 1 - tail]))
    return np.asarray(ndtr(bias + z / (1 - speed * z)))
