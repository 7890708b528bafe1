"""Measures for systems that know their doubt, and gold that keeps people's disagreement.

A system's answer is read as a Gaussian. ``against`` chooses what it is held against: the gold score of each item, or
every individual rating, averaged within each item first so that items with many raters do not count more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from similitude import stats
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.correlation import why_no_correlation
from similitude.evaluate.measures.measure import Measure, Need
from similitude.evaluate.measures.names import MEASURES

__all__ = ["Against", "Crps", "ExpectedCalibrationError", "KlDivergence", "Nlpd", "SigmaCorrelation"]

Array = NDArray[np.float64]
Against = Literal["score", "ratings"]
ZERO_VARIANCE_FLOOR = 0.02
"""Standard deviation that stands in for 0, as a fraction of the scale: 0.1 on 0..5."""


@dataclass(frozen=True, repr=False)
class Forecast(Measure):
    """What NLPD, CRPS and ECE share.

    Attributes:
        against: "score" (the gold score) or "ratings" (every individual rating).
    """

    against: Against = "score"

    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[frozenset[Need]] = frozenset({"scale", "predicted sigma"})

    @property
    def requires(self) -> frozenset[Need]:
        """Individual ratings too, where they are what the forecast is held against."""
        return self.needs | ({"ratings"} if self.against == "ratings" else set())

    def why_undefined(self, comparison: Comparison, row: int) -> str:
        """How many items have a predicted standard deviation that no density has."""
        assert comparison.predicted_sigma is not None  # guaranteed by ``needs``
        bad = np.count_nonzero(~(comparison.predicted_sigma[row] > 0))
        return f"{bad} items have a predicted standard deviation of 0 or none"

    def observed(self, comparison: Comparison) -> tuple[Array, Array, Array]:
        """What came, the forecast means and the forecast standard deviations, all along the last axis."""
        assert comparison.predicted_sigma is not None  # guaranteed by ``needs``
        if self.against == "score":
            return comparison.gold, comparison.predicted, comparison.predicted_sigma
        assert comparison.ratings is not None  # guaranteed by ``requires``
        ratings, items = comparison.ratings
        return ratings, comparison.predicted[:, items], comparison.predicted_sigma[:, items]

    def mean_over_items(self, comparison: Comparison, losses: Array) -> Array:
        """Mean over items, of each item's mean over its ratings."""
        if self.against == "score":
            return np.asarray(losses.mean(axis=-1))
        assert comparison.ratings is not None  # guaranteed by ``requires``
        items = comparison.ratings[1]
        weights = 1.0 / np.bincount(items)[items]
        return np.asarray(losses @ weights / weights.sum())


@MEASURES.register("nlpd")
@dataclass(frozen=True, repr=False)
class Nlpd(Forecast):
    """Negative log predictive density: mean of -ln N(gold; mean, sigma), the constant 0.5 ln 2 pi included.

    Lower is better, no lower end. Undefined where a predicted sigma is 0.

    >>> made = Comparison.of_scores(np.array([1.0]), np.array([0.0]))
    >>> float(stats.negative_log_density(made.gold, made.predicted[0], np.array([1.0]))[0].round(6))
    1.418939
    """

    name: ClassVar[str] = "nlpd"
    meaning: ClassVar[str] = "surprise at gold under the predicted Gaussian (natural log)"
    low: ClassVar[float] = -np.inf
    high: ClassVar[float] = np.inf
    undefined: ClassVar[str] = "a predicted standard deviation is 0"
    constant: ClassVar[bool] = True

    def values(self, comparison: Comparison) -> Array:
        """One mean a system."""
        losses = stats.negative_log_density(*self.observed(comparison), constant=self.constant)
        return self.mean_over_items(comparison, losses)


@MEASURES.register("nlpd_wang2022")
@dataclass(frozen=True, repr=False)
class NlpdWang2022(Nlpd):
    """NLPD without the constant 0.5 ln 2 pi, as in the tables of USTS (Wang et al., 2022)."""

    name: ClassVar[str] = "nlpd_wang2022"
    meaning: ClassVar[str] = "nlpd without its constant, as in the tables of USTS"
    constant: ClassVar[bool] = False


@MEASURES.register("crps")
@dataclass(frozen=True, repr=False)
class Crps(Forecast):
    """Continuous ranked probability score of the predicted Gaussian, on the gold scale.

    Lower is better, 0 is perfect; equals the absolute error where sigma is 0.

    Reference: Gneiting and Raftery (2007).

    >>> stats.crps(np.array([0.0]), np.array([0.0]), np.array([1.0])).round(6)  # sqrt(2/pi) - 1/sqrt(pi)
    array([0.233695])
    """

    name: ClassVar[str] = "crps"
    meaning: ClassVar[str] = "distance of the predicted Gaussian from gold, on the gold scale"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = np.inf

    def values(self, comparison: Comparison) -> Array:
        """One mean a system."""
        return self.mean_over_items(comparison, stats.crps(*self.observed(comparison)))


