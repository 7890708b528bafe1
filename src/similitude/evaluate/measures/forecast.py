"""Base of measures that compare a predicted Gaussian with the gold score, or with every rating."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from similitude import stats
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.additive import Additive, MeanLoss
from similitude.evaluate.measures.measure import Measure, Need, Sampling
from similitude.stats.arrays import Array, Booleans

__all__ = ["Against", "Forecast", "ForecastCoverage", "ForecastLoss"]

Against = Literal["score", "ratings"]


@dataclass(frozen=True, repr=False)
class Forecast(Measure):
    """Base of NLPD, CRPS and ECE.

    Attributes:
        against: "score" (the gold score) or "ratings" (every individual rating).
    """

    against: Against = "score"

    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[frozenset[Need]] = frozenset({"scale", "predicted sigma"})

    @property
    def requires(self) -> frozenset[Need]:
        """Individual ratings too, if the forecast is compared with them."""
        return self.needs | ({"ratings"} if self.against == "ratings" else set())

    def why_undefined(self, comparison: Comparison, row: int) -> str:
        """The number of items whose predicted standard deviation is 0 or missing."""
        sigma = comparison.for_errors.predicted_sigma
        assert sigma is not None  # guaranteed by ``needs``
        bad = np.count_nonzero(~(sigma[row] > 0))
        return f"{bad} items have a predicted standard deviation of 0 or none"

    def observed(self, comparison: Comparison) -> tuple[Array, Array, Array]:
        """The observations, forecast means and forecast standard deviations, along the last axis."""
        predicted, sigma = comparison.for_errors.predicted, comparison.for_errors.predicted_sigma
        assert sigma is not None  # guaranteed by ``needs``
        if self.against == "score":
            return comparison.gold, predicted, sigma
        assert comparison.ratings is not None  # guaranteed by ``requires``
        ratings, items = comparison.ratings
        return ratings, predicted[:, items], sigma[:, items]

    def mean_over_items(self, comparison: Comparison, losses: Array) -> Array:
        """Mean over items, of each item's mean over its ratings."""
        if self.against == "score":
            return np.asarray(losses.mean(axis=1))
        assert comparison.ratings is not None  # guaranteed by ``requires``
        items = comparison.ratings[1]
        weights = 1.0 / np.bincount(items)[items]
        return np.asarray(losses @ weights / weights.sum())

    def often(self, comparison: Comparison) -> Array:
        """Observations per item: one score, or its ratings."""
        if self.against == "score":
            return np.ones(comparison.gold.size)
        assert comparison.ratings is not None  # guaranteed by ``requires``
        return self.sums_by_item(comparison, np.ones(comparison.ratings[1].size))

    def sums_by_item(self, comparison: Comparison, each: Array) -> Array:
        """Values of every observation (last axis), summed within each item."""
        if self.against == "score":
            return each
        assert comparison.ratings is not None  # guaranteed by ``requires``
        items, n = comparison.ratings[1], comparison.gold.size
        sums = np.empty((each.size // items.size, n))
        for row, values in enumerate(each.reshape(-1, items.size)):
            sums[row] = np.bincount(items, weights=values, minlength=n)
        return sums.reshape(*each.shape[:-1], n)


@dataclass(frozen=True, repr=False)
class ForecastLoss(Forecast, MeanLoss):
    """Base of NLPD and CRPS: a loss per observation, averaged within items first."""

    def loss_of_each(self, comparison: Comparison) -> Array:
        """The loss of every observation: systems x observations."""
        raise NotImplementedError

    def values(self, comparison: Comparison) -> Array:
        """One mean per system."""
        return self.mean_over_items(comparison, self.loss_of_each(comparison))

    def losses(self, comparison: Comparison) -> Array:
        """Each item's mean over its observations."""
        return self.sums_by_item(comparison, self.loss_of_each(comparison)) / np.maximum(self.often(comparison), 1.0)

    def counted(self, comparison: Comparison) -> Booleans:
        """Items with an observation."""
        return self.often(comparison) > 0


@dataclass(frozen=True, repr=False)
class ForecastCoverage(Forecast, Additive):
    """Base of calibration errors: gaps between nominal and observed coverage."""

    sampling: ClassVar[Sampling] = "plain"

    def is_inside(self, comparison: Comparison) -> Booleans:
        """Whether each observation is covered: systems x observations x levels."""
        raise NotImplementedError

    def gap(self, observed: Array) -> Array:
        """One figure from the observed share at every level (last axis)."""
        raise NotImplementedError

    def values(self, comparison: Comparison) -> Array:
        """One figure per system."""
        inside = self.is_inside(comparison)
        return self.gap(stats.share(inside.sum(axis=-2), np.array(float(inside.shape[-2]))))

    def features(self, comparison: Comparison) -> Array:
        """The number of observations, and how many are covered at every level."""
        inside = self.is_inside(comparison).astype(np.float64)
        inside = self.sums_by_item(comparison, np.moveaxis(inside, -1, -2))
        often = np.broadcast_to(self.often(comparison), (len(inside), 1, inside.shape[-1]))
        return np.concatenate([often, inside], axis=-2)

    def from_sums(self, sums: Array) -> Array:
        """From the counts."""
        return self.gap(stats.share(sums[..., 1:], sums[..., :1]))
