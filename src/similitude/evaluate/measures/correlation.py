"""Correlation of predictions with gold: Pearson, Spearman, Kendall."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from similitude import stats
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.additive import Additive
from similitude.evaluate.measures.catalogue import MEASURES
from similitude.evaluate.measures.measure import Measure, Sampling
from similitude.evaluate.measures.resampled_comparison import Swapped
from similitude.stats.arrays import Array

__all__ = ["Kendall", "Pearson", "Spearman"]


@dataclass(frozen=True, repr=False)
class Correlation(Measure):
    """Base of correlations: range -1..1, undefined if one side is constant."""

    low: ClassVar[float] = -1.0
    high: ClassVar[float] = 1.0
    undefined: ClassVar[str] = "gold or predictions are constant"
    sampling: ClassVar[Sampling] = "fisher"

    def why_undefined(self, comparison: Comparison, row: int) -> str:
        """Which side is constant."""
        return why_no_correlation(comparison.gold, comparison.predicted[row], "gold scores", "predictions")


def why_no_correlation(gold: Array, predicted: Array, gold_words: str, predicted_words: str) -> str:
    """Which side makes a correlation undefined."""
    if gold.size < 2:
        return f"only {gold.size} item"
    return f"all {gold_words if stats.is_constant(gold) else predicted_words} are the same"


@MEASURES.register("pearson", "r")
@dataclass(frozen=True, repr=False)
class Pearson(Correlation, Additive):
    """Pearson's r: linear correlation.

    cov(gold, predicted) / (sd(gold) sd(predicted)). Range -1..1, higher is better. Sensitive to outliers and to
    linear relations only. Undefined if either side is constant.

    Reference: Reimers et al. (2016), section 2.

    >>> Pearson()(Comparison.of_scores(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])))
    [Figure(value=1.0, reason=None)]
    """

    name: ClassVar[str] = "pearson"
    meaning: ClassVar[str] = "how close predictions lie to a straight line through gold"
    formula: ClassVar[str] = (
        r"r = \frac{\sum_{i} (y_i - \bar{y}) (\hat{y}_i - \bar{\hat{y}})}"
        r"{\sqrt{\sum_{i} (y_i - \bar{y})^2 \, \sum_{i} (\hat{y}_i - \bar{\hat{y}})^2}}"
    )
    swapped: ClassVar[Swapped] = "standardised"

    def values(self, comparison: Comparison) -> Array:
        """One r per system."""
        return stats.pearson(comparison.gold, comparison.predicted)

    def correlated(self, comparison: Comparison) -> tuple[Array, Array]:
        """Gold and predictions."""
        return comparison.gold, comparison.predicted

    def features(self, comparison: Comparison) -> Array:
        """The terms to sum."""
        return stats.pearson_features(comparison.gold, comparison.predicted)

    def from_sums(self, sums: Array) -> Array:
        """Pearson's r."""
        return stats.pearson_from_sums(sums)

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples; where sums lose precision, computed from the items."""
        found = super().weighted_values(comparison, weights)
        can_be = np.isfinite(self.values(comparison))
        doubtful = np.isnan(found[can_be]).any(axis=0)
        if doubtful.any():
            found[:, doubtful] = Measure.weighted_values(self, comparison, weights[doubtful])
        return found


@MEASURES.register("spearman", "rho")
@dataclass(frozen=True, repr=False)
class Spearman(Correlation):
    """Spearman's rho: Pearson's r of the ranks; tied values share their average rank.

    Range -1..1, higher is better. Undefined if either side is constant.

    >>> Spearman()(Comparison.of_scores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 10.0, 100.0])))
    [Figure(value=1.0, reason=None)]
    """

    name: ClassVar[str] = "spearman"
    meaning: ClassVar[str] = "how well predictions keep the order of gold, over all items"
    formula: ClassVar[str] = r"\rho = r\left(\operatorname{rank}(y), \operatorname{rank}(\hat{y})\right)"
    on_ties: ClassVar[str] = "share their average rank"
    swapped: ClassVar[Swapped] = "ranks"

    def values(self, comparison: Comparison) -> Array:
        """One rho per system."""
        return stats.pearson(comparison.gold_ordering.ranks, comparison.ordering.ranks)

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples, using the sorted order of the full sample."""
        (gold,) = stats.levels_by_row(comparison.gold_ordering)
        return stats.weighted_spearman(weights, gold, stats.levels_by_row(comparison.ordering))

    def left_out(self, comparison: Comparison, units: stats.Units) -> Array:
        """Systems x units, from influence values."""
        return _left_out(
            self.values(comparison), comparison, units, lambda gold, row, _: stats.spearman_influence(gold, row)
        )

    def correlated(self, comparison: Comparison) -> tuple[Array, Array]:
        """The ranks of gold and of the predictions."""
        return comparison.gold_ordering.ranks, comparison.ordering.ranks

    def swapped_values(self, comparison: Comparison, swaps: Array) -> Array:
        """Pearson's r of swapped ranks, without re-ranking, which would need a sort per permutation."""
        ranked = replace(comparison, gold=comparison.gold_ordering.ranks, predicted=comparison.ordering.ranks)
        return Pearson().swapped_values(ranked, swaps)


