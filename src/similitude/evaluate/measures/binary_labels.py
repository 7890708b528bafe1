"""Measures on two labels, such as duplicate or not, that need no threshold: ROC area and average precision.

Gold has two labels if it takes no other scores than the two ends of its scale; the high end is the positive label.
``border`` makes two labels of graded gold: scores above it are positive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from similitude import stats
from similitude.data.scale import Scale
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.catalogue import MEASURES
from similitude.evaluate.measures.measure import Measure, Need, Sampling
from similitude.evaluate.measures.resampled_comparison import Swapped
from similitude.stats.arrays import Array, Booleans
from similitude.stats.left_out_units import left_out_units

__all__ = ["AveragePrecision", "RocArea", "TwoLabels", "has_two_labels"]

FEWEST_ITEMS = 5
"""Fewer graded scores may lie at the two ends of their scale by chance."""
COUNTED_AGAIN = 4_000_000
"""For up to so many groups times items, average precision is computed anew without each group."""


def has_two_labels(gold: Array, scale: Scale | None) -> bool:
    """Whether gold is a label, yes or no: both ends of the scale occur, and no other score.

    On a scale other than 0..1, at least five items are needed.

    >>> has_two_labels(np.array([0.0, 1.0]), None), has_two_labels(np.array([0.0, 5.0]), Scale(low=0, high=5))
    (True, False)
    """
    low, high = (0.0, 1.0) if scale is None else (scale.low, scale.high)
    is_low, is_high = gold == low, gold == high
    enough = 2 if (low, high) == (0.0, 1.0) else FEWEST_ITEMS
    return bool(is_low.any() and is_high.any() and (is_low | is_high).all() and gold.size >= enough)


@dataclass(frozen=True, repr=False)
class TwoLabels(Measure):
    """Base of measures on two labels.

    Attributes:
        border: gold scores above it are positive; by default the middle of the scale, between the two labels.
    """

    border: float | None = field(default=None, kw_only=True)

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    undefined: ClassVar[str] = "gold has one label"
    swapped: ClassVar[Swapped] = "ranks"
    sampling: ClassVar[Sampling] = "logit"

    @property
    def requires(self) -> frozenset[Need]:
        """Two labels, unless a border makes them."""
        return frozenset({"two labels"}) if self.border is None else frozenset()

    def is_positive(self, comparison: Comparison) -> Booleans:
        """The label of each item."""
        if self.border is not None:
            return np.asarray(comparison.gold > self.border)
        return np.asarray(comparison.gold > (0.5 if comparison.scale is None else comparison.scale.at(0.5)))

    def values(self, comparison: Comparison) -> Array:
        """One figure per system."""
        return self.weighted_values(comparison, np.ones((1, comparison.gold.size))).ravel()

    def why_undefined(self, comparison: Comparison, row: int) -> str:
        """Which label is missing."""
        missing = "negative" if self.is_positive(comparison).all() else "positive"
        above = "" if self.border is None else f" with border {self.border:g}"
        return f"gold has no {missing} item{above}"


@MEASURES.register("auc", "roc_auc", "auroc")
@dataclass(frozen=True, repr=False)
class RocArea(TwoLabels):
    """The area under the ROC curve: the share of pairs (positive, negative) in which the positive scores higher.

    Range 0..1, higher is better, .5 by chance. Ties count half. Undefined if gold has one label.

    Reference: Hanley and McNeil (1982), The meaning and use of the area under a ROC curve.

    >>> # of the four pairs, 4 > 1, 4 > 3, 2 > 1 are right, 2 > 3 is wrong
    >>> RocArea()(Comparison.of_scores(np.array([0.0, 1, 0, 1]), np.array([1.0, 2, 3, 4])))[0].value
    0.75
    """

    name: ClassVar[str] = "auc"
    meaning: ClassVar[str] = "share of pairs (positive, negative) in which the positive scores higher: ROC area"
    formula: ClassVar[str] = (
        r"\frac{1}{|P| \, |N|} \sum_{p \in P} \sum_{q \in N}"
        r" \left( [\hat{y}_p > \hat{y}_q] + \frac{1}{2} [\hat{y}_p = \hat{y}_q] \right)"
    )
    on_ties: ClassVar[str] = "count half"

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples."""
        return stats.weighted_auc(comparison.predicted, self.is_positive(comparison), weights)

    def left_out(self, comparison: Comparison, units: stats.Units) -> Array:
        """Systems x units."""
        positive = self.is_positive(comparison)
        return np.stack([stats.auc_without_units(row, positive, units) for row in comparison.predicted])


@MEASURES.register("average_precision", "ap", "pr_auc", "auprc")
@dataclass(frozen=True, repr=False)
class AveragePrecision(TwoLabels):
    """Average precision: the precision at the score of each positive item, averaged over positive items.

    Precision at a score is the share of positive items among those with at least that score, so equal scores are never
    separated; this is scikit-learn's definition. Range 0..1, higher is better; by chance, the share of positive items.
    Undefined if gold has no positive item.

    Reference: Buckley and Voorhees (2000), Evaluating evaluation measure stability.

    >>> # positive items at places 1 and 3: (1/1 + 2/3) / 2
    >>> round(AveragePrecision()(Comparison.of_scores(np.array([1.0, 0, 1, 0]), np.array([4.0, 3, 2, 1])))[0].value, 4)
    0.8333
    """

    name: ClassVar[str] = "average_precision"
    meaning: ClassVar[str] = "precision at the score of each positive item, averaged over positive items"
    formula: ClassVar[str] = (
        r"\frac{1}{|P|} \sum_{p \in P} \frac{|\{q \in P : \hat{y}_q \geq \hat{y}_p\}|}"
        r"{|\{i : \hat{y}_i \geq \hat{y}_p\}|}"
    )
    on_ties: ClassVar[str] = "equal scores are not separated"
    undefined: ClassVar[str] = "gold has no positive item"

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples."""
        return stats.weighted_average_precision(comparison.predicted, self.is_positive(comparison), weights)

    def left_out(self, comparison: Comparison, units: stats.Units) -> Array:
        """Systems x units."""
        if units.of_item is not None and units.number * comparison.gold.size <= COUNTED_AGAIN:
            kept = stats.jackknife_weights(np.arange(units.number), 0, units.number)
            return self.weighted_values(comparison, units.over_items(kept))
        positive = self.is_positive(comparison)
        without = np.stack([stats.average_precision_without_each(row, positive) for row in comparison.predicted])
        return _without_units(self.values(comparison), without, units)


def _without_units(values: Array, without: Array, units: stats.Units) -> Array:
    """Figures without each unit, from those without each item, to first order."""
    rows = zip(values.tolist(), without, strict=True)
    return np.clip([left_out_units(value, row, units) for value, row in rows], 0.0, 1.0)
