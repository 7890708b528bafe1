"""What is known of systems on one measure: their figures, and how sure each difference is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from similitude import stats
from similitude.evaluate.significance.confidence import Confidence
from similitude.stats import Interval
from similitude.stats.arrays import Array, Booleans

__all__ = ["Evidence"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Evidence:
    """Enough to decide between systems on one measure, without the items.

    Attributes:
        values: the figures, one per system; nan where undefined.
        covariance: of the figures, systems x systems; nan where undefined.
        freedoms: their degrees of freedom, one per system.
        p_values: systems x systems, two-sided, each as if its pair were the only one.
        is_floor: of the same shape: where so many resamples can give no smaller p-value.
        lows: of the same shape, the lower end of the interval of the first minus the second.
        highs: the upper end.
        level: of the intervals and of decisions.
        units: number of items or groups.
        are_groups: whether they are groups.
        higher_is_better: whether a high figure is a good one.
    """

    values: Array
    covariance: Array
    freedoms: Array
    p_values: Array
    is_floor: Booleans
    lows: Array
    highs: Array
    level: float
    units: int
    are_groups: bool
    higher_is_better: bool

    @classmethod
    def of_covariance(
        cls,
        values: Array,
        covariance: Array,
        freedom: float,
        *,
        level: float = 0.95,
        units: int = 0,
        are_groups: bool = False,
        higher_is_better: bool = True,
    ) -> Evidence:
        """Evidence from figures and their covariance alone, by Student's t: for averages over benchmarks."""
        statistics = stats.t_statistics(values, covariance)
        differences = values[:, None] - values
        reach = stats.t_point((1 - level) / 2, freedom) * stats.difference_errors(covariance)
        return cls(
            values=values,
            covariance=covariance,
            freedoms=np.full(values.size, freedom),
            p_values=2 * stats.t_tail(np.abs(statistics), freedom),
            is_floor=np.zeros(statistics.shape, dtype=np.bool_),
            lows=differences - reach,
            highs=differences + reach,
            level=level,
            units=units,
            are_groups=are_groups,
            higher_is_better=higher_is_better,
        )

    @classmethod
    def of_confidence(
        cls, confidence: Confidence, column: int, values: Array, *, higher_is_better: bool
    ) -> Evidence | None:
        """Evidence on one measure of a run; None if its covariances are unknown, as in runs of earlier versions."""
        if not np.isfinite(confidence.covariances[column]).any() or not confidence.differences:
            return None
        ends = np.array([[pair[:2] for pair in row] for row in confidence.differences[column]], dtype=np.float64)
        return cls(
            values=values,
            covariance=confidence.covariances[column],
            freedoms=confidence.freedoms[column],
            p_values=confidence.single_p_values[column],
            is_floor=confidence.is_floor[column],
            lows=ends[..., 0],
            highs=ends[..., 1],
            level=confidence.level,
            units=confidence.units,
            are_groups=confidence.groups is not None,
            higher_is_better=higher_is_better,
        )

    @cached_property
    def known(self) -> list[int]:
        """The systems with a figure and a variance, best first."""
        rows = np.flatnonzero(np.isfinite(self.values) & np.isfinite(np.diag(self.covariance)))
        return [int(row) for row in rows[np.argsort(-self._sign * self.values[rows], kind="stable")]]

    @cached_property
    def reference(self) -> stats.MaxT:
        """The differences of the known systems if all were equally good."""
        return stats.MaxT(self.covariance[np.ix_(self.known, self.known)], self.freedom)

    @cached_property
    def freedom(self) -> float:
        """Degrees of freedom of the statistics: the median over the known systems."""
        return float(np.median(self.freedoms[self.known]))

    @cached_property
    def statistics(self) -> Array:
        """Known x known systems: how many standard errors the first is better than the second.

        The standard errors are those behind the p-values, by whichever test: a p-value is put on the scale of Student's
        t with `freedom` degrees of freedom.
        """
        p_values = np.nan_to_num(self.p_values[np.ix_(self.known, self.known)], nan=1.0)
        leads = self.leads[np.ix_(self.known, self.known)]
        return np.asarray(np.where(leads == 0, 0.0, np.sign(leads) * stats.t_point(p_values / 2, self.freedom)))

    @cached_property
    def leads(self) -> Array:
        """Systems x systems: how much better the first is than the second, in units of the measure."""
        return np.asarray(self._sign * (self.values[:, None] - self.values))

    @cached_property
    def errors(self) -> tuple[Array, Array]:
        """Systems x systems: the standard errors of the leads, downwards and upwards."""
        ends = np.sort(np.stack([self._sign * self.lows, self._sign * self.highs]), axis=0)
        reach, half = stats.t_point((1 - self.level) / 2, self.pair_freedoms), (ends[1] - ends[0]) / 2
        with np.errstate(invalid="ignore"):
            is_inside = (ends[0] <= self.leads) & (self.leads <= ends[1])  # a bootstrap interval may miss its figure
        below, above = (np.where(is_inside, side, half) for side in (self.leads - ends[0], ends[1] - self.leads))
        return below / reach, above / reach

    @cached_property
    def pair_freedoms(self) -> Array:
        """Systems x systems: the degrees of freedom of each difference."""
        return np.asarray(np.minimum(self.freedoms[:, None], self.freedoms))

    def lead_interval(self, one: int, other: int, quantile: float) -> Interval:
        """The interval of a lead, with ends so many standard errors away (of Student's t with `freedom`)."""
        reach = float(stats.t_converted(quantile, self.freedom, self.pair_freedoms[one, other]))
        below, above = (float(error[one, other]) for error in self.errors)
        return Interval(float(self.leads[one, other]) - reach * below, float(self.leads[one, other]) + reach * above)

    def not_worse(self, margin: float) -> Array:
        """Known x known systems: how many standard errors the first is above the second less the margin."""
        pairs = np.ix_(self.known, self.known)
        room, error = self.leads[pairs] + margin, self.errors[0][pairs]
        with np.errstate(divide="ignore"):
            raw = np.where(error > 0, room / error, np.sign(room) * np.inf)
        return stats.t_converted(raw, self.pair_freedoms[pairs], self.freedom)

    @property
    def _sign(self) -> float:
        return 1.0 if self.higher_is_better else -1.0
