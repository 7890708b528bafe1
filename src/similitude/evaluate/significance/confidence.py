"""Confidence intervals, p-values between systems, and ranks with ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from similitude import stats
from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.measure import Measure
from similitude.evaluate.significance.findings import Findings
from similitude.evaluate.significance.plan import Method, Plan, Test
from similitude.evaluate.significance.resampler import Progress
from similitude.evaluate.significance.tested_measure import TestedMeasure, subjects_of
from similitude.evaluate.significance.tied_ranks import TiedRank, tied_ranks
from similitude.stats import Interval
from similitude.stats.arrays import Array, Booleans, Integers
from similitude.stats.finite import finite_or_none

__all__ = ["Confidence", "confidence"]

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, eq=False)
class Confidence:
    """Intervals, p-values and ranks of every figure.

    Attributes:
        level: confidence level of the intervals; p-values are significant at 1 - level.
        method: of the intervals, as asked for: "auto", "jackknife", "bca" or "percentile".
        test: as asked for: "auto", "bootstrap", "permutation", "williams" or "steiger".
        resamples: number of resamples; 0 if none were needed.
        groups: number of groups that were drawn or left out as one; None if items were.
        seed: random seed.
        methods: of the intervals, for each measure: "jackknife", "bca" or "percentile".
        tests: for each measure: "jackknife", "bootstrap", "permutation", "williams" or "steiger".
        intervals: systems x measures; nan with a reason where undefined.
        differences: measures x systems x systems: intervals of the figure of the first minus that of the second. One
            leaves out 0 exactly if its p-value is not above 1 - level.
        p_values: measures x systems x systems, two-sided, corrected for all pairs of systems on a measure (step-down
            max-T); nan where undefined.
        criticals: of the same shape: how many standard errors the intervals of differences reach.
        single_p_values: of the same shape, each as if its pair were the only one.
        is_floor: of the same shape: where so many resamples can give no smaller p-value, so that it is an upper limit.
        ranks: systems x measures.
        units: number of items, or of groups where whole groups were left out or drawn; 0 if it is not known.
        covariances: measures x systems x systems, of the figures; nan where undefined.
        freedoms: measures x systems, the degrees of freedom of these; infinite for a share of independent items.
        notes: caveats.
    """

    level: float
    method: str
    test: str
    resamples: int
    groups: int | None
    seed: int
    methods: tuple[str, ...]
    tests: tuple[str, ...]
    intervals: tuple[tuple[Interval, ...], ...]
    differences: tuple[tuple[tuple[Interval, ...], ...], ...]
    p_values: Array
    criticals: Array
    single_p_values: Array
    is_floor: Booleans
    ranks: tuple[tuple[TiedRank, ...], ...]
    units: int
    covariances: Array
    freedoms: Array
    notes: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "level": self.level,
            "method": self.method,
            "test": self.test,
            "resamples": self.resamples,
            "groups": self.groups,
            "seed": self.seed,
            "methods": list(self.methods),
            "tests": list(self.tests),
            "intervals": [[_plain(interval) for interval in row] for row in self.intervals],
            "differences": [[[_plain(interval) for interval in row] for row in each] for each in self.differences],
            "p_values": _plain_matrices(self.p_values),
            "criticals": _plain_matrices(self.criticals),
            "single_p_values": _plain_matrices(self.single_p_values),
            "is_floor": self.is_floor.tolist(),
            "ranks": [[rank._asdict() for rank in row] for row in self.ranks],
            "units": self.units,
            "covariances": _plain_matrices(self.covariances),
            "freedoms": [[_plain_freedom(freedom) for freedom in row] for row in self.freedoms.tolist()],
            "notes": list(self.notes),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Confidence:
        """Rebuild from `record`; runs of earlier versions have one method, one test, no differences, no covariances."""
        p_values = np.array(record["p_values"], dtype=np.float64)  # None becomes nan
        unknown = np.full(p_values.shape, np.nan)
        kept = {name: record[name] for name in ("level", "method", "test", "resamples", "groups", "seed")}
        differences = record.get("differences", [])
        return cls(
            **kept,
            methods=tuple(record.get("methods", [record["method"]] * len(p_values))),
            tests=tuple(record.get("tests", [record["test"]] * len(p_values))),
            intervals=tuple(tuple(_interval(interval) for interval in row) for row in record["intervals"]),
            differences=tuple(tuple(tuple(_interval(one) for one in row) for row in each) for each in differences),
            p_values=p_values,
            criticals=np.array(record.get("criticals", unknown), dtype=np.float64),
            single_p_values=np.array(record.get("single_p_values", unknown), dtype=np.float64),
            is_floor=np.array(record.get("is_floor", np.zeros(p_values.shape)), dtype=np.bool_).reshape(p_values.shape),
            ranks=tuple(tuple(TiedRank(**rank) for rank in row) for row in record["ranks"]),
            units=record.get("units", 0),
            covariances=np.array(record.get("covariances", unknown), dtype=np.float64),
            freedoms=np.array(record.get("freedoms", unknown[:, 0]), dtype=np.float64),
            notes=tuple(record["notes"]),
        )


def confidence(
    comparison: Comparison,
    measures: Sequence[Measure],
    *,
    groups: Integers | None = None,
    level: float = 0.95,
    method: Method = "auto",
    test: Test = "auto",
    resamples: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Confidence:
    """The uncertainty of every figure, difference and rank.

    Differences are paired: variation that two systems share (easy items, odd gold) does not hide their difference.
    docs/confidence.md has the simulated coverage of every method; `python benchmarks/coverage.py` repeats it.

    Args:
        comparison: gold against the predictions of all systems.
        measures: the measures.
        groups: group number of each item. Items that share a dialogue or a sentence pair are not independent, so whole
            groups are left out, drawn and swapped.
        level: confidence level; systems differ significantly at 1 - level.
        method: of intervals. "jackknife" takes the standard error from the figures without each item (for rank
            correlations: from influence values) and adds what is known of the measure (`Measure.sampling`): Fisher's z
            scale for correlations, Wilson's interval for shares, a correction for skewness for errors. "bca"
            (bias-corrected and accelerated) and "percentile" are bootstrap intervals. "auto" is the jackknife, but
            percentile for nDCG@k and nCG@k, which depend on few items, and BCa for measures of which nothing is known.
            With ``resamples``, "auto" is the bootstrap for all: percentile for nDCG@k and nCG@k, else BCa. Where
            answers of a language model were replaced by random draws, "auto" and "jackknife" are percentile, since
            every resample draws anew.
        test: "auto" agrees with the intervals of differences (jackknife), and is the bootstrap where intervals are
            bootstrapped. "bootstrap": see `similitude.stats.bootstrap_p_value`. "permutation": two systems swap their
            predictions for each item or group with probability 1/2; measures that look at correlation or order alone
            swap standardised predictions or ranks. It tests whether two systems are exchangeable, the others whether
            two figures differ. "williams" and "steiger": for correlations that share gold; exact for Pearson's r of
            normal data, an approximation for Spearman's rho; not for groups.
        resamples: number of resamples, and of permutations. By default 2,000, or more for many systems, and only where
            the method or the test needs them.
        seed: the same seed gives the same result.
        progress: called a few dozen times at most with "resampling", the number done, and the total.

    Raises:
        ArgumentError: an argument is wrong, or the test does not fit the measures or the groups.

    >>> from similitude.evaluate.measures import make_measure
    >>> rng = np.random.default_rng(0)
    >>> gold = rng.normal(size=200)
    >>> near, far = gold + rng.normal(0, 0.3, 200), gold + rng.normal(0, 1.5, 200)
    >>> sure = confidence(Comparison.of_scores(gold, np.stack([near, far])), [make_measure("pearson")])
    >>> [rank.letters for rank, in sure.ranks]
    ['a', 'b']
    """
    plan = Plan(
        level=level,
        method=method,
        test=test,
        resamples=resamples,
        seed=seed,
        systems=comparison.systems,
        redraws=comparison.redraws is not None,
    )
    plan.check(measures, is_grouped=groups is not None)
    units, subjects = _units(comparison, groups), subjects_of(comparison, measures)
    found = Findings.of(plan, subjects, units, progress)
    ranks = [_ranks(subject, each.p_values, 1 - level) for subject, each in zip(subjects, found.pairs, strict=True)]
    shape = len(subjects), comparison.systems, comparison.systems
    return Confidence(
        level=level,
        method=method,
        test=test,
        resamples=plan.number if plan.is_resampled(measures) else 0,
        groups=None if groups is None else units.number,
        seed=seed,
        methods=tuple(plan.method_of(measure) for measure in measures),
        tests=tuple(plan.test_of(measure) for measure in measures),
        intervals=_by_system(found.figures, comparison.systems),
        differences=tuple(each.differences for each in found.pairs),
        p_values=np.array([each.p_values for each in found.pairs]).reshape(shape),
        criticals=np.array([each.criticals for each in found.pairs]).reshape(shape),
        single_p_values=np.array([each.values for each in found.p_values]).reshape(shape),
        is_floor=np.array([each.is_floor for each in found.p_values], dtype=np.bool_).reshape(shape),
        ranks=_by_system(ranks, comparison.systems),
        units=units.number,
        covariances=np.array([each.covariance for each in found.spreads]).reshape(shape),
        freedoms=np.array([each.freedoms for each in found.spreads]).reshape(shape[:2]),
        notes=plan.notes(subjects),
    )


def _units(comparison: Comparison, groups: Integers | None) -> stats.Units:
    items = comparison.gold.size
    if groups is None:
        return stats.Units(items)
    if np.shape(groups) != (items,):
        raise ArgumentError(f"groups of {np.size(groups)} items for {items} items", remedy="give each item its group")
    return stats.Units.of_groups(np.asarray(groups))


def _ranks(subject: TestedMeasure, p_values: Array, alpha: float) -> list[TiedRank]:
    figures = np.array([figure.value for figure in subject.figures])
    return tied_ranks(figures, p_values, alpha, higher_is_better=subject.measure.higher_is_better)


def _by_system(by_measure: Sequence[Sequence[T]], systems: int) -> tuple[tuple[T, ...], ...]:
    return tuple(tuple(each[system] for each in by_measure) for system in range(systems))


def _plain(interval: Interval) -> dict[str, Any]:
    return {"low": finite_or_none(interval.low), "high": finite_or_none(interval.high), "reason": interval.reason}


def _plain_matrices(values: Array) -> list[list[list[float | None]]]:
    return [[[finite_or_none(value) for value in row] for row in matrix] for matrix in values.tolist()]


def _plain_freedom(freedom: float) -> float | str | None:
    """JSON has no infinity; "inf" is read back as one."""
    return "inf" if freedom == np.inf else finite_or_none(freedom)


def _interval(record: Mapping[str, Any]) -> Interval:
    low, high = (np.nan if record[end] is None else float(record[end]) for end in ("low", "high"))
    return Interval(low, high, record["reason"])
