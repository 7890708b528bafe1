"""Two systems of a run against each other, on every measure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from similitude.data.frames import Tabular
from similitude.data.shown import Shown
from similitude.errors import ArgumentError, UnknownKeyError
from similitude.evaluate.measured_figure import MeasuredFigure
from similitude.stats.finite import finite_or_none
from similitude.stats.p_values import p_value_text
from similitude.study.run_results import RunResults

__all__ = ["PairedComparison", "PairedDifference", "paired_comparison"]

Outcome = Literal["better", "worse", "undecided", "untested", "undefined"]


@dataclass(frozen=True, kw_only=True)
class PairedDifference:
    """Two systems on one measure.

    Attributes:
        measure: its name.
        first: the figure of the first system.
        second: the figure of the second system.
        difference: the first minus the second, with its interval.
        p_value: two-sided, for all pairs of systems on this measure together; nan if nothing was tested.
        is_floor: whether so many resamples can give no smaller p-value.
        outcome: of the first system: "better", "worse", "undecided", "untested" or "undefined".
        verdict: the outcome in words.
    """

    measure: str
    first: float
    second: float
    difference: MeasuredFigure
    p_value: float
    is_floor: bool
    outcome: Outcome
    verdict: str

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends of the interval of the difference; None without one."""
        low, high = self.difference.low, self.difference.high
        return None if low is None or high is None else (low, high)

    def record(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        numbers = ("first", "second", "difference", "p_value")
        return {
            "measure": self.measure,
            **{name: finite_or_none(float(getattr(self, name))) for name in numbers},
            "low": self.difference.low,
            "high": self.difference.high,
            "is_floor": self.is_floor,
            "outcome": self.outcome,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class PairedComparison(Shown, Tabular):
    """Two systems of a run against each other; what it says of the first measure is also its own.

    >>> import similitude as sim
    >>> run = sim.run("sample:opinions", ["levenshtein", "length-ratio"], ["spearman", "mae"])
    >>> compared = run.compare("levenshtein", "length-ratio")
    >>> compared.verdict
    'levenshtein and length-ratio are not significantly different by spearman'
    >>> compared["mae"].outcome
    'undecided'

    Attributes:
        first: the name of the first system.
        second: the name of the second system.
        data: the name of the benchmark.
        items: how many items.
        level: of intervals; p-values up to 1 - level are significant.
        pairs: how many pairs of systems, and trivial baselines with a figure, are tested together on the first measure.
        measures: one difference for each measure.
        is_simulated: whether a model of annotators gave the judgements.
    """

    first: str
    second: str
    data: str
    items: int
    level: float
    pairs: int
    measures: tuple[PairedDifference, ...]
    is_simulated: bool

    @property
    def difference(self) -> MeasuredFigure:
        """On the first measure: the first system minus the second."""
        return self.measures[0].difference

    @property
    def interval(self) -> tuple[float, float] | None:
        """On the first measure: both ends of the interval of the difference; None without one."""
        return self.measures[0].interval

    @property
    def p_value(self) -> float:
        """On the first measure, corrected for all pairs; nan if nothing was tested."""
        return self.measures[0].p_value

    @property
    def verdict(self) -> str:
        """On the first measure, in words."""
        return self.measures[0].verdict

    def __getitem__(self, measure: str) -> PairedDifference:
        """The difference on a measure.

        Raises:
            UnknownKeyError: there is no such measure.
        """
        found = {one.measure: one for one in self.measures}
        if measure not in found:
            raise UnknownKeyError("measure in this comparison", str(measure), found)
        return found[measure]

    def __repr__(self) -> str:
        width = max(len(one.measure) for one in self.measures)
        lines = (f" {one.measure:{width}}  {_words(one)}" for one in self.measures)
        title = f"<{self.first} against {self.second} on '{self.data}', {self.items:,} items"
        return "\n".join((title, *lines)) + ">"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per measure."""
        for one in self.measures:
            yield {"data": self.data, "system": self.first, "against": self.second, **one.record()}

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        names = ("first", "second", "data", "items", "level", "pairs", "is_simulated")
        return {name: getattr(self, name) for name in names} | {"measures": [one.record() for one in self.measures]}


def _words(one: PairedDifference) -> str:
    if one.outcome == "undefined":
        return one.verdict
    sign = "+" if one.difference > 0 else ""
    tested = "" if math.isnan(one.p_value) else f", p {p_value_text(one.p_value, is_floor=one.is_floor)}"
    return f"{sign}{one.difference!r}{tested}: {one.verdict}"


def paired_comparison(run: RunResults, first: int, second: int) -> PairedComparison:
    """Compare two systems of a run by the tests that the run was made with.

    Args:
        run: the run.
        first: position of the first system, or trivial baseline.
        second: position of the second.

    Raises:
        ArgumentError: both are the same.
    """
    names, figures = run.row_labels, [row[0].value for row in run.row_figures]
    known = len(run.systems) + sum(not math.isnan(value) for value in figures[len(run.systems) :])
    if first == second:
        raise ArgumentError(f"'{names[first]}' is compared with itself", remedy="name two different systems")
    return PairedComparison(
        first=names[first],
        second=names[second],
        data=run.data.name,
        items=run.data.items,
        level=0.95 if run.confidence is None else run.confidence.level,
        pairs=known * (known - 1) // 2,
        measures=tuple(_difference(run, first, second, column) for column in range(len(run.measures))),
        is_simulated=run.data.is_simulated,
    )


def _difference(run: RunResults, first: int, second: int, column: int) -> PairedDifference:
    figures, sure, measure = (
        (run.row_figures[first][column], run.row_figures[second][column]),
        run.confidence,
        run.measures[column],
    )
    ends = sure.differences[column][first][second] if sure is not None and sure.differences else None
    difference = MeasuredFigure(
        figures[0].value - figures[1].value,
        low=None if ends is None else ends.low,
        high=None if ends is None else ends.high,
        level=0.95 if sure is None else sure.level,
        reason=figures[0].reason or figures[1].reason or (ends.reason if ends is not None else None),
    )
    p_value = math.nan if sure is None else float(sure.p_values[column, first, second])
    is_decided = sure is not None and p_value <= 1 - sure.level and difference != 0.0
    outcome = _outcome(difference, p_value, is_decided=is_decided, higher_is_better=measure.higher_is_better)
    names = run.row_labels[first], run.row_labels[second]
    return PairedDifference(
        measure=str(measure),
        first=figures[0].value,
        second=figures[1].value,
        difference=difference,
        p_value=p_value,
        is_floor=sure is not None and bool(sure.is_floor[column, first, second]),
        outcome=outcome,
        verdict=_verdict(outcome, *names, str(measure), difference.reason),
    )


def _outcome(difference: float, p_value: float, *, is_decided: bool, higher_is_better: bool) -> Outcome:
    if math.isnan(difference):
        return "undefined"
    if math.isnan(p_value):
        return "untested"
    if not is_decided:
        return "undecided"
    return "better" if (difference > 0) == higher_is_better else "worse"


def _verdict(outcome: Outcome, first: str, second: str, measure: str, reason: str | None) -> str:
    match outcome:
        case "undefined":
            return f"{measure} is undefined for one of them: {reason}"
        case "untested":
            return f"whether {first} and {second} differ by more than chance on {measure} was not tested"
        case "undecided":
            return f"{first} and {second} are not significantly different by {measure}"
    return f"{first} is significantly {outcome} than {second} by {measure}"