@MEASURES.register("ece")
@dataclass(frozen=True, repr=False)
class ExpectedCalibrationError(Forecast):
    """Mean absolute gap between nominal and observed coverage at 5, 10, ..., 95 %.

    Range 0..1, lower is better. With ``against=ratings`` every rating counts once.

    Attributes:
        coverage: "central" (intervals around the mean) or "below" (quantiles; Kuleshov et al., 2018).
    """

    coverage: stats.Coverage = "central"

    name: ClassVar[str] = "ece"
    meaning: ClassVar[str] = "gap between the share of gold that intervals claim and hold"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0

    def values(self, comparison: Comparison) -> Array:
        """One gap a system."""
        return stats.ece(*self.observed(comparison), coverage=self.coverage)


@MEASURES.register("ece_wang2022")
@dataclass(frozen=True, repr=False)
class EceWang2022(Forecast):
    """Sum of squared gaps below the 5, 25, 50, 75 and 95 % quantiles, as the tables of USTS have it.

    Range 0..1.78 (with the quantiles rounded as in the released code), lower is better.
    """

    name: ClassVar[str] = "ece_wang2022"
    meaning: ClassVar[str] = "sum of squared gaps at five quantiles, as in the tables of USTS"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.78

    def values(self, comparison: Comparison) -> Array:
        """One sum a system."""
        return stats.ece_wang2022(*self.observed(comparison))


@MEASURES.register("kl")
@dataclass(frozen=True, repr=False)
class KlDivergence(Measure):
    """KL(human || predicted) of two Gaussians, natural log, averaged over items with human sigma > 0.

    Range 0.., lower is better. Undefined where no item has a human sigma above 0, or a predicted sigma is 0.

    Attributes:
        zero_variance: items with human sigma 0 are dropped ("drop") or get 2 % of the scale as their sigma ("floor").

    >>> stats.kl_divergence(np.array([0.0]), np.array([2.0]), np.array([0.0]), np.array([1.0])).round(6)
    array([0.806853])
    """

    zero_variance: Literal["drop", "floor"] = "drop"

    name: ClassVar[str] = "kl"
    meaning: ClassVar[str] = "divergence of the predicted Gaussian from the human one"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = np.inf
    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[frozenset[Need]] = frozenset({"scale", "predicted sigma", "gold sigma"})
    undefined: ClassVar[str] = "no human standard deviation is above 0, or a predicted one is 0"

    def values(self, comparison: Comparison) -> Array:
        """One mean a system."""
        human = self._human_sigma(comparison)
        used = human > 0
        if not used.any():
            return np.full(comparison.systems, np.nan)
        assert comparison.predicted_sigma is not None  # guaranteed by ``needs``
        losses = stats.kl_divergence(comparison.gold, human, comparison.predicted, comparison.predicted_sigma)
        return np.asarray(losses.mean(axis=-1) if used.all() else losses[:, used].mean(axis=-1))

    def _human_sigma(self, comparison: Comparison) -> Array:
        assert comparison.gold_sigma is not None  # guaranteed by ``needs``, as is the scale
        assert comparison.scale is not None
        human = comparison.gold_sigma
        if self.zero_variance == "floor":
            human = np.maximum(human, ZERO_VARIANCE_FLOOR * comparison.scale.width)
        return human


@dataclass(frozen=True, repr=False)
class SigmaCorrelation(Measure):
    """Correlation of predicted with human standard deviations, over items where the human one is known.

    Range -1..1, higher is better. Undefined where either side is constant.

    Reference: USTS (Wang et al., 2023), Table 8.
    """

    low: ClassVar[float] = -1.0
    high: ClassVar[float] = 1.0
    needs: ClassVar[frozenset[Need]] = frozenset({"predicted sigma", "gold sigma"})
    undefined: ClassVar[str] = "human or predicted standard deviations are constant"
    correlate: ClassVar[Callable[[Array, Array], Array]]

    def values(self, comparison: Comparison) -> Array:
        """One correlation a system."""
        human, predicted = self._known(comparison)
        return type(self).correlate(human, predicted)

    def why_undefined(self, comparison: Comparison, row: int) -> str:
        """Which side is constant."""
        human, predicted = self._known(comparison)
        return why_no_correlation(human, predicted[row], "human sigmas", "predicted sigmas")

    @staticmethod
    def _known(comparison: Comparison) -> tuple[Array, Array]:
        assert comparison.gold_sigma is not None  # guaranteed by ``needs``, as are the predicted ones
        assert comparison.predicted_sigma is not None
        known = np.isfinite(comparison.gold_sigma)
        return comparison.gold_sigma[known], comparison.predicted_sigma[:, known]


@MEASURES.register("sigma_pearson", "sigma-r")
@dataclass(frozen=True, repr=False)
class SigmaPearson(SigmaCorrelation):
    """Pearson's r between predicted and human standard deviations."""

    name: ClassVar[str] = "sigma_pearson"
    meaning: ClassVar[str] = "does the system doubt where people disagree? (Pearson)"
    correlate: ClassVar[Callable[[Array, Array], Array]] = staticmethod(stats.pearson)


@MEASURES.register("sigma_spearman", "sigma-rho")
@dataclass(frozen=True, repr=False)
class SigmaSpearman(SigmaCorrelation):
    """Spearman's rho between predicted and human standard deviations."""

    name: ClassVar[str] = "sigma_spearman"
    meaning: ClassVar[str] = "does the system doubt where people disagree? (Spearman)"
    correlate: ClassVar[Callable[[Array, Array], Array]] = staticmethod(stats.spearman)
