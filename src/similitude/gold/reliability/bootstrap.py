"""Intervals by drawing items with replacement: the same figure on a thousand resamples at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from similitude.errors import ArgumentError
from similitude.gold.reliability.estimate import Estimate
from similitude.stats import bootstrap_weights, in_chunks, percentile_interval
from similitude.stats.arrays import Array

__all__ = ["LEVEL", "RESAMPLES", "Statistic", "bootstrap_estimates", "check_settings", "estimate_of"]

Statistic = Callable[[Array], Array]
"""From weights (resamples x units: how often each was drawn) to figures x resamples, nan where one is undefined."""

RESAMPLES = 1000
LEVEL = 0.95
CHUNK_CELLS = 4_000_000
"""How many weights are held at a time: 32 MB."""
UNDEFINED_LIMIT = 0.1
"""With a larger share of resamples in which the figure is undefined, there is no interval."""


def bootstrap_estimates(
    statistic: Statistic,
    units: int,
    *,
    width: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    rng: np.random.Generator | None = None,
) -> list[Estimate]:
    """Each figure of the statistic with its percentile interval.

    The figure itself is the statistic of the sample in which every unit stands once; no resample is ever written out.

    Args:
        statistic: what to compute.
        units: how many there are to draw from; they are drawn whole, with all that was said of them.
        width: how many numbers the statistic holds for each resample, where that is more than one a unit.
        resamples: how many to draw; 0 for figures without intervals.
        level: the share of intervals that hold the truth.
        rng: where randomness comes from; without one, the same resamples are drawn every time.

    >>> mean = lambda weights: (weights @ np.array([1.0, 2.0, 6.0]) / weights.sum(axis=1))[None]
    >>> bootstrap_estimates(mean, 3, rng=np.random.default_rng(0))
    [Estimate(value=3.0, low=1.0, high=6.0, reason=None)]
    """
    check_settings(resamples, level)
    values = statistic(np.ones((1, units)))[:, 0].tolist()
    if resamples == 0 or units < 2:
        return [Estimate(value) for value in values]
    rng = rng or np.random.default_rng(0)
    chunks = in_chunks(resamples, max(1, CHUNK_CELLS // max(units, width)))
    drawn = [statistic(bootstrap_weights(units, last - first, rng)) for first, last in chunks]
    distributions = np.concatenate(drawn, axis=1)
    return [estimate_of(value, row, level) for value, row in zip(values, distributions, strict=True)]


def estimate_of(value: float, distribution: Array, level: float) -> Estimate:
    """A figure with the middle ``level`` of what resamples gave; without an end where too many gave nothing.

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
    low, high, _ = percentile_interval(known, level)
    note = f"left out {unknown:,} of {distribution.size:,} resamples in which the figure is undefined"
    return Estimate(value, low, high, note if unknown else None)


def check_settings(resamples: int, level: float) -> None:
    """Refuse what is no number of resamples or no level.

    Raises:
        ArgumentError: ``resamples`` is below 0, or ``level`` is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise ArgumentError(f"{level:g} is not a level of confidence", remedy="give one between 0 and 1, such as 0.95")
    if resamples < 0:
        raise ArgumentError(f"cannot draw {resamples} resamples", remedy="draw 1,000, or 0 for no intervals")
