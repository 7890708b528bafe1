"""Inference on one measure from a jackknife: what the figures become when each item, or group, is left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from similitude import stats
from similitude.evaluate.measures.measure import Measure, Sampling, Shares, sampling_of_range
from similitude.evaluate.significance.tested_measure import TestedMeasure
from similitude.stats.arrays import Array
from similitude.stats.pivots import LinkName

__all__ = ["UNDEFINED_LIMIT", "Jackknife"]

UNDEFINED_LIMIT = 0.1
"""If a figure is undefined in a larger share of the resamples, it gets no interval and no p-value."""


@dataclass(frozen=True, eq=False)
class Jackknife:
    """Figures without each unit.

    Attributes:
        subject: the measure, with the systems on which it is defined.
        left_out: systems x units, or x blocks of units; nan where undefined.
        is_grouped: whether the units are groups of items.
    """

    subject: TestedMeasure
    left_out: Array
    is_grouped: bool

    def interval(self, row: int, level: float) -> stats.Interval:
        """The interval of one system; undefined, with the reason, if too few figures are left."""
        pivot = self.pivots[row]
        if pivot is None:
            unknown = self.left_out.shape[1] - int(np.isfinite(self.left_out[row]).sum())
            reason = f"without {unknown:,} of {self.left_out.shape[1]:,} {self._units} the measure is undefined"
            return stats.Interval(np.nan, np.nan, reason)
        interval = stats.pivot_interval(pivot, level)
        low, high = (float(np.clip(end, self._measure.low, self._measure.high)) for end in interval[:2])
        return stats.holding(stats.Interval(low, high, self._caveat(row)), float(self.subject.values[row]))

    def difference(self, one: int, other: int, level: float) -> stats.Interval:
        """The interval of the difference of two systems."""
        first, second = self.pivots[one], self.pivots[other]
        if first is None or second is None:
            return stats.Interval(np.nan, np.nan, "one of the two figures has no interval")
        found = stats.difference_interval(first, second, self._correlation(one, other), level)
        most = self._measure.high - self._measure.low
        low, high = (float(np.clip(end, -most, most)) for end in found[:2])
        same = f"the difference is the same whichever of the {self._units} is left out"
        return stats.Interval(low, high, same if _is_point(found) else None)

    def p_value(self, one: int, other: int) -> float:
        """Two-sided: 1 - the level at which the interval of the difference begins to hold 0; nan if undefined.

        A difference that never varies has no standard error: the sign test says how much so many units can tell.
        """
        first, second = self.pivots[one], self.pivots[other]
        if first is None or second is None:
            return float("nan")
        correlation = self._correlation(one, other)
        found = stats.difference_p_value(first, second, correlation)
        is_exact = _is_point(stats.difference_interval(first, second, correlation, 0.5))
        return max(found, self._least_p_value) if is_exact else found

    @cached_property
    def pivots(self) -> list[stats.Pivot | None]:
        """The pivot of each system; None if the measure is undefined too often."""
        return [self._pivot(row) for row in range(len(self.left_out))]

    @property
    def _measure(self) -> Measure:
        return self.subject.measure

    @property
    def _units(self) -> str:
        return "groups" if self.is_grouped else "items"

    @cached_property
    def _sampling(self) -> Sampling:
        """That of the measure; if it says nothing that a jackknife can use, the one that fits its range."""
        if self._measure.sampling not in ("cut", "unknown"):
            return self._measure.sampling
        return sampling_of_range(self._measure.low, self._measure.high)

    def _pivot(self, row: int) -> stats.Pivot | None:
        without, value = self.left_out[row][np.isfinite(self.left_out[row])], float(self.subject.values[row])
        is_known = without.size >= self._fewest
        if self._sampling == "share":
            return self._share_pivot(row, value, without if is_known else np.empty(0))
        if not is_known:
            return None
        if self._sampling == "skewed":
            freedom = stats.effective_freedom(without)
            return stats.SkewPivot(value, _error(without), freedom, _skewness(without), without.size)
        return self._link_pivot(row, value, without)

    def _link_pivot(self, row: int, value: float, without: Array) -> stats.Pivot:
        """On the scale of the link; Wilson's interval at the end of the range, where that scale is infinite.

        Also if the figure is the same without every unit, as Pearson's r of three items is 1 without each of them.
        """
        freedom, link = stats.effective_freedom(without), self._sampling
        is_at_end = min(value - self._measure.low, self._measure.high - value) <= stats.rounding_of(value)
        if link == "learned" and self._is_flat(row):
            return self._share_pivot(row, value, without)
        if link in ("fisher", "logit") and (is_at_end or self._is_flat(row)):
            return stats.share_pivot(value, without.size, freedom, self._measure.low, self._measure.high)
        if link != "fisher" and link != "logit":
            return stats.LinkPivot(value, _error(without), freedom, "plain")
        return stats.LinkPivot(value, _linked_error(value, without, link), freedom, link)

    def _share_pivot(self, row: int, value: float, without: Array) -> stats.SharePivot:
        """With groups, the trials are as many independent ones as would have the same standard error.

        Where that is not known, there are no more of them than groups.
        """
        shares, groups = self._shares, self.left_out.shape[1]
        share, trials = float(shares.of_figure(np.array(value))), float(shares.trials[row])
        if not self.is_grouped:
            return stats.SharePivot(share, trials, np.inf, shares.to_figure)
        error = _error(shares.of_figure(without)) if without.size else 0.0
        worth = share * (1 - share) / error**2 if 0 < share < 1 and error > 0 else groups
        return stats.SharePivot(share, min(trials, worth), groups - 1, shares.to_figure)

    @cached_property
    def _shares(self) -> Shares:
        found = self._measure.shares(self.subject.comparison)
        assert found is not None  # what a measure whose sampling is "share" promises
        return found

    @cached_property
    def covariance(self) -> Array:
        """The covariance of the figures, systems x systems; nan where a figure is undefined without too many units."""
        systems, is_known = len(self.left_out), np.isfinite(self.left_out)
        rows = np.flatnonzero(is_known.sum(axis=1) >= self._fewest)
        known = self.left_out[rows][:, is_known[rows].all(axis=0)]
        found = np.full((systems, systems), np.nan)
        if known.shape[1] > 1:
            centred = known - known.mean(axis=1, keepdims=True)
            found[np.ix_(rows, rows)] = (known.shape[1] - 1) / known.shape[1] * (centred @ centred.T)
        return found

    @cached_property
    def freedoms(self) -> Array:
        """The degrees of freedom of each figure; nan where it has no interval."""
        return np.array([np.nan if pivot is None else pivot.freedom for pivot in self.pivots])

    @cached_property
    def _correlations(self) -> Array:
        """The correlations of the errors, systems x systems; 0 where a system has none."""
        sizes = np.sqrt(np.diag(self.covariance))
        found = stats.share(self.covariance, np.outer(sizes, sizes), when_empty=0.0)
        return np.where(np.isfinite(found), found, 0.0)

    def _correlation(self, one: int, other: int) -> float:
        """Of the errors of two systems; smaller for shares of few groups, which all but move together by chance.

        Two groups always correlate by 1 or -1, and of equal shares nothing would be left.
        """
        found, groups = float(self._correlations[one, other]), self.left_out.shape[1]
        return found * (1 - 1 / (groups - 1)) if self._sampling == "share" and self.is_grouped else found

    @property
    def _least_p_value(self) -> float:
        """Of the sign test: all units on one side."""
        return float(2.0 ** (1 - self.left_out.shape[1]))

    @property
    def _fewest(self) -> float:
        """Without this many units a figure must be defined."""
        return max(2.0, (1 - UNDEFINED_LIMIT) * int(self.left_out.shape[1]))

    def _is_flat(self, row: int) -> bool:
        known = self.left_out[row][np.isfinite(self.left_out[row])]
        return float(np.ptp(known)) <= stats.rounding_of(float(known[0]))

    def _caveat(self, row: int) -> str | None:
        if self._sampling == "share":
            return None
        if self._is_flat(row):
            return f"the figure is the same whichever of the {self._units} is left out"
        unknown = int((~np.isfinite(self.left_out[row])).sum())
        return f"without {unknown:,} of the {self._units} the measure is undefined" if unknown else None


def _is_point(interval: stats.Interval) -> bool:
    return interval.high - interval.low <= stats.rounding_of(interval.low)


def _error(without: Array) -> float:
    """The standard error by the jackknife."""
    return float(np.sqrt((without.size - 1) * np.var(without)))


def _skewness(without: Array) -> float:
    """The skewness of the units' influence, which is opposed to that of the figures without them."""
    deviations = without.mean() - without
    spread = float(np.mean(deviations**2))
    return float(np.mean(deviations**3) / spread**1.5) if spread > 0 else 0.0


def _linked_error(value: float, without: Array, link: LinkName) -> float:
    """The standard error on the scale of the link.

    The scale is infinite at the ends of the range. Near one, a single unit may hold all that a figure lacks; without it
    the figure is at the end, or so near that rounding decides how far away on this scale. So no unit counts for more
    than reaching the end does to first order.
    """
    low = -1.0 if link == "fisher" else 0.0
    with np.errstate(divide="ignore"):
        if link == "fisher":
            slope, changes = 1 - value**2, np.arctanh(np.clip(without, low, 1.0)) - np.arctanh(value)
        else:
            slope, changes = value * (1 - value), _logit(np.clip(without, low, 1.0)) - _logit(value)
    return _error(np.clip(changes, (low - value) / slope, (1 - value) / slope))


def _logit(shares: Array | float) -> Array:
    return np.asarray(np.log(shares) - np.log1p(-np.asarray(shares)))
