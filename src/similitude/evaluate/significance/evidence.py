"""What is known of systems on one measure: their figures, and how sure each difference is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from similitude import stats
from similitude.evaluate.significance.all_pairs import all_pairs, known_systems, standard_errors
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
        single_p_values: systems x systems, two-sided, each as if its pair were the only one.
        p_values: of the same shape, corrected for all pairs; see `all_pairs`.
        criticals: of the same shape, how many standard errors the intervals reach.
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
    single_p_values: Array
    p_values: Array
    criticals: Array
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
        statistics, errors = stats.t_statistics(values, covariance), stats.difference_errors(covariance)
        single, freedoms = 2 * stats.t_tail(np.abs(statistics), freedom), np.full(values.size, freedom)

        def difference(one: int, other: int, level: float) -> Interval:
            middle = float(values[one] - values[other])
            reach = float(stats.t_point((1 - level) / 2, freedom) * errors[one, other])
            return Interval(middle - reach, middle + reach)

        found = all_pairs(values, covariance, freedoms, single, level, difference)
        ends = np.array([[pair[:2] for pair in row] for row in found.differences], dtype=np.float64)
        return cls(
            values=values,
            covariance=covariance,
            freedoms=freedoms,
            single_p_values=single,
            p_values=found.p_values,
            criticals=found.criticals,
            is_floor=np.zeros(statistics.shape, dtype=np.bool_),
            lows=ends[..., 0],
            highs=ends[..., 1],
            level=level,
            units=units,
            are_groups=are_groups,
            higher_is_better=higher_is_better,
        )

    @classmethod
    def of_confidence(cls, confidence: Confidence, column: int, values: Array, *, higher_is_better: bool) -> Evidence:
        """Evidence on one measure of a run."""
        ends = np.array([[pair[:2] for pair in row] for row in confidence.differences[column]], dtype=np.float64)
        return cls(
            values=values,
            covariance=confidence.covariances[column],
            freedoms=confidence.freedoms[column],
            single_p_values=confidence.single_p_values[column],
            p_values=confidence.p_values[column],
            criticals=confidence.criticals[column],
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
        return sorted(known_systems(self.values, self.covariance), key=self.best_first.index)

    @cached_property
    def best_first(self) -> list[int]:
        """The systems with a figure."""
        rows = np.flatnonzero(np.isfinite(self.values))
        return [int(row) for row in rows[np.argsort(-self._sign * self.values[rows], kind="stable")]]

    def are_different(self, one: int, other: int) -> bool:
        """Whether two systems are significantly different."""
        return bool(self.p_values[one, other] <= 1 - self.level and self.values[one] != self.values[other])

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
        pairs = np.ix_(self.known, self.known)
        found = standard_errors(self.leads[pairs], self.single_p_values[pairs], self.freedom)
        return np.where(np.isnan(found), 0.0, found)

    @cached_property
    def leads(self) -> Array:
        """Systems x systems: how much better the first is than the second, in units of the measure."""
        return np.asarray(self._sign * (self.values[:, None] - self.values))

    @cached_property
    def errors(self) -> tuple[Array, Array]:
        """Systems x systems: the standard errors of the leads, downwards and upwards."""
        ends = np.sort(np.stack([self._sign * self.lows, self._sign * self.highs]), axis=0)
        usual, half = stats.t_point((1 - self.level) / 2, self.freedom), (ends[1] - ends[0]) / 2
        criticals = np.where(np.isnan(self.criticals), usual, self.criticals)
        reach = stats.t_converted(criticals, self.freedom, self.pair_freedoms)
        with np.errstate(invalid="ignore"):
            is_inside = (ends[0] <= self.leads) & (self.leads <= ends[1])  # a bootstrap interval may miss its figure
        below, above = (np.where(is_inside, side, half) for side in (self.leads - ends[0], ends[1] - self.leads))
        return below / reach, above / reach

    @cached_property
    def pair_freedoms(self) -> Array:
        """Systems x systems: the degrees of freedom of each difference."""
        return np.asarray(np.minimum(self.freedoms[:, None], self.freedoms))

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
