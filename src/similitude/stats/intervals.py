"""Confidence intervals: percentile and BCa from a bootstrap distribution, Student's t from a jackknife, Wilson's."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Integers

__all__ = [
    "Bounds",
    "Interval",
    "acceleration",
    "bca_interval",
    "bias_corrected_interval",
    "bias_correction",
    "holding",
    "jackknife_interval",
    "percentile_interval",
    "rounding_of",
    "t_quantile",
    "wilson_interval",
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


class Bounds(NamedTuple):
    """The least and the greatest value that a figure can have; both finite."""

    low: float = -1.0
    high: float = 1.0


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
        return plain._replace(reason="percentile interval: nearly all resamples give the same figure")
    if not np.isfinite(bias):
        return plain._replace(reason="percentile interval: all resamples lie on one side of the figure")
    return Interval(*np.quantile(distribution, _shifted(level, bias, 0.0)).tolist())


def holding(interval: Interval, estimate: float) -> Interval:
    """The interval, widened to the figure where all of it lies on one side of it.

    Resamples repeat units, and repeated units are tied: a rank correlation near 1 is higher in nearly all resamples.

    >>> holding(Interval(0.3, 0.4), 0.5)
    Interval(low=0.3, high=0.5, reason='widened: nearly all resamples lie on one side of the figure')
    """
    low, high = min(interval.low, estimate), max(interval.high, estimate)
    if (low, high) == interval[:2] or not low <= high:
        return interval
    is_rounding = max(interval.low - low, high - interval.high) <= rounding_of(estimate)
    why = interval.reason if is_rounding else "widened: nearly all resamples lie on one side of the figure"
    return Interval(low, high, interval.reason or why)


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


def jackknife_interval(
    estimate: float,
    jackknife: Array,
    level: float,
    bounds: Bounds | None = None,
    *,
    shared: tuple[Integers, Integers] | None = None,
) -> Interval:
    """Student's t interval from the estimates without each unit, on a scale on which the estimate is nearly normal.

    The standard error is that of the jackknife (Tukey, 1958; Efron and Stein, 1981). A bounded figure x is put on the
    scale log((x - low) / (high - x)): Fisher's z of a correlation, and the log of the F ratio of an intraclass
    correlation or of Krippendorff's alpha with the bounds -1 / (raters - 1) and 1. The standard error follows by the
    delta method, so a single disagreement, without which a figure would be 1, does not make it infinite.

    The standard error is itself an estimate, and the worse the heavier the tails of the units' influence. Its degrees
    of freedom are 2 n / (kurtosis - 1 + 2 / (n - 1)), at most n - 1 (Satterthwaite, 1946).

    Args:
        estimate: the figure of all units.
        jackknife: the figure without each unit, or without each of several blocks of about the same size.
        level: the nominal coverage.
        bounds: the ends of the figure's range; None if it has none.
        shared: units and what they have in common with others, pair by pair: tuples and their items. Units that share
            something are not independent; see `_shared_variance`.

    Returns:
        The interval. An estimate on or beyond a bound is treated as if it had none. If the figure is undefined without
        some unit, the ends are nan, with the reason; if it is the same whatever is left out, they are the figure
        itself, with the reason.

    >>> low, high, _ = jackknife_interval(2.0, np.array([1.5, 2.0, 2.5]), 0.95)  # the mean of 3, 2 and 1
    >>> round(low, 3), round(high, 3)  # 2 -+ 4.303 / sqrt(3)
    (-0.484, 4.484)
    """
    missing = int(np.count_nonzero(~np.isfinite(jackknife)))
    if missing or jackknife.size < 2:
        why = f"no interval: without {missing:,} of its {jackknife.size:,} units the figure is undefined"
        return Interval(float("nan"), float("nan"), why if missing else "no interval: there is only one unit")
    apart = jackknife.mean() - jackknife
    variance, freedom = float(apart @ apart), _freedom(apart)
    if shared is not None:
        variance, freedom = max((variance, freedom), _shared_variance(apart, *shared))
    error = float(np.sqrt((jackknife.size - 1) / jackknife.size * variance))
    if error <= rounding_of(estimate):
        return Interval(estimate, estimate, "the figure is the same whichever unit is left out")
    reach = t_quantile(level, freedom) * error
    if bounds is None or not bounds.low < estimate < bounds.high:
        return Interval(estimate - reach, estimate + reach)
    return _between(estimate, reach, bounds)


def t_quantile(level: float, freedom: float) -> float:
    """Half the width of the middle ``level`` of Student's t.

    >>> round(t_quantile(0.95, 10), 3)
    2.228
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))


