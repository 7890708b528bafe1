"""Multiple choice by parts, as in table 6 of GiCCS: dialogues of three turns, of five turns, and all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.grouped import ChoiceAccuracy, GroupedDiscountedGain
from similitude.evaluate.rescaling import mapping_from_range
from similitude.evaluate.significance import Confidence, Test, confidence
from similitude.study.benchmark_comparison import shared_groups
from similitude.study.prompt_grid.plan import Part
from similitude.study.runs import Run
from similitude.systems.dialogue import earlier_turns

__all__ = ["ChoiceFigure", "ChoicePart", "choice_parts"]

ALL = "all"
FEWEST = 10
"""The fewest questions for a significance test; resamples of fewer are too similar."""


class ChoiceFigure(NamedTuple):
    """The figures of one system in one part.

    Attributes:
        accuracy: share of groups whose best item is chosen.
        error: its standard error over groups (ddof 1).
        letters: systems that share a letter do not differ significantly in accuracy; empty if nothing was tested, as
            with fewer than 10 questions.
        ndcg: mean over groups of nDCG over all options.
        ndcg_error: its standard error.
        ndcg_letters: likewise, for nDCG.
    """

    accuracy: float
    error: float
    letters: str
    ndcg: float
    ndcg_error: float
    ndcg_letters: str


@dataclass(frozen=True, kw_only=True)
class ChoicePart:
    """One part of the items.

    Attributes:
        name: such as "3-turn"; "all" for all items.
        groups: the number of questions.
        figures: one per system, in the order of the run.
        chance: the expected figures of a random choice.
    """

    name: str
    groups: int
    figures: tuple[ChoiceFigure, ...]
    chance: ChoiceFigure

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        figures = [_plain(figure) for figure in self.figures]
        return {"part": self.name, "groups": self.groups, "chance": _plain(self.chance), "figures": figures}


def choice_parts(run: Run, by: Part, *, resamples: int, level: float, test: Test, seed: int) -> tuple[ChoicePart, ...]:
    """The parts in order, followed by all items together if there are several parts.

    Args:
        run: with measures of choice.
        by: what divides the items.
        resamples: for the tests within each part; 0 for none.
        level: of the tests.
        test: bootstrap or permutation.
        seed: of the resamples.
    """
    names = _names(run.benchmark, by)
    different = sorted(set(names), key=_natural)
    several = [(name, np.flatnonzero(np.array(names) == name)) for name in different] if len(different) > 1 else []
    everything = (ALL if several or different == [ALL] else different[0], np.arange(len(names)))
    options: dict[str, Any] = {"resamples": resamples, "level": level, "test": test, "seed": seed}
    return tuple(_part(run, name, places, options) for name, places in (*several, everything))


def _part(run: Run, name: str, places: NDArray[np.intp], options: dict[str, Any]) -> ChoicePart:
    part = run.benchmark.take(places)
    groups = shared_groups(part)
    predictions = [of_system.take(places) for of_system in run.predictions]
    comparison = Comparison.of(part.gold, predictions, run.mappings, groups)
    measures = (ChoiceAccuracy(), GroupedDiscountedGain())
    number = 0 if groups is None else int(groups.max()) + 1
    found = None
    if options["resamples"] and number >= FEWEST:
        found = confidence(comparison, measures, groups=groups, method="percentile", **options)
    random = Comparison.of(
        part.gold, [Predictions(np.zeros(len(part)))], [mapping_from_range(None, part.scale)], groups
    )
    return ChoicePart(
        name=name,
        groups=number,
        figures=tuple(_figures(comparison, found)),
        chance=next(_figures(random, None)),
    )


def _figures(comparison: Comparison, found: Confidence | None) -> Iterator[ChoiceFigure]:
    measures = (ChoiceAccuracy(), GroupedDiscountedGain())
    values = [[figure.value for figure in measure(comparison)] for measure in measures]
    unknown = np.full(comparison.systems, np.nan)
    errors = [unknown if comparison.groups is None else measure.standard_errors(comparison) for measure in measures]
    for row in range(comparison.systems):
        letters = ("", "") if found is None else tuple(rank.letters for rank in found.ranks[row])
        yield ChoiceFigure(
            values[0][row], float(errors[0][row]), letters[0], values[1][row], float(errors[1][row]), letters[1]
        )


def _names(benchmark: Benchmark, by: Part) -> list[str]:
    """The part of each item; all are in one part if the items have no values to divide them by."""
    if by == "turns":
        turns = [len(earlier_turns(item)) + 1 for item in benchmark.items]
        return [ALL] * len(turns) if set(turns) == {1} else [f"{number}-turn" for number in turns]
    column = benchmark.frame[by]
    return [ALL] * len(column) if column.null_count() == len(column) else column.fill_null("unknown").to_list()


def _natural(name: str) -> tuple[int, str]:
    """A sort key that puts 3-turn before 10-turn."""
    number = name.partition("-")[0]
    return (int(number) if number.isdigit() else 0, name)


def _plain(figure: ChoiceFigure) -> dict[str, Any]:
    return {
        name: None if isinstance(value, float) and not np.isfinite(value) else value
        for name, value in figure._asdict().items()
    }
