"""Tasks on labelled pairs: text reuse, related or not, deduplication."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from similitude.data.item import Items
from similitude.data.plural import counted
from similitude.errors import InputError
from similitude.evaluate.comparison import FOLDS, Comparison
from similitude.evaluate.measures.binary_labels import AveragePrecision, RocArea
from similitude.evaluate.measures.threshold import AtThreshold, BinaryAccuracy, BinaryF1, Matthews
from similitude.evaluate.tasks.classifiers import (
    Classes,
    Folds,
    check_classes,
    cross_validated_logistic,
    cross_validated_one_rule,
    make_folds,
)
from similitude.evaluate.tasks.outcome import LearnedOutcome, Outcome, accuracy_outcome, fixed_outcome, learned_outcome
from similitude.stats.arrays import Array, Integers
from similitude.stats.folds import named_folds

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

    @cached_property
    def groups(self) -> Integers | None:
        """The number of each pair's group; None if no two pairs share one."""
        numbers = np.unique(self.items.group_names, return_inverse=True)[1].ravel()
        return None if numbers.max(initial=-1) + 1 == numbers.size else numbers

    def _folds(self, rng: np.random.Generator) -> Folds:
        groups = None if self.groups is None else self.items.group_names
        folds = make_folds(self.labels, self.classes, rng, self.name, groups=groups)
        return folds._replace(notes=self.notes + folds.notes)

    def _learned_words(self, folds: Folds) -> str:
        """How classes were learned."""
        number = len(self.labels) if self.groups is None else int(self.groups.max()) + 1
        units = counted(number, "pair" if self.groups is None else "group")
        return f"borders of classes learned out of fold ({folds.number} folds of {units})"


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
        found = accuracy_outcome(better, others, folds.notes)
        return replace(found, groups=self.groups, calibration=self._learned_words(folds))

    def outcome_on_range(self, similarities: Array) -> Outcome:
        """Accuracy of classes that divide the declared range into equal parts."""
        number = len(self.classes)
        said = np.clip(np.floor(similarities * number), 0, number - 1).astype(np.intp)
        found = accuracy_outcome(said == self.labels, notes=self.notes)
        words = f"uncalibrated: the range that each system declares, in {number} equal parts"
        return replace(found, groups=self.groups, calibration=words)


@dataclass(frozen=True, kw_only=True, eq=False)
class _TwoClasses(_LabelledPairs):
    """Pairs that are of the second class or not: above or below a threshold that is learned on the other folds."""

    kind: ClassVar[str]
    usual: ClassVar[str]
    measure: ClassVar[AtThreshold]
    figure: ClassVar[str]

    def __post_init__(self) -> None:
        if len(self.classes) != 2:
            what = f"{len(self.classes)} classes ({', '.join(self.classes)})"
            raise InputError(what, where=self.name, remedy=f"{self.kind} has two: {self.usual}")

    def outcome_on_range(self, similarities: Array) -> Outcome:
        """The figure of answers above the middle of the declared range."""
        words = "uncalibrated: yes above the middle of the range that each system declares"
        more = {"notes": self.notes, "groups": self.groups, "calibration": words}
        return fixed_outcome(self.measure, self.labels == 1, similarities > 0.5, self.figure, **more)

    def _learned(self, similarities: Array, others: dict[str, Array]) -> LearnedOutcome:
        check_classes(self.labels, self.classes, self.name)
        gold = self.labels.astype(np.float64)
        folds = named_folds(gold, self.items.group_names, FOLDS)
        comparison = replace(Comparison.of_scores(gold, similarities, groups=self.groups), folds=folds)
        further = {"AUC": RocArea(), "average precision": AveragePrecision(), "MCC": Matthews()}
        figures = {name: other.values(comparison) for name, other in further.items()}
        return learned_outcome(self.measure, comparison, self.figure, {**others, **figures}, self.notes)


@dataclass(frozen=True, kw_only=True, eq=False)
class Related(_TwoClasses):
    """Decide whether a pair is related: above a threshold learned on the other folds. Figure: accuracy.

    Further figures: the accuracy of OneR with stratified ten-fold cross-validation, which is the paper's; ROC area,
    average precision, and MCC at its own threshold. With ``by_one_rule`` OneR gives the figure, as in the paper, and
    the threshold is a further one.

    Reference: Reimers et al. (2016), task 2.
    """

    by_one_rule: bool = False

    kind: ClassVar[str] = "related"
    usual: ClassVar[str] = "unrelated and related"
    measure: ClassVar[AtThreshold] = BinaryAccuracy()
    figure: ClassVar[str] = "accuracy"

    def outcome(self, similarities: Array, rng: np.random.Generator) -> Outcome:
        """Accuracy of one of the two ways to decide; ``others`` has the other."""
        folds = self._folds(rng)
        one_rule = cross_validated_one_rule(similarities, self.labels, folds, rng) == self.labels
        found = self._learned(similarities, {} if self.by_one_rule else {"OneR": one_rule.mean(axis=1)})
        if not self.by_one_rule:
            return replace(found, notes=folds.notes)
        others = {"threshold": found.values, **found.others}
        words = self._learned_words(folds).replace("borders of classes", "OneR")
        return replace(accuracy_outcome(one_rule, others, folds.notes), groups=self.groups, calibration=words)


@dataclass(frozen=True, kw_only=True, eq=False)
class Deduplication(_TwoClasses):
    """Find duplicates: pairs above a threshold that is learned on the other folds. Figure: F1 of the duplicates.

    Further figures: ROC area, average precision, and MCC at its own threshold.
    """

    kind: ClassVar[str] = "deduplication"
    usual: ClassVar[str] = "different and duplicate"
    measure: ClassVar[AtThreshold] = BinaryF1()
    figure: ClassVar[str] = "F1"

    def outcome(self, similarities: Array, rng: np.random.Generator) -> Outcome:
        """F1 at thresholds learned on the other folds."""
        return self._learned(similarities, {})
