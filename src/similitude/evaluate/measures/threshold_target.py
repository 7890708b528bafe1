"""Measures at a learned threshold with a target: recall at a precision, precision at a recall, the cost of mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from similitude import stats
from similitude.errors import ArgumentError
from similitude.evaluate.measures.catalogue import MEASURES
from similitude.evaluate.measures.threshold import AtThreshold
from similitude.registry import Spec
from similitude.stats.arrays import Array, Booleans

__all__ = ["Cost", "PrecisionAt", "RecallAt"]

_ROUNDING = 1e-9


@MEASURES.register("recall_at")
@dataclass(frozen=True, repr=False)
class RecallAt(AtThreshold):
    """Recall at the threshold with the best recall among those that reach a precision on the other folds.

    Range 0..1, higher is better. A fold whose other folds reach the precision nowhere has no hits. The precision on the
    items themselves differs a little from the one asked for; the threshold's record has it. Undefined if a label is
    too rare to be in two folds.

    Attributes:
        precision: the precision to reach.

    >>> from similitude.evaluate.comparison import Comparison
    >>> gold, system = np.array([0.0, 0, 0, 0, 1, 1, 1, 1]), np.array([0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9, 1])
    >>> RecallAt(precision=0.9)(Comparison.of_scores(gold, system))[0].value
    1.0
    """

    precision: float = 0.9

    name: ClassVar[str] = "recall_at"
    meaning: ClassVar[str] = "recall at the threshold that reaches a precision on the other folds"
    formula: ClassVar[str] = r"\frac{\mathrm{TP}}{\mathrm{TP} + \mathrm{FN}}"

    def __post_init__(self) -> None:
        _check_share("precision", self.precision)

    @property
    def identity(self) -> Spec:
        """Written ``recall_at(precision=0.9)``."""
        return _spec(self, precision=self.precision)

    def figure(self, counts: stats.Counts) -> Array:
        """TP / (TP + FN)."""
        return stats.share(counts.hits, counts.positives)

    def trials(self, counts: stats.Counts) -> Array:
        """The positive items."""
        return counts.positives

    def criterion(self, counts: stats.Counts) -> Array:
        """Recall where the precision is reached; nothing is better than missing it."""
        return np.where(self.reaches(counts), self.figure(counts), -1.0)

    def reaches(self, counts: stats.Counts) -> Booleans:
        """Whether the precision is reached."""
        return np.asarray(counts.hits >= self.precision * (counts.hits + counts.false) - _ROUNDING)


@MEASURES.register("precision_at")
@dataclass(frozen=True, repr=False)
class PrecisionAt(AtThreshold):
    """Precision at the threshold with the best precision among those that reach a recall on the other folds.

    Range 0..1, higher is better. Undefined if a label is too rare to be in two folds.

    Attributes:
        recall: the recall to reach.

    >>> from similitude.evaluate.comparison import Comparison
    >>> gold, system = np.array([0.0, 0, 0, 0, 1, 1, 1, 1]), np.array([0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9, 1])
    >>> PrecisionAt(recall=0.9)(Comparison.of_scores(gold, system))[0].value
    1.0
    """

    recall: float = 0.9

    name: ClassVar[str] = "precision_at"
    meaning: ClassVar[str] = "precision at the threshold that reaches a recall on the other folds"
    formula: ClassVar[str] = r"\frac{\mathrm{TP}}{\mathrm{TP} + \mathrm{FP}}"

    def __post_init__(self) -> None:
        _check_share("recall", self.recall)

    @property
    def identity(self) -> Spec:
        """Written ``precision_at(recall=0.9)``."""
        return _spec(self, recall=self.recall)

    def figure(self, counts: stats.Counts) -> Array:
        """TP / (TP + FP)."""
        return stats.share(counts.hits, counts.hits + counts.false)

    def trials(self, counts: stats.Counts) -> Array:
        """The items that are called positive."""
        return counts.hits + counts.false

    def criterion(self, counts: stats.Counts) -> Array:
        """Precision where the recall is reached; the lowest cut always reaches it."""
        return np.where(self.reaches(counts), np.nan_to_num(self.figure(counts)), -1.0)

    def reaches(self, counts: stats.Counts) -> Booleans:
        """Whether the recall is reached."""
        return np.asarray(counts.hits >= self.recall * counts.positives - _ROUNDING)


@MEASURES.register("cost")
@dataclass(frozen=True, repr=False)
class Cost(AtThreshold):
    """Mean cost of an item at the threshold with the least cost on the other folds; lower is better.

    A false positive costs ``false_positive``, a false negative ``false_negative``, a right answer nothing. Range from 0
    to the higher of the two. Undefined if a label is too rare to be in two folds.

    Attributes:
        false_positive: the cost of a yes that should be no.
        false_negative: the cost of a no that should be yes.

    >>> from similitude.evaluate.comparison import Comparison
    >>> gold, system = np.array([0.0, 0, 0, 0, 1, 1, 1, 1]), np.array([0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9, 1])
    >>> Cost(false_negative=5)(Comparison.of_scores(gold, system))[0].value
    0.0
    """

    false_positive: float = 1.0
    false_negative: float = 1.0

    name: ClassVar[str] = "cost"
    meaning: ClassVar[str] = "mean cost of wrong answers at the threshold that is cheapest on the other folds"
    formula: ClassVar[str] = r"\frac{c_{\mathrm{FP}} \, \mathrm{FP} + c_{\mathrm{FN}} \, \mathrm{FN}}{n}"
    higher_is_better: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for name, value in (("false_positive", self.false_positive), ("false_negative", self.false_negative)):
            if not (isinstance(value, int | float) and 0 < value < np.inf):
                raise ArgumentError(f"{name}={value} is not a cost", remedy="give a number above 0")

    @property
    def identity(self) -> Spec:
        """Written ``cost(false_positive=1, false_negative=5)``."""
        return _spec(self, false_positive=self.false_positive, false_negative=self.false_negative)

    @property
    def high(self) -> float:  # type: ignore[override]
        """The cost of the worse mistake."""
        return float(max(self.false_positive, self.false_negative))

    def figure(self, counts: stats.Counts) -> Array:
        """The cost of all mistakes / n."""
        missed = counts.positives - counts.hits
        spent = self.false_positive * counts.false + self.false_negative * missed
        return stats.share(spent, counts.positives + counts.negatives)


def _spec(measure: AtThreshold, **arguments: float) -> Spec:
    """The name with these arguments, whether or not they are the usual ones."""
    border = {} if measure.border is None else {"border": measure.border}
    plain = {name: int(value) if float(value).is_integer() else value for name, value in arguments.items()}
    return Spec(measure.name, None, (), {**plain, **border})


def _check_share(name: str, value: float) -> None:
    """Check an argument that is a share.

    Raises:
        ArgumentError: it is not a number above 0 and up to 1.
    """
    if not (isinstance(value, int | float) and 0 < value <= 1):
        raise ArgumentError(f"{name}={value} is not a share", remedy=f"give a number above 0 and up to 1: {name}=0.9")
