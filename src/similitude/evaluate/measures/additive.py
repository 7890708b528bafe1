"""Measures that follow from sums over items, and how resampling them becomes one product of matrices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from similitude import stats
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.measure import Measure
from similitude.evaluate.measures.resampled_comparison import comparable
from similitude.stats.arrays import Array, Booleans

__all__ = ["Additive", "MeanLoss"]


@dataclass(frozen=True, repr=False)
class Additive(Measure):
    """A measure that is a function of sums over items: errors, counts, Pearson's r.

    A subclass says what is added up (``features``) and what follows from the sums (``from_sums``).
    """

    def features(self, comparison: Comparison) -> Array:
        """What each item adds: systems x features x items."""
        raise NotImplementedError

    def from_sums(self, sums: Array) -> Array:
        """The figure that follows from the sums of all features, which stand along the last axis."""
        raise NotImplementedError

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples, from weighted sums."""
        return self.from_sums(stats.weighted_sums(self.features(comparison), weights))

    def swapped_values(self, comparison: Comparison, swaps: Array) -> Array:
        """Systems x systems x permutations: own sums, less the own items swapped, plus the other's."""
        features = self.features(comparable(comparison, self.swapped))
        whole, moved = features.sum(axis=-1), stats.weighted_sums(features, swaps)
        return self.from_sums(whole[:, None, None] - moved[:, None] + moved[None])


@dataclass(frozen=True, repr=False)
class MeanLoss(Additive):
    """A measure that is the mean over items of something that each item loses."""

    def losses(self, comparison: Comparison) -> Array:
        """Systems x items; nan where an item makes the figure undefined."""
        raise NotImplementedError

    def counted(self, comparison: Comparison) -> Booleans:
        """Which items count; all of them unless the measure says otherwise."""
        return np.ones(comparison.gold.shape, dtype=np.bool_)

    def features(self, comparison: Comparison) -> Array:
        """1, the loss, and whether it is undefined."""
        losses, counted = self.losses(comparison), self.counted(comparison)
        known = np.isfinite(losses)
        kinds = np.broadcast_arrays(1.0, np.where(known, losses, 0.0), ~known)
        return np.stack(kinds, axis=-2) * counted

    def from_sums(self, sums: Array) -> Array:
        """The mean, nan where an undefined loss is among them."""
        total, loss, unknown = np.moveaxis(sums, -1, 0)
        return np.where(unknown > 0, np.nan, stats.share(loss, total))