def wilson_interval(successes: float, number: float, level: float) -> Interval:
    """Wilson's score interval of a share; it has a width even if all or none succeed.

    Reference: Wilson (1927); recommended by Brown, Cai and DasGupta (2001).

    >>> low, high, _ = wilson_interval(10, 10, 0.95)
    >>> round(low, 3), high
    (0.722, 1.0)
    """
    from scipy.special import ndtri

    z, share = float(ndtri((1 + level) / 2)), successes / number
    middle = share + z**2 / (2 * number)
    reach = z * (share * (1 - share) / number + (z / (2 * number)) ** 2) ** 0.5
    whole = 1 + z**2 / number
    low, high = (middle - reach) / whole, (middle + reach) / whole
    return Interval(0.0 if successes == 0 else low, 1.0 if successes == number else high)


def _shared_variance(apart: Array, unit: Integers, part: Integers) -> tuple[float, float]:
    """The variance of a sum of deviations of units that share parts, and its degrees of freedom.

    The sum of products of deviations over all pairs of units that have a part in common: the squares of the sums by
    part, in which the square of a unit stands once for each of its parts, less these repetitions (Aronow, Samii and
    Assenova, 2015, Cluster-robust variance estimation for dyadic data; for more than two parts alike).

    Deviations are from the mean of units that share the same few parts, which makes the part of the variance that is
    due to parts too small: with n parts, k of them in a unit, by (n - k)^2 / (n (n - 1)). This is made good.
    """
    squares, by_part = apart**2, np.bincount(part, apart[unit]).astype(np.float64)
    repeated = np.bincount(unit, minlength=apart.size) - 1
    variance = float(by_part @ by_part - repeated @ squares)
    number, per_unit, units_of_part = by_part.size, part.size / apart.size, part.size / by_part.size
    if number <= per_unit or units_of_part <= 1:
        return variance, _freedom(by_part)
    due_to_parts = max(variance - float(squares.sum()), 0.0) * units_of_part / (units_of_part - 1)
    kept = (number - per_unit) ** 2 / (number * (number - 1))
    return variance + due_to_parts * (1 / kept - 1), min(_freedom(by_part), number - per_unit)


def _freedom(apart: Array) -> float:
    """Degrees of freedom of a variance that is estimated from these deviations."""
    number, squares = apart.size, apart**2
    if number < 3 or not squares.any():
        return 1.0
    kurtosis = float((squares**2).mean() / squares.mean() ** 2)
    return min(number - 1, 2 * number / (kurtosis - 1 + 2 / (number - 1)))


def _between(estimate: float, reach: float, bounds: Bounds) -> Interval:
    """Estimate +- reach, computed on the scale that has no bounds."""
    from scipy.special import expit

    below, above = estimate - bounds.low, bounds.high - estimate
    scaled, width = np.log(below / above), bounds.high - bounds.low
    room = reach * width / (below * above)
    return Interval(*(bounds.low + width * expit(scaled + np.array([-room, room]))).tolist())


def _shifted(level: float, bias: float, speed: float) -> Array:
    """The quantiles of the distribution that are the two ends."""
    from scipy.special import ndtr, ndtri

    tail = (1 - level) / 2
    z = bias + ndtri(np.array([tail, 1 - tail]))
    return np.asarray(ndtr(bias + z / (1 - speed * z)))