@MEASURES.register("kendall", "tau")
@dataclass(frozen=True, repr=False)
class Kendall(Correlation):
    """Kendall's tau-b: share of concordant pairs of items minus share of discordant ones, corrected for ties.

    Range -1..1, higher is better. Undefined if either side is constant.

    >>> # of the 3 pairs of items, 2 stand in the right order and 1 in the wrong one: (2 - 1) / 3
    >>> Kendall()(Comparison.of_scores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])))[0].value
    0.333333...
    """

    name: ClassVar[str] = "kendall"
    meaning: ClassVar[str] = "share of pairs of items in the right order minus share in the wrong (tau-b)"
    formula: ClassVar[str] = r"\tau_b = \frac{C - D}{\sqrt{(C + D + T_y)(C + D + T_{\hat{y}})}}"
    on_ties: ClassVar[str] = "count for neither side (tau-b)"
    swapped: ClassVar[Swapped] = "ranks"

    def values(self, comparison: Comparison) -> Array:
        """One tau per system."""
        return stats.kendall(comparison.gold, comparison.predicted)

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples, using the sorted order of the full sample."""
        (gold,) = stats.levels_by_row(comparison.gold_ordering)
        return stats.weighted_kendall(weights, gold, stats.levels_by_row(comparison.ordering))

    def left_out(self, comparison: Comparison, units: stats.Units) -> Array:
        """Systems x units, from influence values, shrunk to the standard error of tau if nothing is tied."""
        is_plain = units.of_item is None and comparison.gold_ordering.tie_sizes.max() == 1

        def influence(gold: stats.Levels, row: stats.Levels, tau: float) -> Array:
            found = stats.kendall_influence(gold, row)
            has_ties = row.starts.size < found.size
            return found * stats.kendall_shrinkage(found, tau) if is_plain and not has_ties else found

        return _left_out(self.values(comparison), comparison, units, influence)


Influence = Callable[[stats.Levels, stats.Levels, float], Array]
"""The influence of each item, from gold, predictions, and their correlation."""


def _left_out(values: Array, comparison: Comparison, units: stats.Units, influence: Influence) -> Array:
    """The correlations without each unit, to first order on Fisher's z scale: systems x units."""
    (gold,) = stats.levels_by_row(comparison.gold_ordering)
    found = np.empty((comparison.systems, units.number))
    rest = comparison.gold.size - units.sizes
    for place, row in enumerate(stats.levels_by_row(comparison.ordering)):
        correlation = float(values[place])
        if abs(correlation) == 1:  # whatever is left out
            found[place] = correlation
            continue
        pull = units.sums(influence(gold, row, correlation)) / np.maximum(rest, 1)
        found[place] = np.tanh(np.arctanh(correlation) - pull / (1 - correlation**2))
    return found
