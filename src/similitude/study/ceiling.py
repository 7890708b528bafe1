"""The human ceiling of a run, and every system's correlation with gold corrected for the noise of gold."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.data.plural import agreeing
from similitude.errors import ArgumentError, InputError, SimilitudeError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import Measure
from similitude.evaluate.measures.correlation import Pearson, Spearman
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.stats import Bounds, Units, jackknife_interval, pearson
from similitude.stats.arrays import Array, Integers
from similitude.stats.finite import finite_or_none
from similitude.stats.left_out_correlation import LeftOut, pearson_left_out, spearman_left_out
from similitude.stats.left_out_units import left_out_units

if TYPE_CHECKING:  # loaded where there are judgements
    from similitude.gold.reliability.ceiling import Ceiling, HumanCeiling
    from similitude.gold.reliability.score_reliability import ScoreReliability

__all__ = [
    "CEILINGS",
    "RunCeiling",
    "ceiling_of_benchmark",
    "ceiling_of_run",
    "corrected_correlation",
    "judged_positions",
]

CEILINGS = ("one_person", "panel", "perfect")
"""The reference values, from the lowest to the highest."""

FOLLOWS, STRAYS = 0.99, 0.9
"""Gold that correlates less with the scores of the judgements gets a note; with still less, no corrected values."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunCeiling:
    """Human ceilings beside the figures of a run, and corrected correlations.

    Attributes:
        judgements: the name of the judgements.
        items: number of items of the run that were judged.
        level: confidence level; None without intervals.
        ceilings: one for each measure; None for a measure that has no ceiling.
        corrected: systems x measures; None for a measure that has no ceiling.
        notes: caveats.
    """

    judgements: str
    items: int
    level: float | None
    ceilings: tuple[Ceiling | None, ...]
    corrected: tuple[tuple[Estimate | None, ...], ...]
    notes: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "judgements": self.judgements,
            "items": self.items,
            "level": self.level,
            "ceilings": [
                None if one is None else {name: _plain(getattr(one, name)) for name in CEILINGS}
                for one in self.ceilings
            ],
            "corrected": [[None if one is None else _plain(one) for one in row] for row in self.corrected],
            "notes": list(self.notes),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> RunCeiling:
        """Rebuild from `record`."""
        from similitude.gold.reliability.ceiling import Ceiling

        ceilings = (
            None if one is None else Ceiling(**{name: _estimate(one[name]) for name in CEILINGS})
            for one in record["ceilings"]
        )
        corrected = (tuple(None if one is None else _estimate(one) for one in row) for row in record["corrected"])
        kept = {name: record[name] for name in ("judgements", "items", "level")}
        return cls(**kept, ceilings=tuple(ceilings), corrected=tuple(corrected), notes=tuple(record["notes"]))


def ceiling_of_benchmark(
    benchmark: Benchmark, comparison: Comparison, measures: Sequence[Measure], *, level: float | None = 0.95
) -> RunCeiling | None:
    """`ceiling_of_run` from the judgements that the benchmark keeps; a note if they do not allow one.

    Returns:
        None if no measure has a ceiling, or the benchmark keeps scores only.
    """
    if benchmark.judgements is None and benchmark.gold.ratings is None:
        return None
    try:
        kept = Judgements.of_benchmark(benchmark)
        return ceiling_of_run(kept, benchmark.items.ids, comparison, measures, level=level)
    except SimilitudeError as error:
        nothing = (None,) * len(measures)
        return RunCeiling(
            judgements=benchmark.name,
            items=0,
            level=level,
            ceilings=nothing,
            corrected=(nothing,) * comparison.systems,
            notes=(f"no human ceiling: {error}",),
        )


def ceiling_of_run(
    judgements: Judgements,
    ids: Sequence[str],
    comparison: Comparison,
    measures: Sequence[Measure],
    *,
    level: float | None = 0.95,
) -> RunCeiling | None:
    """Ceilings and corrected correlations for the measures that have them: Pearson's r and Spearman's rho.

    Items without judgements are left out, and a note says how many. If gold is not what these judgements add up to, a
    note says so; if the two hardly correlate, nothing is corrected.

    Args:
        judgements: the judgements behind gold.
        ids: of the items that were measured.
        comparison: gold against the predictions of all systems.
        measures: of the run.
        level: confidence level; None for no intervals.

    Returns:
        None if no measure has a ceiling.

    Raises:
        ArgumentError: these are categories.
        InputError: no judgement is about an item of the run.
    """
    if not any(isinstance(measure, (Pearson, Spearman)) for measure in measures):
        return None
    judged = judged_positions(judgements, ids)
    from similitude.gold.reliability.ceiling import human_ceiling

    resampling = NO_INTERVALS if level is None else Resampling(level=level)
    human = human_ceiling(judgements, items=[ids[place] for place in judged], resampling=resampling)
    places = {name: place for place, name in enumerate(ids)}
    rows = np.array([places[item] for item in human.scores.items], dtype=np.intp)
    follows = float(pearson(comparison.gold[rows], human.scores.scores)) if rows.size > 1 else math.nan
    units = Units(rows.size) if comparison.groups is None else Units.of_groups(comparison.groups[rows])
    data = _Judged(human, comparison, rows, units, level, follows)
    corrected = [data.corrected(measure) for measure in measures]
    return RunCeiling(
        judgements=judgements.name,
        items=int(rows.size),
        level=level,
        ceilings=tuple(data.ceiling(measure) for measure in measures),
        corrected=tuple(zip(*corrected, strict=True)),
        notes=tuple(_notes(judgements, len(ids), int(rows.size), follows)),
    )


