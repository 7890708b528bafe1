"""Additive measures: functions of sums over items, for which resampling is one matrix product."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from similitude import stats
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.measure import Measure, Sampling
from similitude.evaluate.measures.resampled_comparison import comparable
from similitude.stats.arrays import Array, Booleans

__all__ = ["Additive", "MeanLoss"]


@dataclass(frozen=True, repr=False)
class Additive(Measure):
    """A measure that is a function of sums over items: errors, counts, Pearson's r.

    A subclass defines the terms (``features``) and the figure that follows from their sums (``from_sums``).
    """

    def features(self, comparison: Comparison) -> Array:
        """The terms of each item: systems x features x items."""
        raise NotImplementedError

    def from_sums(self, sums: Array) -> Array:
        """The figure, from the sums of all features along the last axis."""
        raise NotImplementedError

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples, from weighted sums."""
        return self.from_sums(stats.weighted_sums(self.features(comparison), weights))

    def left_out(self, comparison: Comparison, units: stats.Units) -> Array | None:
        """Systems x units: the sums of all items, minus those of each unit. One system at a time, to save memory."""
        found = np.empty((comparison.systems, units.number))
        for row in range(comparison.systems):
            features = units.sums(self.features(comparison.of_systems([row])))
            rest = features.sum(axis=-1, keepdims=True) - features
            with np.errstate(divide="ignore", invalid="ignore"):
                found[row] = self.from_sums(np.moveaxis(rest, -2, -1))[0]
        return found

    def swapped_values(self, comparison: Comparison, swaps: Array) -> Array:
        """Systems x systems x permutations: own sums, minus own swapped items, plus the other's."""
        features = self.features(comparable(comparison, self.swapped))
        whole, moved = features.sum(axis=-1), stats.weighted_sums(features, swaps)
        return self.from_sums(whole[:, None, None] - moved[:, None] + moved[None])


@dataclass(frozen=True, repr=False)
class MeanLoss(Additive):
    """A measure that is the mean of a loss over items."""

    sampling: ClassVar[Sampling] = "skewed"

    def losses(self, comparison: Comparison) -> Array:
        """The loss of every item: systems x items; nan where an item makes the figure undefined."""
        raise NotImplementedError

    def counted(self, comparison: Comparison) -> Booleans:
        """Which items count; by default, all."""
        return np.ones(comparison.gold.shape, dtype=np.bool_)

    def features(self, comparison: Comparison) -> Array:
        """1, the loss, and whether it is undefined."""
        losses, counted = self.losses(comparison), self.counted(comparison)
        known = np.isfinite(losses)
        kinds = np.broadcast_arrays(1.0, np.where(known, losses, 0.0), ~known)
        return np.stack(kinds, axis=-2) * counted

    def from_sums(self, sums: Array) -> Array:
        """The mean; nan if it includes an undefined loss."""
        total, loss, unknown = np.moveaxis(sums, -1, 0)
        return np.where(unknown > 0, np.nan, stats.share(loss, total))
