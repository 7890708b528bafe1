"""Does the ranking on a benchmark predict the ranking in a task? The task-oriented paper's section 3, with intervals.

A measure predicts a task well where it ranks systems as the task does: rho (Spearman, average ranks for ties) close to
1, mean absolute (MAD) and mean squared (MSD) difference of ranks close to 0. How sure that is depends on three things
that could have come out otherwise, and all three are resampled together: the benchmark's items, the task's units, and
the systems.

Reference: Reimers, Beyer and Gurevych (2016), section 3 and table 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude import stats
from similitude.errors import ArgumentError
from similitude.stats import Interval

__all__ = ["FEWEST_SYSTEMS", "Predictiveness", "RankAgreement", "Standings", "predictiveness", "rank_agreement"]

Array = NDArray[np.float64]

FEWEST_SYSTEMS = 5
"""With fewer systems no ranking says anything: of four, one order in 24 is right by accident."""

PAPER_SYSTEMS = 14


class RankAgreement(NamedTuple):
    """How alike two rankings are; along the last axis, so that many are one call.

    Attributes:
        rho: Pearson's r of the ranks; nan where either ranking is all ties.
        mad: mean absolute difference of ranks.
        msd: mean squared difference of ranks.
    """

    rho: Array
    mad: Array
    msd: Array


def rank_agreement(one: Array, other: Array) -> RankAgreement:
    """Agreement of two arrays of ranks along the last axis.

    >>> found = rank_agreement(np.array([1.0, 2, 3, 4, 5]), np.array([2.0, 1, 4, 3, 5]))
    >>> float(found.rho), float(found.mad), float(found.msd)
    (0.8, 0.8, 0.8)
    """
    gap = np.asarray(one, dtype=np.float64) - other
    rho = stats.pearson(np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64))
    return RankAgreement(rho, np.abs(gap).mean(axis=-1), (gap**2).mean(axis=-1))


@dataclass(frozen=True, kw_only=True, eq=False)
class Predictiveness:
    """How well measures, and other tasks, predict tasks.

    Attributes:
        measures: names of the rows.
        tasks: names of the columns.
        systems: how many were ranked.
        measure_ranks: systems x measures, 1 = best, average ranks.
        task_ranks: systems x tasks.
        agreement: measures x tasks each of rho, mad, msd.
        rho_intervals: measures x tasks; nan with the reason where there are too few systems.
        rho_places: measures x tasks: which measure predicts the task best, 1 = best, ties share the lowest place.
        beats_pearson: measures x tasks: interval of rho minus Pearson's rho; nan where Pearson is not among them.
        between_tasks: tasks x tasks each of rho, mad, msd.
        between_intervals: tasks x tasks.
        notes: what has to be known of all of it.
    """

    measures: tuple[str, ...]
    tasks: tuple[str, ...]
    systems: int
    measure_ranks: Array
    task_ranks: Array
    agreement: RankAgreement
    rho_intervals: tuple[tuple[Interval, ...], ...]
    rho_places: NDArray[np.intp]
    beats_pearson: tuple[tuple[Interval, ...], ...]
    between_tasks: RankAgreement
    between_intervals: tuple[tuple[Interval, ...], ...]
    notes: tuple[str, ...] = ()

    def sorted_measures(self, task: int = 0) -> list[int]:
        """Places of the measures, the most predictive of this task first; as table 2 is sorted by its first task."""
        rho = np.nan_to_num(self.agreement.rho[:, task], nan=-2.0)
        return [int(place) for place in np.argsort(-rho, kind="stable")]


@dataclass(frozen=True, kw_only=True, eq=False)
class Standings:
    """Figures of systems, where higher is better, and what they became in each resample.

    Attributes:
        names: of the columns.
        values: systems x columns.
        resampled: columns x systems x resamples; None where nothing was resampled.
    """

    names: tuple[str, ...]
    values: Array
    resampled: Array | None = None


def predictiveness(
    measured: Standings, achieved: Standings, *, rng: np.random.Generator, level: float = 0.95
) -> Predictiveness:
    """Lay the ranking under every measure against the ranking in every task.

    Systems without a figure on some measure or task take no part.

    Args:
        measured: systems x measures, turned so that higher is better.
        achieved: systems x tasks.
        rng: draws the systems.
        level: of the intervals.

    Raises:
        ArgumentError: fewer than two systems have a figure everywhere.
    """
    whole: NDArray[np.bool_] = np.isfinite(np.concatenate([measured.values, achieved.values], axis=1)).all(axis=1)
    systems = int(whole.sum())
    if systems < 2:
        what = f"{systems} of {whole.size} systems have a figure on every measure and task"
        raise ArgumentError(what, remedy="two are needed to rank anything; five or more to learn from it")
    one, other = (_ranks(standing.values[whole].T) for standing in (measured, achieved))
    drawn = _Drawn.of(measured, achieved, whole, rng)
    agreement = rank_agreement(one[:, None], other[None])
    reason = _too_few(systems)
    pearson = list(measured.names).index("pearson") if "pearson" in measured.names else None
    return Predictiveness(
        measures=measured.names,
        tasks=achieved.names,
        systems=systems,
        measure_ranks=one.T,
        task_ranks=other.T,
        agreement=agreement,
        rho_intervals=_intervals(drawn.rho() if drawn else None, agreement.rho, level, reason),
        rho_places=_places(agreement.rho),
        beats_pearson=_against(drawn, agreement.rho, pearson, level, reason),
        between_tasks=rank_agreement(other[:, None], other[None]),
        between_intervals=_between(drawn, other, level, reason),
        notes=tuple(_notes(systems, int((~whole).sum()))),
    )


def _ranks(values: Array) -> Array:
    """1 for the highest along the last axis, average ranks for ties."""
    return stats.average_ranks(-values)


def _places(rho: Array) -> NDArray[np.intp]:
    known = np.nan_to_num(rho, nan=-2.0)
    return np.stack([stats.competition_ranks(column) for column in known.T], axis=1).astype(np.intp)


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Ranks in every resample: columns x resamples x systems drawn."""

    measures: Array
    tasks: Array

    @classmethod
    def of(
        cls, measured: Standings, achieved: Standings, whole: NDArray[np.bool_], rng: np.random.Generator
    ) -> _Drawn | None:
        if measured.resampled is None or achieved.resampled is None:
            return None
        count, resamples = int(whole.sum()), measured.resampled.shape[-1]
        chosen = np.flatnonzero(whole)[rng.integers(0, count, (resamples, count))]
        each = np.arange(resamples)[:, None]
        both = (measured.resampled, achieved.resampled)
        return cls(*(_ranks(np.stack([column.T[each, chosen] for column in kind])) for kind in both))

    def rho(self) -> Array:
        """Measures x tasks x resamples."""
        return np.stack([stats.pearson(self.measures, task[None]) for task in self.tasks], axis=1)

    def rho_between(self) -> Array:
        """Tasks x tasks x resamples."""
        return np.stack([stats.pearson(self.tasks, task[None]) for task in self.tasks], axis=1)


