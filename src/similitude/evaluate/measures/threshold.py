"""Measures on two labels at a threshold that is learned: F1, accuracy, MCC.

A system that separates the labels at .75 is as good as one that separates them at .5, so no threshold is fixed on raw
scores. Items are divided into five folds, groups undivided. The items of each fold are cut at the threshold that is
best on the other four, and the figure is computed once from the counts over all folds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from similitude import stats
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.binary_labels import TwoLabels
from similitude.evaluate.measures.catalogue import MEASURES
from similitude.evaluate.measures.combination import F1LowHigh
from similitude.evaluate.measures.measure import ALWAYS_NO, ALWAYS_YES, Measure, Sampling, Shares, with_parts
from similitude.evaluate.measures.resampled_comparison import Swapped
from similitude.stats.arrays import Array, Booleans

__all__ = ["AtThreshold", "BinaryAccuracy", "BinaryF1", "Matthews", "for_two_labels"]


@dataclass(frozen=True, repr=False)
class AtThreshold(TwoLabels):
    """Base of measures at a learned threshold.

    A subclass defines ``figure`` and, if another cut than the one with the best figure is wanted, ``criterion``. Of
    equally good cuts, the highest is taken. The threshold lies half-way between the two neighbouring scores.
    """

    on_ties: ClassVar[str] = "equal scores are on the same side of a threshold"
    undefined: ClassVar[str] = "some four of the five folds have one label"
    swapped: ClassVar[Swapped] = "standardised"
    sampling: ClassVar[Sampling] = "learned"

    def figure(self, counts: stats.Counts) -> Array:
        """The figure, from counts of items above and below a threshold."""
        raise NotImplementedError

    def criterion(self, counts: stats.Counts) -> Array:
        """How good a cut is, higher is better; never nan."""
        figure = np.nan_to_num(self.figure(counts))
        return figure if self.higher_is_better else -figure

    def reaches(self, counts: stats.Counts) -> Booleans:
        """Whether a cut reaches what is asked for, where a measure asks for something."""
        return np.ones(np.shape(counts.hits), dtype=np.bool_)

    @property
    def constants(self) -> frozenset[str]:
        """Everything is above the threshold, or nothing."""
        return frozenset({ALWAYS_YES, ALWAYS_NO})

    def held_out(self, comparison: Comparison, row: int, weights: Array) -> stats.HeldOut:
        """What the learned thresholds of one system do on the folds that they were not learned on."""
        criterion = _CONSTANT.get(comparison.constant(row) or "", self.criterion)
        return comparison.folded_cuts(row, self.is_positive(comparison)).held_out(weights, criterion)

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples; thresholds are learned anew in each resample."""
        found = np.empty((comparison.systems, len(weights)))
        for row in range(comparison.systems):
            held_out = self.held_out(comparison, row, weights)
            is_known = held_out.is_learned
            if comparison.constant(row) is not None:
                is_known = is_known & self.reaches(held_out.counts)
            found[row] = np.where(is_known, self.figure(held_out.counts), np.nan)
        return found

    def trials(self, counts: stats.Counts) -> Array:
        """The number of items of which the figure is a share, or a function of one."""
        return np.asarray(counts.positives + counts.negatives)

    def to_share(self, figure: Array) -> Array:
        """The share of trials that succeed, from the figure."""
        return np.asarray((figure - self.low) / (self.high - self.low))

    def of_share(self, share: float) -> float:
        """The figure, from the share of trials that succeed."""
        return self.low + share * (self.high - self.low)

    def shares(self, comparison: Comparison) -> Shares:
        """The shares of trials that succeed, for figures at the end of their range."""
        ones = np.ones((1, comparison.gold.size))
        counts = [self.held_out(comparison, row, ones).counts for row in range(comparison.systems)]
        return Shares(np.concatenate([self.trials(each) for each in counts]), self.to_share, self.of_share)

    def why_undefined(self, comparison: Comparison, row: int) -> str:
        """Which label is missing, or too rare to learn a threshold."""
        positive = self.is_positive(comparison)
        for label, chosen in (("positive", positive), ("negative", ~positive)):
            folds = np.unique(comparison.fold_of_item[chosen]).size
            if folds < 2:
                number = int(chosen.sum())
                where = "" if number < 2 else " in one fold"
                return f"{number} {label} item{'' if number == 1 else 's'}{where}: a threshold cannot be learned"
        if comparison.constant(row) is not None:
            return f"'{comparison.constant(row)}' does not reach what {self} asks for"
        return self.undefined


_CONSTANT: dict[str, stats.Criterion] = {
    ALWAYS_YES: lambda counts: counts.hits + counts.false,
    ALWAYS_NO: lambda counts: -(counts.hits + counts.false),
}
"""The cuts of rows that say the same of every item: below all items, and above all."""


