"""Intervals and p-values of all measures, each by its own method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from similitude import stats
from similitude.evaluate.measures.measure import ALWAYS_NO, ALWAYS_YES
from similitude.evaluate.significance.all_pairs import PairTests, all_pairs
from similitude.evaluate.significance.inference import (
    Intervals,
    PValues,
    Spread,
    bootstrap_intervals,
    bootstrap_p_values,
    bootstrap_spread,
    dependent_p_values,
    jackknife_intervals,
    jackknife_p_values,
    of_every_pair,
    permutation_p_values,
)
from similitude.evaluate.significance.jackknife import Jackknife
from similitude.evaluate.significance.plan import Plan
from similitude.evaluate.significance.resampler import Progress, Resampler, Steps
from similitude.evaluate.significance.tested_measure import TestedMeasure
from similitude.stats import Interval, Units
from similitude.stats.arrays import Array, Integers

__all__ = ["MANY_UNITS", "Findings"]

MANY_UNITS = 20_000
"""From this number of units on, a measure that depends on few items draws only those."""


FIXED = (ALWAYS_YES, ALWAYS_NO)
"""Rows whose answers no other row can take over, so that they are not permuted."""


class Findings(NamedTuple):
    """What was found.

    Attributes:
        figures: intervals, measures x systems.
        p_values: of each measure, for all pairs of systems, each as if it were the only one.
        spreads: of each measure, for all systems.
        pairs: of each measure, all pairs together.
    """

    figures: list[list[Interval]]
    p_values: list[PValues]
    spreads: list[Spread]
    pairs: list[PairTests]

    @classmethod
    def of(
        cls, plan: Plan, subjects: Sequence[TestedMeasure], units: Units, progress: Progress | None = None
    ) -> Findings:
        """Intervals and p-values of every measure; none, with the reason, for a single item or group."""
        if units.number < 2:
            return cls._of_one(subjects, units)
        search = _Search(plan, subjects, units, progress)
        figures, p_values, spreads, pairs = [], [], [], []
        for place, subject in enumerate(subjects):
            found, systems = search.inference(place), len(subject.figures)
            figures.append(_of_every_system(subject, found.intervals))
            p_values.append(of_every_pair(found.p_values, subject.defined, systems))
            spreads.append(found.spread.of_every_system(subject.defined, systems))
            pairs.append(_together(subject, found.intervals, p_values[-1], spreads[-1], plan.level))
        return cls(figures, p_values, spreads, pairs)

    @classmethod
    def _of_one(cls, subjects: Sequence[TestedMeasure], units: Units) -> Findings:
        reason = f"only 1 {'item' if units.of_item is None else 'group'}: there is nothing to resample"
        nothing = Interval(np.nan, np.nan, reason)
        systems = len(subjects[0].figures) if subjects else 0
        unknown = np.full((systems, systems), np.nan)
        return cls(
            [[nothing._replace(reason=one.reason or reason) for one in subject.figures] for subject in subjects],
            [PValues(unknown, np.zeros(unknown.shape, dtype=np.bool_)) for _ in subjects],
            [Spread(unknown, np.full(systems, np.nan)) for _ in subjects],
            [PairTests(unknown, unknown, ((nothing,) * systems,) * systems) for _ in subjects],
        )


class _Inference(NamedTuple):
    """What is inferred on one measure, for the systems on which it is defined."""

    intervals: Intervals
    p_values: PValues
    spread: Spread


class _Search:
    """Draws once what several measures need, then looks at one measure after the other."""

    def __init__(self, plan: Plan, subjects: Sequence[TestedMeasure], units: Units, progress: Progress | None) -> None:
        self._plan, self._subjects, self._units = plan, subjects, units
        self._decisive = {
            place: found
            for place, subject in enumerate(subjects)
            if plan.is_bootstrapped(subject.measure) and (found := _decisive_items(subject, units)) is not None
        }
        self._steps = Steps(progress, self._total())
        self._shared = self._shared_bootstrap()

    def inference(self, place: int) -> _Inference:
        """Intervals, p-values and covariance of one measure."""
        subject, level = self._subjects[place], self._plan.level
        method = self._plan.method_of(subject.measure)
        if method == "jackknife":
            jackknife = Jackknife(subject, self._left_out(subject), self._units.of_item is not None)
            spread = Spread(jackknife.covariance, jackknife.freedoms)
            return _Inference(jackknife_intervals(jackknife, level), self._p_values(place, jackknife), spread)
        left_out = self._left_out(subject) if method == "bca" else None
        drawn, number = self._bootstrap(place), self._units.number
        figures = bootstrap_intervals(subject, drawn, left_out, number, level, is_biased=method == "bc")
        return _Inference(figures, self._p_values(place, None), bootstrap_spread(drawn, number))

    def _p_values(self, place: int, jackknife: Jackknife | None) -> PValues:
        subject, number = self._subjects[place], self._plan.number
        test = self._plan.test_of(subject.measure)
        if test == "williams" or test == "steiger":
            return dependent_p_values(subject, test)
        if test == "permutation":
            (permuted,) = self._resampler([subject]).permutations(number)
            found = permutation_p_values(subject, permuted, number)
            constant = [row for row in range(len(found.values)) if subject.comparison.constant(row) in FIXED]
            return found.with_rows(constant, self._other_p_values(place, jackknife)) if constant else found
        return self._other_p_values(place, jackknife if test == "jackknife" else None)

    def _other_p_values(self, place: int, jackknife: Jackknife | None) -> PValues:
        if jackknife is not None:
            return jackknife_p_values(jackknife)
        return bootstrap_p_values(self._subjects[place], self._bootstrap(place))

    def _left_out(self, subject: TestedMeasure) -> Array:
        """Systems x units; by counting again without each unit or block if the measure knows no faster way."""
        if subject.defined.size == 0:
            return np.empty((0, self._units.number))
        found = subject.measure.left_out(subject.comparison, self._units)
        if found is None:
            (found,) = self._resampler([subject]).jackknife()
        else:
            self._steps.take(stats.jackknife_size(self._units.number))
        return found

    def _shared_bootstrap(self) -> dict[int, Array]:
        """The bootstrap distributions of all measures that depend on all items, which see the same resamples."""
        chosen = [place for place in self._bootstrapped() if place not in self._decisive]
        if not chosen:
            return {}
        found = self._resampler([self._subjects[place] for place in chosen]).bootstrap(self._plan.number)
        return dict(zip(chosen, found, strict=True))

    def _bootstrap(self, place: int) -> Array:
        if place not in self._shared:
            few = self._decisive[place]
            units, _ = self._units.among(few)
            part, seed = [self._subjects[place].of_items(few)], self._plan.seed
            resampler = Resampler(part, units, few.size, seed, self._steps, among=self._units.number)
            (self._shared[place],) = resampler.bootstrap(self._plan.number)
        return self._shared[place]

    def _bootstrapped(self) -> list[int]:
        return [place for place, each in enumerate(self._subjects) if self._plan.is_bootstrapped(each.measure)]

    def _total(self) -> int:
        """The number of resamples, permutations, and units or blocks that are left out."""
        plan, drawn = self._plan, self._bootstrapped()
        bootstraps = len(self._decisive) + any(place not in self._decisive for place in drawn)
        tests = sum(plan.test_of(each.measure) == "permutation" for each in self._subjects)
        known = [each for each in self._subjects if each.defined.size]
        jackknifes = sum(plan.method_of(each.measure) in ("jackknife", "bca") for each in known)
        return plan.number * (bootstraps + tests) + stats.jackknife_size(self._units.number) * jackknifes

    def _resampler(self, subjects: Sequence[TestedMeasure]) -> Resampler:
        return Resampler(subjects, self._units, subjects[0].comparison.gold.size, self._plan.seed, self._steps)


def _decisive_items(subject: TestedMeasure, units: Units) -> Integers | None:
    """The items on which a measure depends, if they are few among many."""
    if units.number < MANY_UNITS or subject.defined.size == 0:
        return None
    return subject.measure.decisive_items(subject.comparison, units)


def _of_every_system(subject: TestedMeasure, found: Intervals) -> list[Interval]:
    every = [Interval(np.nan, np.nan, figure.reason) for figure in subject.figures]
    for row, system in enumerate(subject.defined):
        every[system] = found.figures[row]
    return every


def _together(subject: TestedMeasure, intervals: Intervals, single: PValues, spread: Spread, level: float) -> PairTests:
    """All pairs of systems on one measure."""
    places = {int(system): place for place, system in enumerate(subject.defined)}
    return all_pairs(
        np.array([figure.value for figure in subject.figures]),
        spread.covariance,
        spread.freedoms,
        single.values,
        level,
        lambda one, other, reach: intervals.difference(places[one], places[other], reach),
    )