def _interval(distribution: Array, level: float) -> Interval:
    known = distribution[np.isfinite(distribution)]
    if known.size < distribution.size / 2:
        return Interval(np.nan, np.nan, "in most resamples all systems tie")
    return stats.percentile_interval(known, level)


def _intervals(drawn: Array | None, like: Array, level: float, reason: str) -> tuple[tuple[Interval, ...], ...]:
    if drawn is None or reason:
        none = Interval(np.nan, np.nan, reason or "nothing was resampled")
        return tuple(tuple(none for _ in row) for row in like)
    return tuple(tuple(_interval(cell, level) for cell in row) for row in drawn)


def _against(
    drawn: _Drawn | None, rho: Array, pearson: int | None, level: float, reason: str
) -> tuple[tuple[Interval, ...], ...]:
    if pearson is None:
        return _intervals(None, rho, level, "Pearson is not among the measures")
    if drawn is None:
        return _intervals(None, rho, level, reason)
    all_rho = drawn.rho()
    return _intervals(all_rho - all_rho[pearson], rho, level, reason)


def _between(drawn: _Drawn | None, ranks: Array, level: float, reason: str) -> tuple[tuple[Interval, ...], ...]:
    like = np.zeros((len(ranks), len(ranks)))
    return _intervals(None if drawn is None else drawn.rho_between(), like, level, reason)


def _too_few(systems: int) -> str:
    if systems >= FEWEST_SYSTEMS:
        return ""
    return f"{systems} systems are too few to tell: give at least {FEWEST_SYSTEMS} (the paper had {PAPER_SYSTEMS})"


def _notes(systems: int, left_out: int) -> Sequence[str]:
    found = []
    if left_out:
        found.append(f"{left_out} systems without a figure on some measure or task were left out")
    if systems < FEWEST_SYSTEMS:
        found.append(_too_few(systems))
    elif systems < PAPER_SYSTEMS:
        found.append(f"{systems} systems: intervals are wide; the paper had {PAPER_SYSTEMS}")
    return found
