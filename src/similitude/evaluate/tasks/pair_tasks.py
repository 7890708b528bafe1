"""Tasks on labelled pairs: text reuse, related or not, deduplication."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from similitude.data.item import Items
from similitude.errors import InputError
from similitude.evaluate.tasks.classifiers import (
    Classes,
    Folds,
    cross_validated_logistic,
    cross_validated_one_rule,
    make_folds,
)
from similitude.evaluate.tasks.outcome import Outcome, accuracy_outcome, f1_outcome
from similitude.stats.arrays import Array, Booleans

__all__ = ["Deduplication", "Related", "TextReuse"]


@dataclass(frozen=True, kw_only=True, eq=False)
class _LabelledPairs:
    """Pairs with classes.

    Attributes:
        name: the task's name in results.
        labels: the class of each pair, as an index into ``classes``.
        classes: class names, least similar first.
        notes: decisions made while reading.
    """

    name: str
    items: Items
    labels: Classes
    classes: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def _folds(self, rng: np.random.Generator) -> Folds:
        folds = make_folds(self.labels, self.classes, rng, self.name)
        return folds._replace(notes=self.notes + folds.notes)


@dataclass(frozen=True, kw_only=True, eq=False)
class TextReuse(_LabelledPairs):
    """Classify each pair into one of several ordered classes, from no reuse to near copy, by its similarity alone.

    OneR and logistic regression with stratified ten-fold cross-validation; the better of the two counts for each
    system. Figure: accuracy. Choosing the better one afterwards flatters all systems slightly and equally.

    Reference: Clough and Stevenson (2011); Reimers et al. (2016), task 1.
    """

    kind: ClassVar[str] = "text-reuse"

    def outcome(self, similarities: Array, rng: np.random.Generator) -> Outcome:
        """Accuracy of the better classifier; ``others`` has both."""
        folds = self._folds(rng)
        said = np.stack(
            [
                cross_validated_one_rule(similarities, self.labels, folds, rng),
                cross_validated_logistic(similarities, self.labels, folds),
            ]
        )
        is_right = said == self.labels
        each = is_right.mean(axis=2)
        better = is_right[each.argmax(axis=0), np.arange(len(similarities))]
        others = {"OneR": each[0], "logistic regression": each[1]}
        return accuracy_outcome(better, others, folds.notes)


@dataclass(frozen=True, kw_only=True, eq=False)
class Related(_LabelledPairs):
    """Decide whether a pair is related: OneR with stratified ten-fold cross-validation. Figure: accuracy.

    Reference: Reimers et al. (2016), task 2.
    """

    kind: ClassVar[str] = "related"

    def outcome(self, similarities: Array, rng: np.random.Generator) -> Outcome:
        """Accuracy of OneR."""
        folds = self._folds(rng)
        return accuracy_outcome(
            cross_validated_one_rule(similarities, self.labels, folds, rng) == self.labels, notes=folds.notes
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Deduplication(_LabelledPairs):
    """Find duplicates: pairs above a threshold chosen on the other folds. Figure: F1 of the duplicates."""

    kind: ClassVar[str] = "deduplication"

    def __post_init__(self) -> None:
        if len(self.classes) != 2:
            what = f"{len(self.classes)} classes ({', '.join(self.classes)})"
            raise InputError(what, where=self.name, remedy="deduplication has two: different and duplicate")

    def outcome(self, similarities: Array, rng: np.random.Generator) -> Outcome:
        """F1 at thresholds chosen on the other folds."""
        folds, is_duplicate = self._folds(rng), self.labels == 1
        said = np.zeros(similarities.shape, dtype=np.bool_)
        for fold, learned in enumerate(folds.training()):
            border = best_f1_threshold(similarities[:, learned], is_duplicate[learned])
            tested = folds.of_member == fold
            said[:, tested] = similarities[:, tested] > border[:, None]
        return f1_outcome(said, is_duplicate, notes=folds.notes)


def best_f1_threshold(values: Array, true: Booleans) -> Array:
    """For each row, the threshold with the highest F1, half-way between two values.

    >>> best_f1_threshold(np.array([[0.1, 0.4, 0.8, 0.9]]), np.array([False, False, True, True]))
    array([0.6])
    """
    order = np.argsort(-values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    hits = np.cumsum(true[order], axis=1)
    f1 = 2 * hits / (np.arange(1, values.shape[1] + 1) + true.sum())
    lower = np.concatenate([ordered[:, 1:], ordered[:, -1:] - 1.0], axis=1)
    f1 = np.where(ordered > lower, f1, -1.0)  # equal values cannot be separated
    best = f1.argmax(axis=1)
    rows = np.arange(len(values))
    return np.asarray((ordered[rows, best] + lower[rows, best]) / 2)
