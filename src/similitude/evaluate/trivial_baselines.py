"""Answers that need no system: always yes, always no, and the mean of gold. A system has to be better than these.

With two labels, *always yes* and *always no* have figures on measures at a threshold: everything is above it, or
nothing is. With graded gold, *the mean* has figures on measures that look at the gold scale, such as errors: it says of
each item the mean gold of the other folds. Correlations and rankings of a constant are undefined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from similitude.evaluate.comparison import Comparison
from similitude.evaluate.deployed_thresholds import constant_threshold, threshold_measures
from similitude.evaluate.measures.measure import ALWAYS_NO, ALWAYS_YES, THE_MEAN, Figure, Measure
from similitude.evaluate.operating_points import DeployedThreshold
from similitude.stats.finite import finite_or_none

__all__ = ["TrivialBaseline", "trivial_baselines", "with_trivial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrivialBaseline:
    """What an answer that needs no system reaches.

    Attributes:
        label: "always yes", "always no" or "the mean".
        figures: one per measure; nan where a constant has none.
        thresholds: what "always yes" and "always no" do at the thresholds that say so, one per measure that learns one.
    """

    label: str
    figures: tuple[Figure, ...]
    thresholds: tuple[DeployedThreshold, ...] = ()

    def record(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "label": self.label,
            "figures": [{"value": finite_or_none(one.value), "undefined_because": one.reason} for one in self.figures],
            "thresholds": [each.record() for each in self.thresholds],
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> TrivialBaseline:
        """Rebuild from `record`."""
        figures = (
            Figure(np.nan if one["value"] is None else one["value"], one["undefined_because"])
            for one in record["figures"]
        )
        thresholds = tuple(map(DeployedThreshold.from_record, record["thresholds"]))
        return cls(label=record["label"], figures=tuple(figures), thresholds=thresholds)


def with_trivial(comparison: Comparison, measures: Sequence[Measure]) -> Comparison:
    """The comparison with a row below the systems for each constant that some measure is defined on.

    >>> from similitude.evaluate.measures import make_measure
    >>> made = Comparison.of_scores(np.array([0.0, 1, 0, 1, 1] * 4), np.arange(20.0))
    >>> with_trivial(made, [make_measure("accuracy"), make_measure("auc")]).constants
    (None, 'always yes', 'always no')
    """
    known = [name for name in (ALWAYS_YES, ALWAYS_NO, THE_MEAN) if any(name in each.constants for each in measures)]
    if comparison.has_labels:
        known = [name for name in known if name != THE_MEAN]
    if not known:
        return comparison
    scores = {ALWAYS_YES: np.ones(comparison.gold.size), ALWAYS_NO: np.zeros(comparison.gold.size)}
    rows = [_mean_of_other_folds(comparison) if name == THE_MEAN else scores[name] for name in known]
    whole = comparison.with_constants(tuple(known), np.stack(rows))
    figures = [measure(whole)[comparison.systems :] for measure in measures]
    defined = [place for place in range(len(known)) if any(np.isfinite(each[place].value) for each in figures)]
    return whole.of_systems([*range(comparison.systems), *(comparison.systems + place for place in defined)])


def trivial_baselines(
    whole: Comparison, measures: Sequence[Measure], figures: Sequence[Sequence[Figure]]
) -> tuple[TrivialBaseline, ...]:
    """The rows of constants with their figures.

    Args:
        whole: from `with_trivial`.
        measures: the measures.
        figures: one list per measure, of all rows.
    """
    return tuple(
        TrivialBaseline(
            label=label,
            figures=tuple(each[row] for each in figures),
            thresholds=tuple(
                constant_threshold(measure, whole, row)
                for measure in threshold_measures(measures)
                if label in measure.constants and np.isfinite(measure(whole.of_systems([row]))[0].value)
            ),
        )
        for row, label in enumerate(whole.constants)
        if label is not None
    )


def _mean_of_other_folds(comparison: Comparison) -> np.ndarray[Any, np.dtype[np.float64]]:
    """For each item the mean gold of the other folds; of all items if there is one fold."""
    gold, folds = comparison.gold, comparison.fold_of_item
    sums, sizes = np.bincount(folds, gold), np.bincount(folds)
    others = np.maximum(gold.size - sizes, 1)
    means = np.where(sizes == gold.size, gold.mean(), (gold.sum() - sums) / others)
    return np.asarray(means[folds])
