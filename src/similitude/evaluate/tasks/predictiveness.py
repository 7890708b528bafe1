"""Predictiveness: how well the ranking on a benchmark predicts the ranking in a task, with intervals.

A measure predicts a task well if it ranks systems as the task does: rho (Spearman, average ranks for ties) close to 1,
mean absolute (MAD) and mean squared (MSD) difference of ranks close to 0. Its uncertainty has three sources, which are
resampled together: the benchmark's items, the task's units, and the systems.

Reference: Reimers, Beyer and Gurevych (2016), section 3 and table 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from similitude import stats
from similitude.errors import ArgumentError
from similitude.stats import Interval
from similitude.stats.arrays import Array, Booleans

__all__ = [
    "FEWEST_SYSTEMS",
    "Predictiveness",
    "PredictivenessCell",
    "RankAgreement",
    "Standings",
    "predictiveness",
    "rank_agreement",
]


FEWEST_SYSTEMS = 5
"""With fewer systems a ranking is uninformative: of four systems, one order in 24 is right by chance."""

PAPER_SYSTEMS = 14
USUAL = "pearson"


class RankAgreement(NamedTuple):
    """Agreement of two rankings along the last axis.

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
    gap = one - other
    return RankAgreement(stats.pearson(one, other), np.abs(gap).mean(axis=-1), (gap**2).mean(axis=-1))


@dataclass(frozen=True, kw_only=True, eq=False)
class Standings:
    """Figures of systems, higher is better, in the sample and in each resample.

    Attributes:
        names: column names.
        values: systems x columns; nan where a system has no figure.
        resampled: columns x systems x resamples; None without resampling.
    """

    names: tuple[str, ...]
    values: Array
    resampled: Array | None = None


class PredictivenessCell(NamedTuple):
    """How well one ranking predicts another.

    Attributes:
        rho: Spearman's correlation of the two rankings; nan where either is all ties.
        mad: mean absolute difference of ranks.
        msd: mean squared difference of ranks.
        interval: interval of rho; nan with the reason if there are too few systems.
        systems: number of ranked systems, which have both figures.
        ahead_of_pearson: interval of rho minus the rho of Pearson's ranking, if Pearson is among the measures.
    """

    rho: float
    mad: float
    msd: float
    interval: Interval
    systems: int
    ahead_of_pearson: Interval


@dataclass(frozen=True, kw_only=True, eq=False)
class Predictiveness:
    """How well measures, and other tasks, predict tasks.

    Attributes:
        measures: row names.
        tasks: column names.
        by_measure: measures x tasks.
        by_task: tasks x tasks: how well each task predicts each other.
        places: measures x tasks: rank of the measure in predicting the task, 1 = best, ties share the lowest rank.
        level: confidence level.
        notes: caveats.
    """

    measures: tuple[str, ...]
    tasks: tuple[str, ...]
    by_measure: tuple[tuple[PredictivenessCell, ...], ...]
    by_task: tuple[tuple[PredictivenessCell, ...], ...]
    places: tuple[tuple[int, ...], ...]
    level: float
    notes: tuple[str, ...] = ()

    def sorted_measures(self, task: int = 0) -> list[int]:
        """Indices of the measures, the most predictive of this task first, as table 2 is sorted by its first task."""
        rho = [_or_last(row[task].rho) for row in self.by_measure]
        return sorted(range(len(rho)), key=lambda row: -rho[row])


def predictiveness(
    measured: Standings, achieved: Standings, *, rng: np.random.Generator, level: float = 0.95
) -> Predictiveness:
    """Compare the ranking under every measure with the ranking in every task.

    A system without a figure on a measure is left out of that row; the others are ranked among themselves.

    Args:
        measured: systems x measures, with signs such that higher is better.
        achieved: systems x tasks.
        rng: draws the systems.
        level: confidence level.

    Raises:
        ArgumentError: there are fewer than two systems.
    """
    systems = len(measured.values)
    if systems < 2:
        raise ArgumentError(
            f"{systems} system cannot be ranked", remedy="give two or more, and at least five for a meaningful result"
        )
    draws = None if measured.resampled is None else rng.random((measured.resampled.shape[-1], systems))
    compare = _Comparer(achieved, draws, level)
    usual = None
    if USUAL in measured.names:
        usual = compare.ranking(measured, measured.names.index(USUAL))
    by_measure = [compare.row(compare.ranking(measured, place), usual) for place in range(len(measured.names))]
    by_task = [compare.row(compare.ranking(achieved, place), usual) for place in range(len(achieved.names))]
    rho = np.array([[_or_last(cell.rho) for cell in row] for row in by_measure]).reshape(len(by_measure), -1)
    places = np.stack([stats.competition_ranks(column) for column in rho.T], axis=1)
    return Predictiveness(
        measures=measured.names,
        tasks=achieved.names,
        by_measure=tuple(by_measure),
        by_task=tuple(by_task),
        places=tuple(tuple(int(place) for place in row) for row in places),
        level=level,
        notes=tuple(_notes(systems, by_measure, measured.names)),
    )


