"""Means over items with bootstrap intervals; figures that stand side by side see the same resamples."""

from __future__ import annotations

import numpy as np

from similitude.gold.reliability.bootstrap import LEVEL, RESAMPLES, bootstrap_estimates
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.stats.arrays import Array

__all__ = ["mean_estimates"]


def mean_estimates(
    values: Array,
    *,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    why: str = "no item has this figure",
) -> list[Estimate]:
    """The mean over items of every row, with a percentile interval; an item that is nan in a row does not count there.

    All rows see the same resamples, so that the row of a difference has the interval of a paired comparison.

    Args:
        values: figures x items.
        rng: where randomness comes from; without one, the same resamples are drawn every time.
        resamples: how many; 0 for no intervals.
        level: the share of intervals that hold the truth.
        why: what to say of a row in which no item counts.

    >>> mean_estimates(np.array([[1.0, 3.0, 3.0, 1.0], [np.nan] * 4]))
    [Estimate(value=2.0, low=1.0, high=3.0, reason=None),
     Estimate(value=nan, low=nan, high=nan, reason='no item has this figure')]
    """
    counted = np.isfinite(values)
    filled, given = np.where(counted, values, 0.0), counted.astype(np.float64)

    def means(weights: Array) -> Array:
        with np.errstate(invalid="ignore", divide="ignore"):
            return (filled @ weights.T) / (given @ weights.T)

    found = bootstrap_estimates(means, values.shape[-1], resamples=resamples, level=level, rng=rng)
    return [estimate if estimate.is_defined else undefined(why) for estimate in found]
