"""The results of a run: the predictions of systems for one benchmark, and their figures against gold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.data.provenance import Skipped
from similitude.evaluate.calibration import Calibration
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import Figure, Measure
from similitude.evaluate.operating_points import SystemThresholds
from similitude.evaluate.rescaling import Rescaling
from similitude.evaluate.significance import Confidence, Decision
from similitude.evaluate.tasks import Requirements
from similitude.evaluate.trivial_baselines import TrivialBaseline
from similitude.stats import Interval
from similitude.stats.finite import finite_or_none
from similitude.study.benchmark_comparison import comparison_of, folds_of
from similitude.study.ceiling import RunCeiling
from similitude.study.conclusion import Conclusion, conclusion_of, decisions_of
from similitude.study.record import BenchmarkRecord
from similitude.systems.record import SystemRecord

__all__ = ["RunResults"]


@dataclass(frozen=True, kw_only=True, eq=False)
class RunResults:
    """What one execution came to: systems, measures, predictions and figures.

    Attributes:
        benchmark: the items that were measured, with gold.
        data: the record of that benchmark.
        systems: the record of each system, in the order given.
        mappings: from the range that each system declares to the gold scale.
        figures: systems x measures.
        predictions: of each system for each item.
        left_out: items that were not measured, and why.
        created: in ISO 8601.
        versions: of Python and the packages that were used.
        confidence: intervals and tests; None if nothing was resampled.
        caveats: what a reader must know of gold to understand the figures, such as that it has no low pairs.
        task: for which a system was to be chosen; the first measure is then the one that fits it.
        thresholds: of each system, if a measure learns them; else empty.
        ceiling: the human ceiling and corrected correlations; None without judgements.
        calibration: how scores were calibrated for measures with borders on the scale; None if no measure needs it.
        against: the identity of the system that others are compared with; None if there is none.
        margin: what counts as equivalent, in units of a measure; None if nothing does.
        trivial: always yes, always no and the mean of gold, where a measure is defined on them: rows below the systems
            in `confidence` and in tables, which a system has to be better than.
        command: the words of the command line that made the run; empty if it was made in Python.
    """

    benchmark: Benchmark
    data: BenchmarkRecord
    systems: tuple[SystemRecord, ...]
    mappings: tuple[Rescaling, ...]
    measures: tuple[Measure, ...]
    figures: tuple[tuple[Figure, ...], ...]
    predictions: tuple[Predictions, ...]
    left_out: tuple[Skipped, ...]
    seed: int
    created: str
    versions: Mapping[str, str]
    confidence: Confidence | None = None
    caveats: tuple[str, ...] = ()
    folder: Path | None = None
    task: Requirements | None = None
    thresholds: tuple[SystemThresholds, ...] = ()
    ceiling: RunCeiling | None = None
    calibration: Calibration | None = None
    against: str | None = None
    margin: float | None = None
    trivial: tuple[TrivialBaseline, ...] = ()
    command: tuple[str, ...] = ()

    @cached_property
    def row_labels(self) -> list[str]:
        """What tables call the systems, and below them the trivial baselines."""
        return [*(record.label for record in self.systems), *(one.label for one in self.trivial)]

    @cached_property
    def row_figures(self) -> tuple[tuple[Figure, ...], ...]:
        """The figures of the systems, and below them of the trivial baselines: rows x measures."""
        return (*self.figures, *(one.figures for one in self.trivial))

    @cached_property
    def comparison(self) -> Comparison:
        """Gold against the predictions of all systems, calibrated as the figures were."""
        predictions, found = self.predictions, self.calibration
        gold, folds = self.benchmark.gold.scores, folds_of(self.benchmark)
        calibrated = None if found is None else found.apply(predictions, gold, folds)
        return comparison_of(self.benchmark, predictions, self.mappings, calibrated)

    def onto_scale(self, row: int, measure: Measure) -> str:
        """How the scores of a system came onto the gold scale, as far as a measure looks at it."""
        found = self.calibration
        covers = found is not None and (
            "calibrated scale" in measure.requires or (found.covers_errors and "scale" in measure.requires)
        )
        declared = self.mappings[row].description
        if found is None or not covers:
            return declared
        return f"{found.words}: {declared}" if found.method == "none" else found.words

    @cached_property
    def never_best(self) -> tuple[bool, ...]:
        """Whether so many answers of each system were replaced that it is not called best; no trivial baseline is."""
        pairs = zip_longest(self.row_labels, self.predictions[: len(self.systems)])
        return tuple(found is not None and found.replaced_too_often for _, found in pairs)

    @cached_property
    def decisions(self) -> tuple[Decision | None, ...]:
        """On each measure: the systems among the best, and how they compare with a baseline; None without tests."""
        return decisions_of(self)

    @cached_property
    def conclusion(self) -> Conclusion:
        """What the run comes to, in one sentence."""
        return conclusion_of(self)

    def interval(self, row: int, column: int) -> Interval | None:
        """The interval of a figure; None if nothing was resampled."""
        return None if self.confidence is None else self.confidence.intervals[row][column]

    def rows(self) -> Iterator[dict[str, Any]]:
        """The figures in long form, one row per figure."""
        identities = [*(record.identity for record in self.systems), *(one.label for one in self.trivial)]
        for row, (identity, figures) in enumerate(zip(identities, self.row_figures, strict=True)):
            for column, (measure, figure) in enumerate(zip(self.measures, figures, strict=True)):
                yield {
                    "data": self.data.name,
                    "judged_by": self.data.judged_by,
                    "system": identity,
                    "name": self.row_labels[row],
                    "measure": str(measure),
                    "value": None if np.isnan(figure.value) else figure.value,
                    "undefined_because": figure.reason,
                    "onto_scale": self.onto_scale(row, measure) if row < len(self.systems) else None,
                    **self._confidence(row, column),
                    **self._corrected(row, column),
                    **self._decided(row, column),
                }

    def _confidence(self, row: int, column: int) -> dict[str, Any]:
        if self.confidence is None:
            return {}
        interval, rank = self.confidence.intervals[row][column], self.confidence.ranks[row][column]
        return {
            "low": finite_or_none(interval.low),
            "high": finite_or_none(interval.high),
            "rank_best": rank.best or None,
            "rank_worst": rank.worst or None,
            "tied": rank.letters or None,
        }

    def _decided(self, row: int, column: int) -> dict[str, Any]:
        decision = self.decisions[column]
        if decision is None:
            return {}
        best = {"may_be_best": row in decision.may_be_best}
        if decision.baseline is None:
            return best
        contrast = next((one.record(decision.level) for one in decision.contrasts if one.system == row), {})
        names = ("difference", "low", "high", "p_value", "is_floor", "verdict")
        return best | {f"against_{name}": contrast.get(name) for name in names}

    def curve_rows(self) -> Iterator[dict[str, Any]]:
        """What each system does at its thresholds in long form, one row per system and threshold."""
        for record, found in zip(self.systems, self.thresholds, strict=False):
            for point in found.record()["curve"]:
                figures = point.pop("figures")
                yield {"data": self.data.name, "system": record.identity, **point, **figures}

    def _corrected(self, row: int, column: int) -> dict[str, Any]:
        if self.ceiling is None:
            return {}
        found = self.ceiling.corrected[row][column] if row < len(self.systems) else None
        ends = ("value", "low", "high")
        names = ("corrected", "corrected_low", "corrected_high")
        return {
            name: None if found is None else finite_or_none(getattr(found, end))
            for name, end in zip(names, ends, strict=True)
        }

    def record(self) -> dict[str, Any]:
        """Everything but the texts and the predictions, ready for JSON."""
        names = [*(record.identity for record in self.systems), *(one.label for one in self.trivial)]
        return {
            "conclusion": self.conclusion.record(),
            "data": asdict(self.data),
            "seed": self.seed,
            "created": self.created,
            "command": list(self.command),
            "versions": dict(self.versions),
            "task": None if self.task is None else asdict(self.task),
            "systems": [
                asdict(record) | {"onto_scale": mapping.record()}
                for record, mapping in zip(self.systems, self.mappings, strict=True)
            ],
            "measures": [
                {
                    "name": str(m),
                    "low": finite_or_none(m.low),
                    "high": finite_or_none(m.high),
                    "higher_is_better": m.higher_is_better,
                }
                for m in self.measures
            ],
            "figures": [
                {
                    "system": record.identity,
                    "measure": str(measure),
                    "value": finite_or_none(figure.value),
                    "undefined_because": figure.reason,
                }
                for record, figures in zip(self.systems, self.figures, strict=True)
                for measure, figure in zip(self.measures, figures, strict=True)
            ],
            "trivial": [one.record() for one in self.trivial],
            "caveats": list(self.caveats),
            "calibration": None if self.calibration is None else self.calibration.record(),
            "confidence": None if self.confidence is None else self.confidence.record(),
            "against": self.against,
            "margin": self.margin,
            "decisions": [
                {"measure": str(measure), **decision.record(names)}
                for measure, decision in zip(self.measures, self.decisions, strict=True)
                if decision is not None
            ],
            "thresholds": [
                {"system": record.identity, **found.record()}
                for record, found in zip(self.systems, self.thresholds, strict=False)
            ],
            "ceiling": None if self.ceiling is None else self.ceiling.record(),
            "left_out": [asdict(skipped) for skipped in self.left_out],
        }
