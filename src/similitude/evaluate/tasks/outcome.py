"""Outcomes of a task: one figure per system, computed from sums over the task's units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from similitude import stats
from similitude.data.item import Items
from similitude.data.plural import counted
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.threshold import AtThreshold
from similitude.stats.arrays import Array, Booleans, Integers

__all__ = ["LearnedOutcome", "Outcome", "RangeTask", "Task", "accuracy_outcome", "fixed_outcome", "learned_outcome"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcome:
    """The outcome of every unit of a task: a document, a query, a pair.

    Attributes:
        figure: name of the figure: "accuracy", "F1".
        parts: systems x units x parts: the terms to sum over units.
        combine: from sums of parts (last axis) to the figure.
        others: further figures, one value per system.
        notes: caveats, such as fewer folds.
        groups: the group of each unit, if some share one: they are drawn together.
        calibration: how scores become answers, if on a scale or at thresholds; empty if scores are only compared.
    """

    figure: str
    parts: Array
    combine: Callable[[Array], Array]
    others: Mapping[str, Array] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    groups: Integers | None = None
    calibration: str = ""

    @property
    def units(self) -> int:
        """Number of documents, queries or pairs."""
        return int(self.parts.shape[1])

    @property
    def values(self) -> Array:
        """The figure of each system."""
        return self.combine(self.parts.sum(axis=1))

    def resampled(self, weights: Array) -> Array:
        """The figure of each system in each resample, from resamples x units: how often each unit was drawn."""
        return self.combine(np.einsum("ru,sup->srp", weights, self.parts, optimize=True))


@dataclass(frozen=True, kw_only=True, eq=False)
class LearnedOutcome(Outcome):
    """The outcome of a task in which a system answers yes above a threshold that is learned on the other folds.

    Attributes:
        measure: that the threshold is best for, and whose figure counts.
        comparison: labels against similarities.
    """

    measure: AtThreshold
    comparison: Comparison

    def resampled(self, weights: Array) -> Array:
        """The figure of each system in each resample; thresholds are learned anew in each."""
        return self.measure.weighted_values(self.comparison, weights)


@runtime_checkable
class RangeTask(Protocol):
    """A task whose answers depend on where similarities lie on a scale, not only on which is higher."""

    def outcome_on_range(self, similarities: Array) -> Outcome:
        """The outcome without calibration.

        Args:
            similarities: systems x items, from 0 for the low end of each system's declared range to 1 for the high end.
        """
        ...


class Task(Protocol):
    """A task that uses similarity, and in which systems can succeed or fail.

    Attributes:
        kind: registered name of the kind of task.
    """

    kind: ClassVar[str]

    @property
    def name(self) -> str:
        """The name of this task."""

    @property
    def items(self) -> Items:
        """Every pair that a system must score."""

    def outcome(self, similarities: Array, rng: np.random.Generator) -> Outcome:
        """The outcome of the task, given similarities as systems x items.

        Args:
            similarities: higher means more alike.
            rng: draws the folds.
        """
        ...


def accuracy_outcome(
    is_right: Array | Booleans, others: Mapping[str, Array] | None = None, notes: tuple[str, ...] = ()
) -> Outcome:
    """The share of units that are right, from systems x units; a unit may be right in part.

    >>> accuracy_outcome(np.array([[True, False, True, True]])).values
    array([0.75])
    """
    parts = np.stack([is_right, np.ones_like(is_right)], axis=-1).astype(np.float64)
    return Outcome(figure="accuracy", parts=parts, combine=_share, others=others or {}, notes=notes)


def learned_outcome(
    measure: AtThreshold,
    comparison: Comparison,
    figure: str,
    others: Mapping[str, Array],
    notes: tuple[str, ...] = (),
) -> LearnedOutcome:
    """The figure of a measure at thresholds that are learned on the other folds."""
    number, units = np.unique(comparison.fold_of_item).size, _units(comparison.gold.size, comparison.groups)
    ones = np.ones((1, comparison.gold.size))
    found = [measure.held_out(comparison, row, ones) for row in range(comparison.systems)]
    thresholds = np.stack([each.thresholds.ravel() for each in found])
    said = comparison.predicted > thresholds[:, comparison.fold_of_item]
    true = measure.is_positive(comparison)
    return LearnedOutcome(
        figure=figure,
        parts=_counted_answers(said, true),
        combine=partial(_figure, measure),
        others=others,
        notes=notes,
        groups=comparison.groups,
        calibration=f"threshold learned out of fold ({number} folds of {units})",
        measure=measure,
        comparison=comparison,
    )


def fixed_outcome(measure: AtThreshold, true: Booleans, said: Booleans, figure: str, **more: Any) -> Outcome:
    """The figure of a measure for answers that were not learned: systems x items."""
    return Outcome(figure=figure, parts=_counted_answers(said, true), combine=partial(_figure, measure), **more)


def _counted_answers(said: Booleans, true: Booleans) -> Array:
    """Systems x items x (hit, false alarm, positive, 1)."""
    parts = [said & true, said & ~true, np.broadcast_to(true, said.shape), np.ones_like(said)]
    return np.stack(parts, axis=-1).astype(np.float64)


def _figure(measure: AtThreshold, sums: Array) -> Array:
    hits, false, positives, every = np.moveaxis(sums, -1, 0)
    return measure.figure(stats.Counts(hits, false, positives, every - positives))


def _units(items: int, groups: Integers | None) -> str:
    return counted(items, "pair") if groups is None else counted(np.unique(groups).size, "group")


def _share(sums: Array) -> Array:
    return np.asarray(sums[..., 0] / sums[..., 1])
