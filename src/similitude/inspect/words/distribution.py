"""How numbers are spread: their mean, median and largest, and how many fall into each of ten bins."""

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
    """Mean, median and largest of some numbers; nan where there are none."""

    mean: float
    median: float
    most: float

    @classmethod
    def of(cls, values: NDArray[Any]) -> NumberSummary:
        """The spread of these numbers; nan among them are left out.

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
        low: where the first bin begins.
        high: where the last one ends; it holds this end too, the others do not.
        counts: how many fall into each bin.
        beyond: how many lie outside all bins.
        missing: how many items have no number.
        spread: mean, median and largest of all that have one.
    """

    low: float
    high: float
    counts: tuple[int, ...]
    beyond: int
    missing: int
    spread: NumberSummary

    @property
    def edges(self) -> tuple[float, ...]:
        """Where bins begin and end: one more than there are bins."""
        return tuple(float(edge) for edge in np.linspace(self.low, self.high, len(self.counts) + 1))

    @classmethod
    def of(cls, values: NDArray[np.float64], low: float, high: float) -> Distribution:
        """Count the values in `BINS` bins between two ends; nan are missing.

        A value on the border of two bins, float noise aside, is counted in the upper one.

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
    """Scores in tenths of their scale; None where no item has a score."""
    scores = _floats(frame["score"])
    if scale is None or not np.isfinite(scores).any():
        return None
    return Distribution.of(scores, scale.low, scale.high)


def sigma_distribution(frame: pl.DataFrame, scale: Scale | None) -> Distribution | None:
    """Standard deviations of people's opinions in ten bins from 0 to half the scale, the most that they can be.

    Population standard deviations: as stated, or else of at least two ratings. None where no item has one.
    """
    from_ratings = pl.when(pl.col("ratings").list.len() > 1).then(pl.col("ratings").list.std(ddof=0))
    sigmas = _floats(frame.select(pl.col("sigma").fill_null(from_ratings)).to_series())
    if scale is None or not np.isfinite(sigmas).any():
        return None
    return Distribution.of(sigmas, 0.0, scale.width / 2)


def _floats(series: pl.Series) -> NDArray[np.float64]:
    return series.cast(pl.Float64).fill_null(math.nan).to_numpy()
