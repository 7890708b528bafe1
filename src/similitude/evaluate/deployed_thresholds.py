"""The threshold to deploy for each system, with its interval, and what a system does at every threshold.

A measure of `similitude.evaluate.measures.threshold` tells how good a system is with a threshold that was learned on
other items. To use the system, the threshold is learned on all items.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from similitude import stats
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.measure import ALWAYS_YES, Measure, parts_of
from similitude.evaluate.measures.threshold import AtThreshold, BinaryAccuracy, BinaryF1, Matthews
from similitude.evaluate.measures.threshold_target import PrecisionAt, RecallAt
from similitude.evaluate.operating_points import DeployedThreshold, OperatingPoint, SystemThresholds
from similitude.stats import Interval
from similitude.stats.arrays import Array, Booleans, Integers
from similitude.stats.weighted_correlation import by_item

__all__ = ["MOST_RESAMPLES", "constant_threshold", "deployed_thresholds", "threshold_measures"]

MOST_POINTS = 101
"""A curve has about as many points, and those of the thresholds to deploy."""
MOST_RESAMPLES = 1000
"""More resamples do not make the interval of a threshold better."""
_CELLS = 8_000_000
_STREAM = 3
"""The random stream of these resamples, apart from those of intervals and tests."""

Progress = Callable[[str, int, int], None]


def threshold_measures(measures: Sequence[Measure]) -> list[AtThreshold]:
    """The measures at a learned threshold among these, and among the parts of combinations; each once."""
    found: dict[str, AtThreshold] = {}
    for measure in measures:
        inner = [measure] if isinstance(measure, AtThreshold) else threshold_measures(parts_of(measure))
        for each in inner:
            found.setdefault(str(each), each)
    return list(found.values())


def deployed_thresholds(
    comparison: Comparison,
    measures: Sequence[Measure],
    *,
    resamples: int,
    level: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[SystemThresholds, ...]:
    """The threshold to deploy of every system under every measure at a learned threshold.

    The interval is a percentile interval over resamples of items, or of groups, with the threshold learned on each.
    ``python benchmarks/coverage.py --figures threshold`` simulates how often it holds the best threshold.

    Args:
        comparison: gold against predictions in each system's own units.
        measures: those at a learned threshold are used, also as parts of combinations.
        resamples: of the items; 0 for no intervals.
        level: of the intervals.
        seed: of the resamples.
        progress: is told the progress.

    Returns:
        One entry per system; none if there is no such measure, or if it is undefined.
    """
    wanted = [each for each in threshold_measures(measures) if _is_defined(each, comparison)]
    if not wanted:
        return ()
    drawn = _resampled(comparison, wanted, min(resamples, MOST_RESAMPLES), seed, progress)
    return tuple(_of_system(comparison, wanted, row, each, level) for row, each in enumerate(drawn))


def constant_threshold(measure: AtThreshold, comparison: Comparison, row: int) -> DeployedThreshold:
    """The threshold of a row that says the same of every item, and what it does."""
    counts = measure.held_out(comparison, row, np.ones((1, comparison.gold.size))).counts
    threshold = -np.inf if comparison.constant(row) == ALWAYS_YES else np.inf
    point = _point(threshold, stats.Counts(*(each[0] for each in counts)))
    return DeployedThreshold(measure=str(measure), point=point, interval=None, folds=())


def _of_system(
    comparison: Comparison, measures: Sequence[AtThreshold], row: int, drawn: Sequence[Array | None], level: float
) -> SystemThresholds:
    cuts = comparison.cuts[row]
    every = [_counts(cuts, measure.is_positive(comparison), np.ones((comparison.gold.size, 1))) for measure in measures]
    best = [int(measure.criterion(counts).argmax()) for measure, counts in zip(measures, every, strict=True)]
    places = np.unique(np.append(np.linspace(0, cuts.segments, MOST_POINTS).round(), best).astype(np.intp))
    curves = [_along(counts, places) for counts in every]
    return SystemThresholds(
        thresholds=tuple(
            _deployed(measure, comparison, row, float(cuts.thresholds[place]), thresholds, level)
            for measure, place, thresholds in zip(measures, best, drawn, strict=True)
        ),
        curve=tuple(map(_point, cuts.thresholds[places].tolist(), curves[0])),
        figures=tuple(
            tuple(float(measure.figure(counts)) for counts in curve)
            for measure, curve in zip(measures, curves, strict=True)
        ),
    )


def _is_defined(measure: AtThreshold, comparison: Comparison) -> bool:
    positive = measure.is_positive(comparison)
    can_learn = all(np.unique(comparison.fold_of_item[chosen]).size > 1 for chosen in (positive, ~positive))
    return can_learn and (comparison.has_labels or not measure.requires)


def _deployed(
    measure: AtThreshold, comparison: Comparison, row: int, threshold: float, drawn: Array | None, level: float
) -> DeployedThreshold:
    held_out = measure.held_out(comparison, row, np.ones((1, comparison.gold.size)))
    return DeployedThreshold(
        measure=str(measure),
        point=_point(threshold, stats.Counts(*(each[0] for each in held_out.counts))),
        interval=None if drawn is None else _interval(drawn, level),
        folds=tuple(held_out.thresholds[:, 0].tolist()),
    )


def _resampled(
    comparison: Comparison, measures: Sequence[AtThreshold], resamples: int, seed: int, progress: Progress | None
) -> list[list[Array | None]]:
    """The thresholds learned on each resample: systems x measures; None without resamples."""
    items, groups = comparison.gold.size, comparison.groups
    units = stats.Units(items) if groups is None else stats.Units.of_groups(groups)
    if resamples == 0 or units.number < 2:
        return [[None] * len(measures)] * comparison.systems
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_STREAM,)))
    found = np.empty((comparison.systems, len(measures), resamples))
    labels = [measure.is_positive(comparison) for measure in measures]
    kinds = np.unique(np.stack(labels), axis=0, return_inverse=True)[1].ravel().tolist()
    by_kind = dict(zip(kinds, labels, strict=True))
    thinned = [{kind: cuts.thinned(label) for kind, label in by_kind.items()} for cuts in comparison.cuts]
    for first, last in stats.in_chunks(resamples, max(1, min(250, _CELLS // items))):
        weights = by_item(units.over_items(stats.bootstrap_weights(units.number, last - first, rng)))
        for row, cuts in enumerate(thinned):
            counts = {kind: _counts(cuts[kind], label, weights) for kind, label in by_kind.items()}
            for place, (kind, measure) in enumerate(zip(kinds, measures, strict=True)):
                found[row, place, first:last] = _learned(cuts[kind], counts[kind], measure)
        if progress is not None:
            progress("thresholds", last, resamples)
    return [list(row) for row in found]


def _learned(cuts: stats.Cuts, counts: stats.Counts, measure: AtThreshold) -> Array:
    """The threshold of each resample; nan where it lacks a label."""
    has_both = (counts.positives > 0) & (counts.negatives > 0)
    return np.where(has_both, stats.best_cuts(cuts, counts, measure.criterion)[1], np.nan)


def _counts(cuts: stats.Cuts, is_positive: Booleans, weights: Array) -> stats.Counts:
    """The counts above every cut, from items x resamples."""
    sums = np.cumsum(cuts.sums(weights, is_positive.astype(np.intp), 2), axis=1)
    false, hits = np.concatenate([np.zeros_like(sums[:, :1]), sums], axis=1)
    return stats.Counts(hits, false, hits[-1], false[-1])


def _interval(drawn: Array, level: float) -> Interval:
    """The middle of the thresholds that resamples give; those that lack a label (nan) do not count."""
    tail = (1 - level) / 2
    ends = np.quantile(drawn[~np.isnan(drawn)], [tail, 1 - tail], method="inverted_cdf")
    return Interval(*ends.tolist())


def _along(counts: stats.Counts, places: Integers) -> list[stats.Counts]:
    """The counts at these cuts."""
    hits, false, (positives,), (negatives,) = counts
    return [stats.Counts(hits[place, 0], false[place, 0], positives, negatives) for place in places]


def _point(threshold: float, counts: stats.Counts) -> OperatingPoint:
    kinds = (PrecisionAt(), RecallAt(), BinaryF1(), BinaryAccuracy(), Matthews())
    return OperatingPoint(threshold, *(float(kind.figure(counts)) for kind in kinds))
