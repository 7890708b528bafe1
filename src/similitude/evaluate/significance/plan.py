"""What is to be computed: the method of intervals and the test for each measure, and the number of resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from similitude.errors import ArgumentError
from similitude.evaluate.measures.measure import Measure
from similitude.evaluate.significance.tested_measure import TestedMeasure

__all__ = ["Method", "Plan", "Test", "enough_resamples"]

Method = Literal["auto", "jackknife", "bca", "percentile"]
Test = Literal["auto", "bootstrap", "permutation", "williams", "steiger"]
MethodUsed = Literal["jackknife", "bca", "bc", "percentile"]
TestUsed = Literal["jackknife", "bootstrap", "permutation", "williams", "steiger"]

TEST_NAMES = {"williams": "Williams' test", "steiger": "Steiger's test"}


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The arguments of `confidence`.

    Attributes:
        resamples: as asked for; None if nothing was asked for.
        systems: number of systems.
        redraws: whether answers were replaced by random draws, which only a bootstrap can draw anew.
    """

    level: float
    method: Method
    test: Test
    resamples: int | None
    seed: int
    systems: int
    redraws: bool = False

    @property
    def number(self) -> int:
        """Number of resamples where some are drawn."""
        return enough_resamples(self.systems, self.level) if self.resamples is None else self.resamples

    def method_of(self, measure: Measure) -> MethodUsed:
        """The method of the intervals of a measure."""
        if self.redraws and self.method in ("auto", "jackknife"):
            return "percentile"
        if self.method != "auto":
            return self.method
        if measure.sampling == "cut":
            return "percentile"
        if measure.sampling == "learned":
            return "bc"
        return "bca" if measure.sampling == "unknown" or self.resamples is not None else "jackknife"

    def test_of(self, measure: Measure) -> TestUsed:
        """The test on a measure."""
        if self.test != "auto":
            return self.test
        return "jackknife" if self.method_of(measure) == "jackknife" else "bootstrap"

    def is_bootstrapped(self, measure: Measure) -> bool:
        """Whether interval or test need a bootstrap distribution."""
        return self.method_of(measure) != "jackknife" or self.test_of(measure) == "bootstrap"

    def is_resampled(self, measures: Sequence[Measure]) -> bool:
        """Whether anything is drawn at random."""
        return self.test == "permutation" or any(self.is_bootstrapped(measure) for measure in measures)

    def check(self, measures: Sequence[Measure], *, is_grouped: bool) -> None:
        """Refuse what cannot be done.

        Raises:
            ArgumentError: what, and what to do instead.
        """
        if not 0 < self.level < 1:
            what = f"{self.level:g} is not a confidence level"
            raise ArgumentError(what, remedy="give one between 0 and 1, such as 0.95")
        if self.resamples is not None and self.resamples < 1:
            raise ArgumentError(f"cannot draw {self.resamples} resamples", remedy="draw 1,000 or more")
        for kind, given, known in (("method", self.method, get_args(Method)), ("test", self.test, get_args(Test))):
            if given not in known:
                raise ArgumentError(f"no {kind} named '{given}'", remedy=f"known: {', '.join(known)}")
        if self.test in ("williams", "steiger"):
            self._check_correlations(measures, is_grouped=is_grouped)

    def _check_correlations(self, measures: Sequence[Measure], *, is_grouped: bool) -> None:
        name = TEST_NAMES[self.test]
        if is_grouped:
            raise ArgumentError(
                f"{name} takes items as independent, but items share groups",
                remedy="use --test auto, bootstrap or permutation, which leave out, draw or swap whole groups",
            )
        others = [str(measure) for measure in measures if not measure.is_correlation]
        if others:
            raise ArgumentError(
                f"{name} compares correlations; no correlation: {', '.join(others)}",
                remedy="measure -m pearson or -m spearman alone, or use --test auto, bootstrap or permutation",
            )

    def notes(self, subjects: Sequence[TestedMeasure]) -> tuple[str, ...]:
        """A note if there are too few resamples for any p-value to stay significant whatever the systems."""
        resampled = [each for each in subjects if self.test_of(each.measure) in ("bootstrap", "permutation")]
        systems = max((subject.defined.size for subject in resampled), default=0)
        pairs, alpha = systems * (systems - 1) // 2, 1 - self.level
        approximate = (*self._drawn_anew(), *self._approximate(subjects))
        if pairs == 0 or pairs / (self.number + 1) <= alpha:
            return approximate
        enough = int(np.ceil(pairs / alpha))
        few = f"{self.number:,} resamples are too few to compare {systems} systems: draw at least {enough:,}"
        return (few, *approximate)

    def _drawn_anew(self) -> tuple[str, ...]:
        if not self.redraws:
            return ()
        return ("answers without a score are drawn anew in every resample, so that intervals are bootstrapped",)

    def _approximate(self, subjects: Sequence[TestedMeasure]) -> tuple[str, ...]:
        ranked = [str(each.measure) for each in subjects if each.measure.swapped == "ranks"]
        if self.test not in ("williams", "steiger") or not ranked:
            return ()
        return (f"{TEST_NAMES[self.test]} is made for Pearson's r: on {', '.join(ranked)} it is approximate",)


def enough_resamples(systems: int, level: float = 0.95) -> int:
    """The resamples needed to compare systems: 2,000, or more for many pairs.

    The smallest p-value is 1 / (resamples + 1), and the correction for all pairs multiplies it by at most their number.
    The result is twice the number that brings it below 1 - level.

    >>> [enough_resamples(systems) for systems in (2, 10, 15, 30)]
    [2000, 2000, 4200, 17400]
    """
    pairs = systems * (systems - 1) // 2
    return max(2000, round(2 * pairs / (1 - level)))