def corrected_correlation(
    found: LeftOut, reliability: ScoreReliability, units: Units, level: float | None = 0.95
) -> Estimate:
    """The correlation with gold without noise, r / sqrt(reliability of gold), with its interval.

    Above 1 it means that r is higher than a perfect system's would be on average: by chance, or because the reliability
    is underestimated. The interval is the jackknife's: r and the reliability are both without the items that are left
    out. It is symmetrical on Fisher's scale of r.

    Undefined if the reliability is, or is not above 0; without an interval if that of the reliability reaches 0.

    Reference: Spearman (1904), The proof and measurement of association between two things.

    Args:
        found: the correlation with gold, and without each item.
        reliability: of gold, on the same items in the same order.
        units: of items that are not independent.
        level: confidence level; None for no interval.
    """
    from similitude.gold.reliability.ceiling import reliability_interval

    if not reliability.value > 0:
        return undefined(reliability.reason or "the scores differ no more than their noise")
    reach = 1 / math.sqrt(reliability.value)
    value = float(found.whole[0]) * reach
    if level is None or math.isnan(value):
        return Estimate(value)
    if reliability.value < 1 and not reliability_interval(reliability, units, level).low > 0:
        return Estimate(value, reason="no interval: the reliability of gold may be 0")
    without = found.without / np.sqrt(np.where(reliability.without > 0, reliability.without, np.nan))
    ends = jackknife_interval(value, left_out_units(value, without, units), level, Bounds(-reach, reach))
    return Estimate(value, *ends)


@dataclass(frozen=True, slots=True)
class _Judged:
    """The judged items of a run.

    Attributes:
        rows: their positions in the comparison, in the order of the judgements' scores.
        follows: the correlation of gold with the scores of the judgements.
    """

    human: HumanCeiling
    comparison: Comparison
    rows: Integers
    units: Units
    level: float | None
    follows: float

    def ceiling(self, measure: Measure) -> Ceiling | None:
        """The ceiling of this measure."""
        if isinstance(measure, Pearson):
            return self.human.pearson
        return self.human.spearman if isinstance(measure, Spearman) else None

    def corrected(self, measure: Measure) -> list[Estimate | None]:
        """The corrected correlation of every system."""
        systems = range(self.comparison.systems)
        if isinstance(measure, Pearson):
            return [self._corrected(row, pearson_left_out, self.human.scores.pearson) for row in systems]
        if isinstance(measure, Spearman):
            return [self._corrected(row, spearman_left_out, self.human.scores.spearman) for row in systems]
        return [None for _ in systems]

    def _corrected(
        self, row: int, left_out: Callable[[Array, Array, Integers], LeftOut], reliability: ScoreReliability
    ) -> Estimate:
        if not self.follows >= STRAYS:
            return undefined("gold is not what these judgements add up to")
        gold, predicted = self.comparison.gold[self.rows], self.comparison.predicted[row][self.rows]
        if np.ptp(predicted) == 0:
            return undefined("all predictions are the same")
        found = left_out(gold, predicted, np.array([gold.size]))
        return corrected_correlation(found, reliability, self.units, self.level)


def judged_positions(judgements: Judgements, ids: Sequence[str]) -> Integers:
    """The positions of the items that were judged.

    Raises:
        ArgumentError: these are categories.
        InputError: none of the items was judged.
    """
    if judgements.kind == "category":
        what = "these are categories; a ceiling needs ratings or best-worst answers"
        raise ArgumentError(what, where=judgements.name, remedy="name their order with 'similitude gold --categories'")
    known = set(judgements.judged)
    judged = np.array([place for place, name in enumerate(ids) if name in known], dtype=np.intp)
    if not judged.size:
        what = f"no judgement is about an item of the data: judged is '{judgements.judged[0]}', an item is '{ids[0]}'"
        raise InputError(what, where=judgements.name, remedy="give --judgements a file with the ids of the data")
    return judged


def _notes(judgements: Judgements, items: int, judged: int, follows: float) -> list[str]:
    notes = []
    if judged < items:
        notes.append(f"{agreeing(items - judged, 'item', 'has', 'have')} no judgements and no part in the ceiling")
    if not follows >= FOLLOWS:
        told = f"they correlate at {follows:.3f}" if math.isfinite(follows) else "one of them is constant"
        how = "the mean of these ratings" if judgements.kind == "rating" else "the counting score of these answers"
        rest = "the figures are those of the latter" if follows >= STRAYS else "nothing is corrected"
        notes.append(f"ceiling: gold is not {how} ({told}); {rest}")
    return notes


def _plain(one: Estimate) -> dict[str, Any]:
    ends = {name: finite_or_none(getattr(one, name)) for name in ("value", "low", "high")}
    return {**ends, "reason": one.reason}


def _estimate(record: Mapping[str, Any]) -> Estimate:
    value, low, high = (math.nan if record[end] is None else float(record[end]) for end in ("value", "low", "high"))
    return Estimate(value, low, high, record["reason"])
