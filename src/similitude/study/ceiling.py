"""The human ceiling of a run, and every system's correlation with gold corrected for the noise of gold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
from similitude.evaluate.significance.confidence import confidence
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.stats import Interval, Units, pearson, spearman
from similitude.stats.arrays import Integers
from similitude.stats.finite import finite_or_none

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
    benchmark: Benchmark,
    comparison: Comparison,
    measures: Sequence[Measure],
    *,
    level: float | None = 0.95,
    intervals: Sequence[Sequence[Interval]] | None = None,
) -> RunCeiling | None:
    """`ceiling_of_run` from the judgements that the benchmark keeps; a note if they do not allow one.

    Returns:
        None if no measure has a ceiling, or the benchmark keeps scores only.
    """
    if benchmark.judgements is None and benchmark.gold.ratings is None:
        return None
    try:
        kept = Judgements.of_benchmark(benchmark)
        return ceiling_of_run(kept, benchmark.items.ids, comparison, measures, level=level, intervals=intervals)
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
    intervals: Sequence[Sequence[Interval]] | None = None,
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
        intervals: of the figures of the run, systems x measures; made anew if they are not given, or if some items
            were not judged.

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
    gold, predicted = comparison.gold[rows], comparison.predicted[:, rows]
    groups = None if comparison.groups is None else comparison.groups[rows]
    known = _Judged(human, Comparison.of_scores(gold, predicted, groups=groups), units, level, follows)
    if intervals is None or rows.size < len(ids):
        intervals = _intervals(known.comparison, measures, level)
    by_measure = zip(measures, zip(*intervals, strict=True), strict=True)
    corrected = [known.corrected(measure, raw) for measure, raw in by_measure]
    return RunCeiling(
        judgements=judgements.name,
        items=int(rows.size),
        level=level,
        ceilings=tuple(known.ceiling(measure) for measure in measures),
        corrected=tuple(zip(*corrected, strict=True)),
        notes=tuple(_notes(judgements, len(ids), int(rows.size), follows)),
    )


def corrected_correlation(
    raw: Estimate, reliability: ScoreReliability, units: Units, level: float | None = 0.95
) -> Estimate:
    """The correlation with what all people would say on average, from that with gold, with its interval.

    The correlation with gold is divided by that of gold with what all people would say, for Pearson's r the root of
    gold's reliability. Above 1 it means that r is higher than a perfect system's would be on average: by chance, or
    because the reliability is underestimated. An end of the interval is as far away as that of the correlation with
    gold and that of the reliability would move it, in quadrature; so it is never narrower than the first alone.

    Undefined if the reliability is, or is not above 0; without an interval if that of the reliability reaches 0.

    References: Spearman (1904), The proof and measurement of association between two things; Zou and Donner (2008),
    Construction of confidence limits about effect measures.

    Args:
        raw: the correlation with gold, with its interval.
        reliability: of gold, on the same items.
        units: of items that are not independent, in the order of the reliability.
        level: confidence level; None for no interval.
    """
    from similitude.gold.reliability.ceiling import reliability_interval

    if not reliability.value > 0:
        return undefined(reliability.reason or "the scores differ no more than their noise")
    truth = float(reliability.truth_of(np.array(reliability.value)))
    value, reach = raw.value / truth, 1 / truth
    if level is None or math.isnan(value) or math.isnan(raw.low):
        return Estimate(value, reason=raw.reason)
    moved = np.array([value])
    if reliability.value < 1:
        sure = reliability_interval(reliability, units, level)
        if not sure.low > 0:
            return Estimate(value, reason="no interval: the reliability of gold may be 0")
        moved = raw.value / reliability.truth_of(np.array([sure.low, sure.high]))
    below = math.hypot((raw.value - raw.low) / truth, value - float(moved.min()))
    above = math.hypot((raw.high - raw.value) / truth, float(moved.max()) - value)
    return Estimate(value, max(value - below, -reach), min(value + above, reach), raw.reason)


@dataclass(frozen=True, slots=True)
class _Judged:
    """The judged items of a run.

    Attributes:
        comparison: in the order of the judgements' scores.
        follows: the correlation of gold with the scores of the judgements.
    """

    human: HumanCeiling
    comparison: Comparison
    units: Units
    level: float | None
    follows: float

    def ceiling(self, measure: Measure) -> Ceiling | None:
        """The ceiling of this measure."""
        if isinstance(measure, Pearson):
            return self.human.pearson
        return self.human.spearman if isinstance(measure, Spearman) else None

    def corrected(self, measure: Measure, raw: Sequence[Interval]) -> list[Estimate | None]:
        """The corrected correlation of every system, from the intervals of those with gold."""
        scores, gold = self.human.scores, self.comparison.gold
        if not isinstance(measure, (Pearson, Spearman)):
            return [None] * self.comparison.systems
        is_pearson = isinstance(measure, Pearson)
        reliability, figure = (scores.pearson, pearson) if is_pearson else (scores.spearman, spearman)
        found: list[Estimate | None] = []
        for predicted, interval in zip(self.comparison.predicted, raw, strict=True):
            if not self.follows >= STRAYS:
                found.append(undefined("gold is not what these judgements add up to"))
            elif np.ptp(predicted) == 0:
                found.append(undefined("all predictions are the same"))
            else:
                known = Estimate(float(figure(gold, predicted)), *interval)
                found.append(corrected_correlation(known, reliability, self.units, self.level))
        return found


def _intervals(judged: Comparison, measures: Sequence[Measure], level: float | None) -> Sequence[Sequence[Interval]]:
    """The intervals of correlations with gold, systems x measures; nan for other measures."""
    none = Interval(math.nan, math.nan)
    places = [place for place, measure in enumerate(measures) if isinstance(measure, (Pearson, Spearman))]
    rows = [[none] * len(measures) for _ in range(judged.systems)]
    if level is not None and judged.gold.size:
        asked = [measures[place] for place in places]
        found = confidence(judged, asked, groups=judged.groups, level=level)
        for row, known in zip(rows, found.intervals, strict=True):
            for place, interval in zip(places, known, strict=True):
                row[place] = interval
    return rows


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