class _Ranking(NamedTuple):
    """One column of `Standings`."""

    values: Array
    resampled: Array | None


class _Comparer:
    """Compares rankings with those of the tasks, over the systems that have both figures."""

    def __init__(self, tasks: Standings, draws: Array | None, level: float) -> None:
        self._tasks = [self.ranking(tasks, place) for place in range(len(tasks.names))]
        self._draws, self._level = draws, level

    def ranking(self, standings: Standings, place: int) -> _Ranking:
        drawn = None if standings.resampled is None else standings.resampled[place]
        return _Ranking(standings.values[:, place], drawn)

    def row(self, ranking: _Ranking, usual: _Ranking | None) -> tuple[PredictivenessCell, ...]:
        return tuple(self._cell(ranking, task, usual) for task in self._tasks)

    def _cell(self, ranking: _Ranking, task: _Ranking, usual: _Ranking | None) -> PredictivenessCell:
        both = np.isfinite(ranking.values) & np.isfinite(task.values)
        number = int(both.sum())
        if number < 2:
            none = Interval(np.nan, np.nan, f"{number} systems have both figures")
            return PredictivenessCell(np.nan, np.nan, np.nan, none, number, none)
        found = rank_agreement(*(stats.average_ranks(each.values[both]) for each in (ranking, task)))
        rho = self._drawn_rho(ranking, task, both)
        reason = _too_few(number)
        ahead: Array | None = None
        if usual is not None and rho is not None:
            others = self._drawn_rho(usual, task, np.isfinite(usual.values) & np.isfinite(task.values))
            ahead = None if others is None else rho - others
        return PredictivenessCell(
            float(found.rho),
            float(found.mad),
            float(found.msd),
            self._interval(rho, reason),
            number,
            self._interval(ahead, reason if usual is not None else f"{USUAL} is not among the measures"),
        )

    def _drawn_rho(self, one: _Ranking, other: _Ranking, both: Booleans) -> Array | None:
        """Rho in every resample of items, units and systems; the same draws of systems for every ranking."""
        if self._draws is None or one.resampled is None or other.resampled is None:
            return None
        number = int(both.sum())
        chosen = np.flatnonzero(both)[(self._draws[:, :number] * number).astype(np.intp)]
        each = np.arange(len(chosen))[:, None]
        # A figure that is undefined in a resample ranks last there.
        drawn = (np.nan_to_num(part.T[each, chosen], nan=-np.inf) for part in (one.resampled, other.resampled))
        return stats.pearson(*map(stats.average_ranks, drawn))

    def _interval(self, distribution: Array | None, reason: str | None) -> Interval:
        if distribution is None or reason:
            return Interval(np.nan, np.nan, reason or "nothing was resampled")
        known = distribution[np.isfinite(distribution)]
        if known.size < distribution.size / 2:
            return Interval(np.nan, np.nan, "all systems tie in most resamples")
        return stats.percentile_interval(known, self._level)


def _or_last(rho: float) -> float:
    return -np.inf if np.isnan(rho) else rho


def _too_few(systems: int) -> str | None:
    what = f"{systems} systems are too few: give at least {FEWEST_SYSTEMS} (the paper had {PAPER_SYSTEMS})"
    return what if systems < FEWEST_SYSTEMS else None


def _notes(systems: int, rows: Sequence[tuple[PredictivenessCell, ...]], names: Sequence[str]) -> Iterator[str]:
    if reason := _too_few(systems):
        yield reason
    elif systems < PAPER_SYSTEMS:
        yield f"{systems} systems: intervals are wide; the paper had {PAPER_SYSTEMS}"
    for name, row in zip(names, rows, strict=True):
        fewest = min(cell.systems for cell in row)
        if fewest < systems:
            yield f"{name}: over the {fewest} of {systems} systems that have a figure"
