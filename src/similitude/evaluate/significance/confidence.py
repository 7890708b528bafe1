"""Confidence intervals, p-values between systems, and ranks with ties, from resampling the items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from similitude import stats
from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.measure import Measure
from similitude.evaluate.significance.inference import (
    Method,
    corrected_p_values,
    intervals_of,
    p_values_of_bootstrap,
    p_values_of_permutations,
)
from similitude.evaluate.significance.resampler import Progress, Resampler
from similitude.evaluate.significance.tested_measure import TestedMeasure, subjects_of
from similitude.evaluate.significance.tied_ranks import TiedRank, tied_ranks
from similitude.stats import Interval
from similitude.stats.arrays import Array, Integers
from similitude.stats.finite import finite_or_none

__all__ = ["Confidence", "Test", "confidence", "enough_resamples"]

Test = Literal["bootstrap", "permutation"]
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, eq=False)
class Confidence:
    """Intervals, p-values and ranks of every figure.

    Attributes:
        level: confidence level of the intervals; p-values are significant at 1 - level.
        method: "bca" or "percentile".
        test: "bootstrap" or "permutation".
        resamples: number of resamples.
        groups: number of groups that were resampled; None if items were.
        seed: random seed.
        intervals: systems x measures; nan with a reason where undefined.
        p_values: measures x systems x systems, two-sided, Holm-corrected within each measure; nan where undefined.
        ranks: systems x measures.
        notes: caveats.
    """

    level: float
    method: str
    test: str
    resamples: int
    groups: int | None
    seed: int
    intervals: tuple[tuple[Interval, ...], ...]
    p_values: Array
    ranks: tuple[tuple[TiedRank, ...], ...]
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
            "intervals": [[_plain(interval) for interval in row] for row in self.intervals],
            "p_values": [[[finite_or_none(p) for p in row] for row in matrix] for matrix in self.p_values.tolist()],
            "ranks": [[rank._asdict() for rank in row] for row in self.ranks],
            "notes": list(self.notes),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Confidence:
        """Rebuild from `record`."""
        intervals = tuple(tuple(_interval(interval) for interval in row) for row in record["intervals"])
        ranks = tuple(tuple(TiedRank(**rank) for rank in row) for row in record["ranks"])
        p_values = np.array(record["p_values"], dtype=np.float64)  # None becomes nan
        kept = {name: record[name] for name in ("level", "method", "test", "resamples", "groups", "seed")}
        return cls(**kept, intervals=intervals, ranks=ranks, p_values=p_values, notes=tuple(record["notes"]))


def confidence(
    comparison: Comparison,
    measures: Sequence[Measure],
    *,
    groups: Integers | None = None,
    level: float = 0.95,
    method: Method = "bca",
    test: Test = "bootstrap",
    resamples: int = 2000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Confidence:
    """Resample the items for the uncertainty of every figure, difference and rank.

    All systems and measures see the same resamples, so variation that two systems share (easy items, odd gold) does not
    hide their difference.

    In simulations (tests/evaluate/test_significance_simulation.py) both tests keep their level. The bootstrap is
    conservative for rank correlations on fewer than 100 items, because drawing an item twice makes a tie; the
    permutation test has more power there. nDCG@k depends on k items: its 95 % BCa intervals covered the truth in 90 %
    of samples of 200 items, its percentile intervals in 96 %.

    Args:
        comparison: gold against the predictions of all systems.
        measures: the measures.
        groups: group number of each item. Items that share a dialogue or a sentence pair are not independent, so whole
            groups are drawn and swapped.
        level: confidence level; systems are told apart at 1 - level.
        method: "bca" (bias-corrected and accelerated) or "percentile".
        test: "bootstrap" (paired, see `similitude.stats.bootstrap_p_value`) or "permutation" (the two systems swap
            their predictions for each item or group with probability 1/2; measures that look at correlation or order
            alone swap standardised predictions or ranks). The bootstrap tests whether two figures differ, the
            permutation test whether two systems are exchangeable.
        resamples: number of resamples, and of permutations.
        seed: the same seed gives the same result.
        progress: called a few dozen times at most with "resampling", the number done, and the total.

    >>> from similitude.evaluate.measures import make_measure
    >>> rng = np.random.default_rng(0)
    >>> gold = rng.normal(size=200)
    >>> near, far = gold + rng.normal(0, 0.3, 200), gold + rng.normal(0, 1.5, 200)
    >>> sure = confidence(Comparison.of_scores(gold, np.stack([near, far])), [make_measure("pearson")])
    >>> [rank.letters for rank, in sure.ranks]
    ['a', 'b']
    """
    _check(level, method, test, resamples)
    units, subjects = _units(comparison, groups), subjects_of(comparison, measures)
    resampler = Resampler(subjects, units, comparison.gold.size, seed, progress)
    found = _Findings.of(resampler, level, method, test, resamples) if units.number > 1 else _Findings.of_one(resampler)
    p_values = [
        corrected_p_values(each, subject.defined, comparison.systems)
        for each, subject in zip(found.p_values, subjects, strict=True)
    ]
    ranks = [_ranks(subject, each, 1 - level) for subject, each in zip(subjects, p_values, strict=True)]
    return Confidence(
        level=level,
        method=method,
        test=test,
        resamples=resamples,
        groups=None if groups is None else units.number,
        seed=seed,
        intervals=_by_system(found.intervals, comparison.systems),
        p_values=np.array(p_values).reshape(len(subjects), comparison.systems, comparison.systems),
        ranks=_by_system(ranks, comparison.systems),
        notes=_notes(subjects, resamples, 1 - level),
    )


class _Findings(NamedTuple):
    """Intervals and uncorrected p-values of every measure."""

    intervals: list[list[Interval]]
    p_values: list[Array]

    @classmethod
    def of(cls, resampler: Resampler, level: float, method: Method, test: Test, resamples: int) -> _Findings:
        subjects, is_bca, is_permuted = resampler.subjects, method == "bca", test == "permutation"
        resampler.total = resamples * (1 + is_permuted) + resampler.jackknife_size() * is_bca
        distributions = resampler.bootstrap(resamples)
        jackknifes = resampler.jackknife() if is_bca else [None] * len(subjects)
        intervals = [
            intervals_of(subject, distribution, jackknife, level)
            for subject, distribution, jackknife in zip(subjects, distributions, jackknifes, strict=True)
        ]
        if is_permuted:
            each = zip(subjects, resampler.permutations(resamples), strict=True)
            return cls(intervals, [p_values_of_permutations(*pair, resamples) for pair in each])
        return cls(intervals, [p_values_of_bootstrap(*pair) for pair in zip(subjects, distributions, strict=True)])

    @classmethod
    def of_one(cls, resampler: Resampler) -> _Findings:
        """A single item or group cannot be resampled."""
        reason = f"only 1 {'item' if resampler.units.of_item is None else 'group'}: there is nothing to resample"
        intervals = [
            [Interval(np.nan, np.nan, figure.reason or reason) for figure in subject.figures]
            for subject in resampler.subjects
        ]
        return cls(intervals, [np.full((s.defined.size,) * 2, np.nan) for s in resampler.subjects])


def _check(level: float, method: str, test: str, resamples: int) -> None:
    if not 0 < level < 1:
        raise ArgumentError(f"{level:g} is not a confidence level", remedy="give one between 0 and 1, such as 0.95")
    if resamples < 1:
        raise ArgumentError(f"cannot draw {resamples} resamples", remedy="draw 1,000 or more")
    for kind, given, known in (("method", method, get_args(Method)), ("test", test, get_args(Test))):
        if given not in known:
            raise ArgumentError(f"no {kind} named '{given}'", remedy=f"known: {', '.join(known)}")


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


def enough_resamples(systems: int, level: float = 0.95) -> int:
    """The resamples needed to tell systems apart: 2,000, or more if Holm's correction covers many pairs.

    The smallest p-value is 1 / (resamples + 1), and Holm multiplies it by the number of pairs. The result is twice the
    number that brings it below 1 - level.

    >>> [enough_resamples(systems) for systems in (2, 10, 15, 30)]
    [2000, 2000, 4200, 17400]
    """
    pairs = systems * (systems - 1) // 2
    return max(2000, round(2 * pairs / (1 - level)))


def _notes(subjects: Sequence[TestedMeasure], resamples: int, alpha: float) -> tuple[str, ...]:
    """A note if there are too few resamples for any p-value to stay significant after Holm's correction."""
    systems = max((subject.defined.size for subject in subjects), default=0)
    pairs = systems * (systems - 1) // 2
    if pairs == 0 or pairs / (resamples + 1) <= alpha:
        return ()
    enough = int(np.ceil(pairs / alpha))
    return (f"{resamples:,} resamples are too few to tell any of {systems} systems apart: draw at least {enough:,}",)


def _by_system(by_measure: Sequence[Sequence[T]], systems: int) -> tuple[tuple[T, ...], ...]:
    return tuple(tuple(each[system] for each in by_measure) for system in range(systems))


def _plain(interval: Interval) -> dict[str, Any]:
    return {"low": finite_or_none(interval.low), "high": finite_or_none(interval.high), "reason": interval.reason}


def _interval(record: Mapping[str, Any]) -> Interval:
    low, high = (np.nan if record[end] is None else float(record[end]) for end in ("low", "high"))
    return Interval(low, high, record["reason"])
