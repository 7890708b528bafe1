"""Confidence intervals from a bootstrap distribution: percentile and BCa."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Interval", "acceleration", "bca_interval", "bias_correction", "percentile_interval", "rounding_of"]

Array = NDArray[np.float64]

ROUNDING = 1e-12
"""Figures that differ by less, relative to 1 or to their size, are the same."""


class Interval(NamedTuple):
    """Two ends; nan where they are undefined. The reason says why that is so, or what has to be known of them."""

    low: float
    high: float
    reason: str | None = None


def rounding_of(value: float) -> float:
    """By how much two figures of this size may differ and yet be the same."""
    return ROUNDING * max(1.0, abs(value))


def percentile_interval(distribution: Array, level: float) -> Interval:
    """The middle ``level`` of the distribution (Efron, 1979).

    >>> percentile_interval(np.arange(101.0), 0.9)
    Interval(low=5.0, high=95.0, reason=None)
    """
    tail = (1 - level) / 2
    return Interval(*np.quantile(distribution, [tail, 1 - tail]).tolist())


def bca_interval(distribution: Array, estimate: float, jackknife: Array, level: float) -> Interval:
    """Bias-corrected and accelerated: percentiles shifted for bias and for a spread that changes with the figure.

    Reference: Efron (1987), Better bootstrap confidence intervals; DiCiccio and Efron (1996).

    Args:
        distribution: the figure in every resample.
        estimate: the figure itself.
        jackknife: the figure with one unit left out, for every unit.
        level: the share of intervals that hold the truth.

    Returns:
        The interval; the percentile interval, with the reason, where bias or acceleration cannot be had.
    """
    plain = percentile_interval(distribution, level)
    bias, speed = bias_correction(distribution, estimate), acceleration(jackknife)
    if plain.high - plain.low <= rounding_of(estimate):
        return plain._replace(reason="percentile interval: nearly every resample gives the same figure")
    if not np.isfinite(bias):
        return plain._replace(reason="percentile interval: all resamples lie on one side of the figure")
    if not np.isfinite(speed):
        return plain._replace(reason="percentile interval: the figure is the same whatever is left out")
    return Interval(*np.quantile(distribution, _shifted(level, bias, speed)).tolist())


def bias_correction(distribution: Array, estimate: float) -> float:
    """Z of the share of resamples below the figure, those equal to it counted half."""
    from scipy.special import ndtri

    room = rounding_of(estimate)
    below = np.count_nonzero(distribution < estimate - room) + np.count_nonzero(distribution <= estimate + room)
    return float(ndtri(below / (2 * distribution.size)))


def acceleration(jackknife: Array) -> float:
    """A sixth of the skewness of what each unit weighs; nan where none weighs anything.

    >>> acceleration(np.array([1.0, 2.0, 3.0]))
    0.0
    """
    if jackknife.size < 2 or np.ptp(jackknife) <= rounding_of(float(jackknife[0])):
        return float("nan")
    influence = (jackknife.mean() - jackknife) / np.ptp(jackknife)
    return float((influence**3).sum() / (6 * (influence**2).sum() ** 1.5))


def _shifted(level: float, bias: float, speed: float) -> Array:
    """The shares of the distribution at which the two ends lie."""
    from scipy.special import ndtr, ndtri

    tail = (1 - level) / 2
    z = bias + ndtri(np.array([tail, 1 - tail]))
    return np.asarray(ndtr(bias + z / (1 - speed * z)))
