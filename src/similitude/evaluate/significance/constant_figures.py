"""Intervals of figures that are the same in nearly all resamples, as those of a perfect system are.

Such resamples tell nothing of other samples: a system that is perfect on ten items may fail on the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from similitude import stats
from similitude.evaluate.significance.tested_measure import TestedMeasure

__all__ = ["ConstantFigures"]


@dataclass(frozen=True, eq=False)
class ConstantFigures:
    """Wilson's intervals instead of those that resamples shrink to a point.

    Attributes:
        subject: the measure, with the systems on which it is defined.
        found: the intervals from resamples, one per system.
        units: how many items or groups a figure rests on.
    """

    subject: TestedMeasure
    found: list[stats.Interval]
    units: int

    def intervals(self, level: float) -> list[stats.Interval]:
        """One per system: that from resamples if these vary."""
        pairs = zip(self.found, self._pivots, strict=True)
        return [found if pivot is None else _wilson(pivot, level) for found, pivot in pairs]

    def difference(self, one: int, other: int, found: stats.Interval, level: float) -> stats.Interval:
        """The interval from resamples, unless neither figure varies and the two are not equal."""
        first, second = self._pivots[one], self._pivots[other]
        if (
            first is None
            or second is None
            or abs(first.estimate - second.estimate) <= stats.rounding_of(first.estimate)
        ):
            return found
        ends = stats.difference_interval(first, second, 0.0, level)
        return ends._replace(reason="from Wilson's intervals: all resamples give the same figures")

    @cached_property
    def _pivots(self) -> list[stats.SharePivot | None]:
        return [self._pivot(row) if _is_point(found) else None for row, found in enumerate(self.found)]

    def _pivot(self, row: int) -> stats.SharePivot | None:
        """Of the share behind the figure, or of its place within its range; None if that has no two ends.

        None also for a row that says the same of every item, whose figure is the same on any items.
        """
        measure, value = self.subject.measure, float(self.subject.values[row])
        if self.subject.comparison.constant(row) is not None:
            return None
        if (shares := measure.shares(self.subject.comparison)) is not None:
            share = float(shares.of_figure(np.array(value)))
            return stats.SharePivot(share, float(shares.trials[row]), np.inf, shares.to_figure)
        if not np.isfinite(measure.high - measure.low):
            return None
        return stats.share_pivot(value, self.units, np.inf, measure.low, measure.high)


def _is_point(interval: stats.Interval) -> bool:
    return bool(interval.high - interval.low <= stats.rounding_of(interval.low))


def _wilson(pivot: stats.SharePivot, level: float) -> stats.Interval:
    low, high, _ = stats.pivot_interval(pivot, level)
    return stats.Interval(min(low, high), max(low, high), "Wilson's interval: all resamples give the same figure")
