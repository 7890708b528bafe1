"""A measurement: predictions for the items of a benchmark, calibrated, measured against gold, and compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.evaluate.calibration import Calibration
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measured_figure import MeasuredFigure
from similitude.evaluate.measures import (
    BINARY_MEASURES,
    DEFAULT_MEASURES,
    DISTRIBUTION_MEASURES,
    Figure,
    Measure,
    for_two_labels,
    has_two_labels,
    make_measure,
)
from similitude.evaluate.rescaling import Rescaling
from similitude.evaluate.significance import Confidence, Method, Test, confidence
from similitude.evaluate.trivial_baselines import TrivialBaseline, trivial_baselines, with_trivial
from similitude.study.benchmark_comparison import comparison_of

__all__ = ["Intervals", "Measurement", "measurement_of"]

Calibrate = Callable[[Comparison, Sequence[Measure]], Calibration | None]
"""Fits mappings onto the gold scale, if a measure needs them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """What intervals and tests are asked for; see `similitude.evaluate.significance.confidence`."""

    level: float = 0.95
    method: Method = "auto"
    test: Test = "auto"
    resamples: int | None = None
    seed: int = 0
    progress: Callable[[str, int, int], None] | None = None

    def of(self, comparison: Comparison, measures: Sequence[Measure]) -> Confidence | None:
        """Intervals and tests; None if nothing is to be resampled."""
        if self.resamples == 0:
            return None
        return confidence(
            comparison,
            measures,
            groups=comparison.groups,
            level=self.level,
            method=self.method,
            test=self.test,
            resamples=self.resamples,
            seed=self.seed,
            progress=self.progress,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measurement:
    """The figures of systems on one benchmark.

    Attributes:
        measures: those that were used: the ones asked for, or what takes their place if gold has two labels.
        comparison: of gold and predictions, with calibrated scores.
        calibration: how scores were calibrated; None if no measure needs it.
        figures: systems x measures.
        confidence: intervals and tests, of the trivial baselines too; None if nothing was resampled.
        trivial: the trivial baselines.
    """

    measures: tuple[Measure, ...]
    comparison: Comparison
    calibration: Calibration | None
    figures: tuple[tuple[Figure, ...], ...]
    confidence: Confidence | None
    trivial: tuple[TrivialBaseline, ...] = ()

    def figure(self, row: int, column: int) -> MeasuredFigure:
        """The figure of a system on a measure, with its interval."""
        found = self.confidence
        if found is None:
            return MeasuredFigure.of(self.figures[row][column], None)
        return MeasuredFigure.of(self.figures[row][column], found.intervals[row][column], found.level)


def measurement_of(
    benchmark: Benchmark,
    predictions: Sequence[Predictions],
    mappings: Sequence[Rescaling],
    measures: Sequence[Measure],
    *,
    calibrate: Calibrate,
    intervals: Intervals,
    trivial: bool = False,
) -> Measurement:
    """Measure predictions against gold.

    Args:
        benchmark: items that all have gold.
        predictions: of each system, all finite.
        mappings: from the range that each system declares to the gold scale.
        measures: the usual ones if there are none.
        calibrate: fits mappings onto the gold scale.
        intervals: what intervals and tests are asked for.
        trivial: whether always yes, always no and the mean are compared with the systems.
    """
    is_binary = has_two_labels(benchmark.gold.scores, benchmark.gold.scale)
    used = [for_two_labels(measure) for measure in measures] if is_binary else list(measures)
    used = used or _usual_measures(predictions, is_binary=is_binary)
    comparison = comparison_of(benchmark, predictions, mappings)
    calibration = calibrate(comparison, used)
    if calibration is not None:
        calibrated = calibration.apply(predictions, comparison.gold, comparison.fold_of_item)
        comparison = replace(comparison, calibrated=calibrated)
    whole = with_trivial(comparison, used) if trivial else comparison
    by_measure = [measure(whole) for measure in used]
    return Measurement(
        measures=tuple(used),
        comparison=comparison,
        calibration=calibration,
        figures=tuple(zip(*by_measure, strict=True))[: comparison.systems],
        confidence=intervals.of(whole, used),
        trivial=trivial_baselines(whole, used, by_measure),
    )


def _usual_measures(predictions: Sequence[Predictions], *, is_binary: bool) -> list[Measure]:
    has_sigmas = any(prediction.sigmas is not None for prediction in predictions)
    of_scores = BINARY_MEASURES if is_binary else DEFAULT_MEASURES
    return [make_measure(name) for name in (*of_scores, *(DISTRIBUTION_MEASURES if has_sigmas else ()))]