@MEASURES.register("f1_binary", "binary_f1", "f1_positive")
@dataclass(frozen=True, repr=False)
class BinaryF1(AtThreshold):
    """F1 of the positive label at the threshold with the best F1 on the other folds: 2 TP / (2 TP + FP + FN).

    Range 0..1, higher is better. Saying yes to everything has F1 2p / (1 + p) for a share p of positive items.
    Undefined if a label is too rare to be in two folds.

    >>> # separated perfectly, wherever the border is
    >>> gold, system = np.array([0.0, 0, 0, 0, 1, 1, 1, 1]), np.array([0.7, 0.71, 0.74, 0.75, 0.9, 0.91, 0.92, 0.95])
    >>> BinaryF1()(Comparison.of_scores(gold, system))[0].value
    1.0
    """

    name: ClassVar[str] = "f1_binary"
    meaning: ClassVar[str] = "F1 of the positive label at the threshold that is best on the other folds"
    formula: ClassVar[str] = r"\frac{2 \, \mathrm{TP}}{2 \, \mathrm{TP} + \mathrm{FP} + \mathrm{FN}}"

    def figure(self, counts: stats.Counts) -> Array:
        """2 TP / (2 TP + FP + FN)."""
        return stats.share(2 * counts.hits, counts.hits + counts.false + counts.positives)

    def trials(self, counts: stats.Counts) -> Array:
        """The items that are positive or called so. With the share s of those that are both, F1 = 2s / (1 + s)."""
        return counts.positives + counts.false

    def to_share(self, figure: Array) -> Array:
        """S = F1 / (2 - F1)."""
        return np.asarray(figure / (2 - figure))

    def of_share(self, share: float) -> float:
        """2s / (1 + s)."""
        return 2 * share / (1 + share)


@MEASURES.register("accuracy")
@dataclass(frozen=True, repr=False)
class BinaryAccuracy(AtThreshold):
    """The share of items on the right side of the threshold with the best accuracy on the other folds.

    Range 0..1, higher is better; by chance, the share of the more frequent label. Undefined if a label is too rare to
    be in two folds.

    >>> gold, system = np.array([0.0, 0, 0, 0, 1, 1, 1, 1]), np.array([0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9, 1])
    >>> BinaryAccuracy()(Comparison.of_scores(gold, system))[0].value
    1.0
    """

    name: ClassVar[str] = "accuracy"
    meaning: ClassVar[str] = "share of items on the right side of the threshold that is best on the other folds"
    formula: ClassVar[str] = r"\frac{\mathrm{TP} + \mathrm{TN}}{n}"

    def figure(self, counts: stats.Counts) -> Array:
        """(TP + TN) / n."""
        right = counts.hits + counts.negatives - counts.false
        return stats.share(right, counts.positives + counts.negatives)


@MEASURES.register("mcc", "matthews")
@dataclass(frozen=True, repr=False)
class Matthews(AtThreshold):
    """Matthews' correlation coefficient at the threshold where it is best on the other folds.

    (TP TN - FP FN) / sqrt((TP + FP) (TP + FN) (TN + FP) (TN + FN)): Pearson's r of the labels with the answers. Range
    -1..1, higher is better, 0 by chance; 0 also if all answers are the same. Undefined if a label is too rare to be in
    two folds.

    Reference: Matthews (1975); Chicco and Jurman (2020), The advantages of the Matthews correlation coefficient.

    >>> gold, system = np.array([0.0, 0, 0, 0, 1, 1, 1, 1]), np.array([0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9, 1])
    >>> Matthews()(Comparison.of_scores(gold, system))[0].value
    1.0
    """

    name: ClassVar[str] = "mcc"
    meaning: ClassVar[str] = "correlation of labels with answers at the threshold that is best on the other folds"
    formula: ClassVar[str] = (
        r"\frac{\mathrm{TP} \cdot \mathrm{TN} - \mathrm{FP} \cdot \mathrm{FN}}"
        r"{\sqrt{(\mathrm{TP} + \mathrm{FP})(\mathrm{TP} + \mathrm{FN})"
        r"(\mathrm{TN} + \mathrm{FP})(\mathrm{TN} + \mathrm{FN})}}"
    )
    low: ClassVar[float] = -1.0

    def figure(self, counts: stats.Counts) -> Array:
        """Matthews' coefficient; 0 if all answers are the same."""
        hits, false, positives, negatives = counts
        yes = hits + false
        no = positives + negatives - yes
        spread = np.sqrt(yes * no * positives * negatives)
        return stats.share(hits * negatives - false * positives, spread, when_empty=0.0)


def for_two_labels(measure: Measure) -> Measure:
    """The measure with ``f1``, which is about low and high pairs, replaced by F1 at a learned threshold.

    >>> from similitude.evaluate.measures.catalogue import make_measure
    >>> for_two_labels(make_measure("hmean(pearson, f1)"))
    hmean(pearson, f1_binary)
    """
    if isinstance(measure, F1LowHigh):
        return BinaryF1()
    return with_parts(measure, for_two_labels)
