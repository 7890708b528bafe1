"""Inference on one measure: intervals of systems and of their differences, and p-values of pairs of systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import numpy as np

from similitude import stats
from similitude.evaluate.significance.constant_figures import ConstantFigures
from similitude.evaluate.significance.jackknife import UNDEFINED_LIMIT, Jackknife
from similitude.evaluate.significance.resampler import Permuted
from similitude.evaluate.significance.tested_measure import TestedMeasure
from similitude.stats.arrays import Array, Booleans, Integers

__all__ = [
    "Intervals",
    "PValues",
    "Spread",
    "bootstrap_intervals",
    "bootstrap_p_values",
    "bootstrap_spread",
    "dependent_p_values",
    "jackknife_intervals",
    "jackknife_p_values",
    "of_every_pair",
    "permutation_p_values",
]

UNITS_OF_CUT = 12
"""The interval of a figure with a cut is as wide as if it rested on this many units; chosen by simulation."""


class Intervals(NamedTuple):
    """The intervals of the systems on which a measure is defined.

    Attributes:
        figures: one per system.
        difference: of two systems at a level, the first minus the other.
    """

    figures: list[stats.Interval]
    difference: Callable[[int, int, float], stats.Interval]


class PValues(NamedTuple):
    """The p-values of pairs of systems.

    Attributes:
        values: systems x systems; nan where undefined, and for pairs out of order.
        is_floor: where so many resamples can give no smaller value.
    """

    values: Array
    is_floor: Booleans

    def with_rows(self, rows: list[int], other: PValues) -> PValues:
        """With all pairs in which one of these rows is from others."""
        chosen = np.zeros(self.values.shape, dtype=np.bool_)
        chosen[rows], chosen[:, rows] = True, True
        return PValues(np.where(chosen, other.values, self.values), np.where(chosen, other.is_floor, self.is_floor))


class Spread(NamedTuple):
    """How the figures of the systems vary together.

    Attributes:
        covariance: systems x systems; nan where undefined.
        freedoms: the degrees of freedom of each figure; nan where undefined.
    """

    covariance: Array
    freedoms: Array

    def of_every_system(self, defined: Integers, systems: int) -> Spread:
        """With nan for systems without a figure."""
        covariance, freedoms = np.full((systems, systems), np.nan), np.full(systems, np.nan)
        covariance[np.ix_(defined, defined)], freedoms[defined] = self.covariance, self.freedoms
        return Spread(covariance, freedoms)


def bootstrap_spread(distribution: Array, units: int) -> Spread:
    """The covariance of resampled figures, which is too small by 1 - 1/units; nan for systems undefined too often."""
    systems, is_known = len(distribution), np.isfinite(distribution)
    rows = np.flatnonzero(is_known.mean(axis=1) >= 1 - UNDEFINED_LIMIT)
    known = distribution[rows][:, is_known[rows].all(axis=0)]
    covariance, freedoms = np.full((systems, systems), np.nan), np.full(systems, np.nan)
    if known.shape[1] > 1:
        covariance[np.ix_(rows, rows)] = np.cov(known) * units / (units - 1)
        freedoms[rows] = units - 1
    return Spread(covariance, freedoms)


def jackknife_intervals(jackknife: Jackknife, level: float) -> Intervals:
    """Intervals from standard errors."""
    figures = [jackknife.interval(row, level) for row in range(len(jackknife.left_out))]
    return Intervals(figures, jackknife.difference)


def bootstrap_intervals(
    subject: TestedMeasure,
    distribution: Array,
    jackknife: Array | None,
    units: int,
    level: float,
    *,
    is_biased: bool = False,
) -> Intervals:
    """BCa intervals with a jackknife, BC if resamples are biased, else percentile ones; of differences, percentile.

    Percentile intervals are expanded for few units (see `similitude.stats.expanded_level`); the figure of a measure
    with a cut rests on a few, however many there are. In simulations, BCa intervals of differences cover less than
    percentile intervals do, for every measure. Where no resample varies, see `ConstantFigures`.
    """
    few = _units_that_count(subject, units)
    if is_biased:
        figures = [_bc_interval(subject, row, distribution[row], level) for row in range(len(distribution))]
    elif jackknife is None:
        figures = [_percentile_interval(row, stats.expanded_level(level, few)) for row in distribution]
    else:
        rows = zip(distribution, subject.values.tolist(), jackknife, strict=True)
        figures = [_bca_interval(*row, level) for row in rows]
    same = ConstantFigures(subject, figures, few)

    def difference(one: int, other: int, level: float) -> stats.Interval:
        apart, expanded = distribution[one] - distribution[other], stats.expanded_level(level, units)
        return same.difference(one, other, _percentile_interval(apart, expanded), level)

    return Intervals(same.intervals(level), difference)


def _units_that_count(subject: TestedMeasure, units: int) -> int:
    return min(units, UNITS_OF_CUT) if subject.measure.sampling == "cut" else units


def _percentile_interval(distribution: Array, level: float) -> stats.Interval:
    return _of_known(distribution, lambda known: stats.percentile_interval(known, level))


def _bca_interval(distribution: Array, figure: float, jackknife: Array, level: float) -> stats.Interval:
    left_out = jackknife[np.isfinite(jackknife)]
    found = _of_known(distribution, lambda known: stats.bca_interval(known, figure, left_out, level))
    return stats.holding(found, figure)


def _bc_interval(subject: TestedMeasure, row: int, distribution: Array, level: float) -> stats.Interval:
    value = float(subject.values[row])
    return _of_known(distribution, lambda known: stats.bias_corrected_interval(known, value, level))


def _of_known(distribution: Array, compute: Callable[[Array], stats.Interval]) -> stats.Interval:
    """The interval from the resamples in which the measure is defined, if they are enough."""
    known = distribution[np.isfinite(distribution)]
    unknown = distribution.size - known.size
    if unknown > UNDEFINED_LIMIT * distribution.size:
        reason = f"the measure is undefined in {unknown:,} of {distribution.size:,} resamples"
        return stats.Interval(np.nan, np.nan, reason)
    return compute(known) if unknown == 0 else _with_note(compute(known), unknown, distribution.size)


def _with_note(interval: stats.Interval, unknown: int, resamples: int) -> stats.Interval:
    note = f"left out {unknown:,} of {resamples:,} resamples in which the measure is undefined"
    return interval._replace(reason=note if interval.reason is None else f"{interval.reason}; {note}")


def jackknife_p_values(jackknife: Jackknife) -> PValues:
    """p-values that agree with the intervals of the differences."""
    return _p_values(len(jackknife.left_out), jackknife.p_value)


def bootstrap_p_values(subject: TestedMeasure, distribution: Array) -> PValues:
    """p-values of the paired bootstrap; see `bootstrap_p_value`."""
    values = subject.values
    room = stats.rounding_of(float(np.abs(values).max(initial=0.0)))

    def p_value(one: int, other: int) -> float:
        differences = distribution[one] - distribution[other]
        known = differences[np.isfinite(differences)]
        if known.size < (1 - UNDEFINED_LIMIT) * differences.size:
            return np.nan
        return stats.bootstrap_p_value(known, values[one] - values[other], room)

    is_known = np.isfinite(distribution).astype(np.float64)
    return _p_values(values.size, p_value, floor=1 / (is_known @ is_known.T + 1))


def permutation_p_values(subject: TestedMeasure, permuted: Permuted, permutations: int) -> PValues:
    """p-values of the permutation test: (1 + permutations that reach the observed difference) / (1 + permutations)."""

    def p_value(one: int, other: int) -> float:
        defined = int(permuted.defined[one, other])
        if defined < (1 - UNDEFINED_LIMIT) * permutations:
            return np.nan
        return stats.resampled_p_value(int(permuted.exceeding[one, other]), defined)

    return _p_values(subject.defined.size, p_value, floor=1 / (permuted.defined + 1))


def dependent_p_values(subject: TestedMeasure, test: Literal["williams", "steiger"]) -> PValues:
    """p-values of Williams' or Steiger's test of correlations that share gold."""
    sides = subject.measure.correlated(subject.comparison)
    assert sides is not None  # `confidence` refuses other measures
    gold, rows = sides
    with_gold, number = stats.pearson(gold, rows), gold.size
    compute = stats.williams_p_value if test == "williams" else stats.steiger_p_value

    def p_value(one: int, other: int) -> float:
        between = float(stats.pearson(rows[one], rows[other]))
        return compute(float(with_gold[one]), float(with_gold[other]), between, number)

    return _p_values(subject.defined.size, p_value)


def of_every_pair(p_values: PValues, defined: Integers, systems: int) -> PValues:
    """p-values of all pairs, systems x systems, symmetric; nan for systems without a figure."""
    values, is_floor = np.full((systems, systems), np.nan), np.zeros((systems, systems), dtype=np.bool_)
    above = np.triu_indices(defined.size, 1)
    rows, columns = defined[above[0]], defined[above[1]]
    values[rows, columns] = values[columns, rows] = p_values.values[above]
    is_floor[rows, columns] = is_floor[columns, rows] = p_values.is_floor[above]
    return PValues(values, is_floor)


def _p_values(systems: int, p_value: Callable[[int, int], float], floor: Array | float = 0.0) -> PValues:
    values = np.full((systems, systems), np.nan)
    for one, other in _pairs(systems):
        values[one, other] = p_value(one, other)
    with np.errstate(invalid="ignore"):
        return PValues(values, np.asarray(values <= floor * (1 + 1e-9)) & (floor > 0))


def _pairs(systems: int) -> Iterator[tuple[int, int]]:
    return ((one, other) for one in range(systems) for other in range(one + 1, systems))
