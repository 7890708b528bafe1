"""Distributions of numbers: mean, median, maximum, and counts in ten bins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.scale import Scale

__all__ = ["BINS", "Distribution", "NumberSummary", "score_distribution", "sigma_distribution"]

BINS = 10


class NumberSummary(NamedTuple):
    """Mean, median and maximum of some numbers; nan if there are none."""

    mean: float
    median: float
    most: float

    @classmethod
    def of(cls, values: NDArray[Any]) -> NumberSummary:
        """The summary of these numbers; nan are left out.

        >>> NumberSummary.of(np.array([1.0, 2.0, 6.0, np.nan]))
        NumberSummary(mean=3.0, median=2.0, most=6.0)
        """
        known = values[np.isfinite(values)]
        if known.size == 0:
            return cls(math.nan, math.nan, math.nan)
        return cls(float(known.mean()), float(np.median(known)), float(known.max()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """Numbers counted in bins of equal width.

    Attributes:
        low: the lower end of the first bin.
        high: the upper end of the last bin; only the last bin includes its upper end.
        counts: the number of values in each bin.
        beyond: the number of values outside all bins.
        missing: the number of items without a value.
        spread: mean, median and maximum of all values.
    """

    low: float
    high: float
    counts: tuple[int, ...]
    beyond: int
    missing: int
    spread: NumberSummary

    @property
    def edges(self) -> tuple[float, ...]:
        """The ends of the bins, one more than there are bins."""
        return tuple(float(edge) for edge in np.linspace(self.low, self.high, len(self.counts) + 1))

    @classmethod
    def of(cls, values: NDArray[np.float64], low: float, high: float) -> Distribution:
        """The distribution of values over `BINS` bins between two ends; nan are missing values.

        A value on the border of two bins, up to rounding, is counted in the upper one.

        >>> Distribution.of(np.array([0.0, 0.3, 0.1 + 0.2, 1.0, 2.0]), 0, 1).counts
        (1, 0, 0, 2, 0, 0, 0, 0, 0, 1)
        """
        known = values[np.isfinite(values)]
        inside = known[Scale(low=low, high=high).holds(known)]
        bins = np.floor((inside - low) / (high - low) * BINS + 1e-9).astype(np.intp).clip(0, BINS - 1)
        return cls(
            low=low,
            high=high,
            counts=tuple(int(count) for count in np.bincount(bins, minlength=BINS)),
            beyond=len(known) - len(inside),
            missing=len(values) - len(known),
            spread=NumberSummary.of(known),
        )


def score_distribution(frame: pl.DataFrame, scale: Scale | None) -> Distribution | None:
    """The distribution of scores over tenths of their scale; None if no item has a score."""
    scores = _floats(frame["score"])
    if scale is None or not np.isfinite(scores).any():
        return None
    return Distribution.of(scores, scale.low, scale.high)


def sigma_distribution(frame: pl.DataFrame, scale: Scale | None) -> Distribution | None:
    """The distribution of people's standard deviations over ten bins from 0 to half the scale, which is their maximum.

    Population standard deviations: the stated ones, else those of two or more ratings. None if no item has one.
    """
    from_ratings = pl.when(pl.col("ratings").list.len() > 1).then(pl.col("ratings").list.std(ddof=0))
    sigmas = _floats(frame.select(pl.col("sigma").fill_null(from_ratings)).to_series())
    if scale is None or not np.isfinite(sigmas).any():
        return None
    return Distribution.of(sigmas, 0.0, scale.width / 2)


def _floats(series: pl.Series) -> NDArray[np.float64]:
    return series.cast(pl.Float64).fill_null(math.nan).to_numpy()
