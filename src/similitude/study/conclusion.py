"""The conclusion of a run: one sentence, and the systems that are not significantly worse than the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from similitude.data.prediction import MOST_REPLACED
from similitude.evaluate.measures import Figure, Measure
from similitude.evaluate.significance import Confidence, Decision, Evidence, decision_on
from similitude.stats.arrays import Array
from similitude.study.conclusion_sentence import Standing
from similitude.systems.record import SystemRecord

__all__ = ["Conclusion", "Measured", "OverTrivial", "conclusion_of", "decisions_of", "over_trivial"]


class Measured(Protocol):
    """A run, as far as a conclusion looks.

    Attributes:
        systems: the record of each system.
        measures: the conclusion is drawn from the first.
        row_labels: of the systems, and of the trivial baselines below them.
        row_figures: of these rows: rows x measures.
        confidence: intervals and tests; None if nothing was tested.
        against: the identity of the baseline; None if there is none.
        margin: what counts as equivalent, in units of a measure; None if nothing does.
        decisions: on each measure.
        never_best: whether so many answers of each row were replaced that it is not called best.
    """

    @property
    def systems(self) -> Sequence[SystemRecord]: ...  # noqa: D102
    @property
    def measures(self) -> Sequence[Measure]: ...  # noqa: D102
    @property
    def row_labels(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def row_figures(self) -> Sequence[Sequence[Figure]]: ...  # noqa: D102
    @property
    def confidence(self) -> Confidence | None: ...  # noqa: D102
    @property
    def against(self) -> str | None: ...  # noqa: D102
    @property
    def margin(self) -> float | None: ...  # noqa: D102
    @property
    def decisions(self) -> Sequence[Decision | None]: ...  # noqa: D102
    @property
    def never_best(self) -> Sequence[bool]: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What a run, or a suite of runs, comes to.

    Attributes:
        sentence: the conclusion, without a full stop.
        by: the measure, or the average of measures, that it is drawn from.
        may_be_best: the best system and those that are not significantly worse; empty if nothing was tested.
        more_units: how many more items or groups would show that the first of these is better with a chance of 80 %,
            if differences are as seen; None if none are needed, or if no number would do.
    """

    sentence: str
    by: str
    may_be_best: tuple[str, ...] = ()
    more_units: int | None = None

    def record(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return asdict(self) | {"may_be_best": list(self.may_be_best)}


class OverTrivial(NamedTuple):
    """How the systems stand to the trivial baselines on a measure.

    Attributes:
        label: of the best trivial baseline.
        value: its figure.
        better: the systems that are better than all trivial baselines: significantly, if anything was tested.
        is_tested: whether it was.
    """

    label: str
    value: float
    better: tuple[int, ...]
    is_tested: bool

    def words(self, row: int, name: str) -> str:
        """What has to be said of a system; empty if it is better."""
        if row in self.better:
            return ""
        adverb = "significantly " if self.is_tested else ""
        who = f"{name} is not" if self.better else "no system is"
        return f"{who} {adverb}better than {self.label} ({self.value:.3f})"


def over_trivial(run: Measured, column: int) -> OverTrivial | None:
    """How the systems stand to the trivial baselines; None if none has a figure on this measure."""
    values, number, sure = _contending(run, column), len(run.systems), run.confidence
    merits = values if run.measures[column].higher_is_better else -values
    trivial = [row for row in range(number, values.size) if not np.isnan(values[row])]
    if not trivial:
        return None

    def is_better(row: int, other: int) -> bool:
        return bool(merits[row] > merits[other]) and (
            sure is None or bool(sure.p_values[column, row, other] <= 1 - sure.level)
        )

    best = max(trivial, key=lambda row: merits[row])
    better = tuple(row for row in range(number) if all(is_better(row, other) for other in trivial))
    return OverTrivial(run.row_labels[best], float(values[best]), better, sure is not None)


def conclusion_of(run: Measured) -> Conclusion:
    """The conclusion of a run, drawn from its first measure."""
    decision, names = run.decisions[0], run.row_labels
    return Conclusion(
        sentence=_sentence(run, names, decision),
        by=str(run.measures[0]),
        may_be_best=() if decision is None else tuple(names[row] for row in decision.may_be_best),
        more_units=None if decision is None else decision.more_units,
    )


def _sentence(run: Measured, names: Sequence[str], decision: Decision | None) -> str:
    left_out = [name for name, is_out in zip(names, run.never_best, strict=True) if is_out]
    most = f"more than {100 * MOST_REPLACED:g} % of the answers were replaced"
    if left_out and len(left_out) == len(run.systems):
        return f"no system can be called best by {run.measures[0]}: {most} ({', '.join(left_out)})"
    said = _standing_sentence(run, names, decision)
    return f"{said}; not called best, since {most}: {', '.join(left_out)}" if left_out else said


def _standing_sentence(run: Measured, names: Sequence[str], decision: Decision | None) -> str:
    standing = Standing(
        names=names,
        values=_contending(run, 0).tolist(),
        by=str(run.measures[0]),
        units="items" if run.confidence is None or run.confidence.groups is None else "groups",
        higher_is_better=run.measures[0].higher_is_better,
        systems=len(run.systems),
    )
    systems = [row for row in standing.known if row < len(run.systems)]
    if not systems:
        return f"no system has a figure on {standing.by}: {run.row_figures[0][0].reason}"
    if len(standing.known) == 1:
        return standing.of_one(None if run.confidence is None else run.confidence.intervals[systems[0]][0])
    said = standing.untested() if decision is None else standing.decided(decision)
    trivial = over_trivial(run, 0)
    also = "" if trivial is None else trivial.words(systems[0], names[systems[0]])
    return f"{said}; {also}" if also else said


def decisions_of(run: Measured) -> tuple[Decision | None, ...]:
    """The decision on each measure; None if nothing was tested, or no system has a figure."""
    return tuple(_decision(run, column) for column in range(len(run.measures)))


def _decision(run: Measured, column: int) -> Decision | None:
    measure = run.measures[column]
    if run.confidence is None or np.isnan(_contending(run, column)).all():
        return None
    values = np.array([row[column].value for row in run.row_figures], dtype=np.float64)
    evidence = Evidence.of_confidence(run.confidence, column, values, higher_is_better=measure.higher_is_better)
    names = [record.identity for record in run.systems]
    baseline = None if run.against is None else names.index(run.against)
    never = np.flatnonzero(run.never_best).tolist()
    return decision_on(evidence, measure=measure, baseline=baseline, margin=run.margin, never_best=never)


def _contending(run: Measured, column: int) -> Array:
    """The figures; nan for systems that are not called best, unless systems are compared with a baseline."""
    values = np.array([row[column].value for row in run.row_figures], dtype=np.float64)
    if run.against is None:
        values[np.array(run.never_best, dtype=np.bool_)] = np.nan
    return values
