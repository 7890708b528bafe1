"""Measures of predicted distributions: systems with standard deviations, gold with people's disagreement.

A prediction is a Gaussian. ``against`` chooses what it is compared with: the gold score of each item, or every
individual rating, averaged within each item first, so that items with many raters do not weigh more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from similitude import stats
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.additive import MeanLoss
from similitude.evaluate.measures.catalogue import MEASURES
from similitude.evaluate.measures.correlation import Pearson, Spearman, why_no_correlation
from similitude.evaluate.measures.forecast import Against, ForecastCoverage, ForecastLoss
from similitude.evaluate.measures.measure import Measure, Need, Sampling
from similitude.stats.arrays import Array, Booleans

__all__ = ["Against", "Crps", "ExpectedCalibrationError", "KlDivergence", "Nlpd", "SigmaCorrelation"]

ZERO_VARIANCE_FLOOR = 0.02
"""Standard deviation that replaces 0, as a fraction of the scale: 0.1 on 0..5."""


@MEASURES.register("nlpd")
@dataclass(frozen=True, repr=False)
class Nlpd(ForecastLoss):
    """Negative log predictive density: mean of -ln N(gold; mean, sigma), the constant 0.5 ln 2 pi included.

    Lower is better, unbounded below. Undefined if a predicted sigma is 0.

    >>> made = Comparison.of_scores(np.array([1.0]), np.array([0.0]))
    >>> float(stats.negative_log_density(made.gold, made.predicted[0], np.array([1.0]))[0].round(6))
    1.418939
    """

    name: ClassVar[str] = "nlpd"
    meaning: ClassVar[str] = "negative log density of gold under the predicted Gaussian (natural log)"
    formula: ClassVar[str] = (
        r"\frac{1}{n} \sum_{i} \left( \frac{1}{2} \ln 2 \pi + \ln \hat{\sigma}_i"
        r" + \frac{(y_i - \hat{y}_i)^2}{2 \hat{\sigma}_i^2} \right)"
    )
    low: ClassVar[float] = -np.inf
    high: ClassVar[float] = np.inf
    undefined: ClassVar[str] = "a predicted standard deviation is 0"
    constant: ClassVar[bool] = True

    def loss_of_each(self, comparison: Comparison) -> Array:
        """The negative log density of every observation."""
        return stats.negative_log_density(*self.observed(comparison), constant=self.constant)


@MEASURES.register("nlpd_wang2022")
@dataclass(frozen=True, repr=False)
class NlpdWang2022(Nlpd):
    """NLPD without the constant 0.5 ln 2 pi, as in the tables of USTS (Wang et al., 2022)."""

    name: ClassVar[str] = "nlpd_wang2022"
    constant: ClassVar[bool] = False
    meaning: ClassVar[str] = "nlpd without its constant, as in the tables of USTS"
    formula: ClassVar[str] = (
        r"\frac{1}{n} \sum_{i} \left( \ln \hat{\sigma}_i + \frac{(y_i - \hat{y}_i)^2}{2 \hat{\sigma}_i^2} \right)"
    )


@MEASURES.register("crps")
@dataclass(frozen=True, repr=False)
class Crps(ForecastLoss):
    """Continuous ranked probability score of the predicted Gaussian, on the gold scale.

    Lower is better, 0 is perfect; equals the absolute error where sigma is 0.

    Reference: Gneiting and Raftery (2007).

    >>> stats.crps(np.array([0.0]), np.array([0.0]), np.array([1.0])).round(6)  # sqrt(2/pi) - 1/sqrt(pi)
    array([0.233695])
    """

    name: ClassVar[str] = "crps"
    meaning: ClassVar[str] = "distance of the predicted Gaussian from gold, on the gold scale"
    formula: ClassVar[str] = (
        r"\frac{1}{n} \sum_{i} \hat{\sigma}_i \left( z_i (2 \Phi(z_i) - 1) + 2 \varphi(z_i)"
        r" - \frac{1}{\sqrt{\pi}} \right), \quad z_i = \frac{y_i - \hat{y}_i}{\hat{\sigma}_i}"
    )
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = np.inf

    def loss_of_each(self, comparison: Comparison) -> Array:
        """The score of every observation."""
        return stats.crps(*self.observed(comparison))


@MEASURES.register("ece")
@dataclass(frozen=True, repr=False)
class ExpectedCalibrationError(ForecastCoverage):
    """Mean absolute gap between nominal and observed coverage at 5, 10, ..., 95 %.

    Range 0..1, lower is better. With ``against=ratings`` every rating has the same weight.

    Attributes:
        coverage: "central" (intervals around the mean) or "below" (quantiles; Kuleshov et al., 2018).
    """

    coverage: stats.Coverage = "central"

    name: ClassVar[str] = "ece"
    meaning: ClassVar[str] = "gap between nominal and observed coverage of the predicted intervals"
    formula: ClassVar[str] = r"\frac{1}{19} \sum_{p \in \{.05, .10, \ldots, .95\}} |\hat{c}(p) - p|"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0

    def is_inside(self, comparison: Comparison) -> Booleans:
        """Systems x observations x levels."""
        return stats.is_covered(*self.observed(comparison), coverage=self.coverage)

    def gap(self, observed: Array) -> Array:
        """Mean absolute gap."""
        return stats.mean_gap(observed)


@MEASURES.register("ece_wang2022")
@dataclass(frozen=True, repr=False)
class EceWang2022(ForecastCoverage):
    """Sum of squared gaps below the 5, 25, 50, 75 and 95 % quantiles, as in the tables of USTS.

    Range 0..1.78 (with the quantiles rounded as in the released code), lower is better.
    """

    name: ClassVar[str] = "ece_wang2022"
    meaning: ClassVar[str] = "sum of squared gaps at five quantiles, as in the tables of USTS"
    formula: ClassVar[str] = r"\sum_{p \in \{.05, .25, .5, .75, .95\}} (\hat{c}_{\leq}(p) - p)^2"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.78

    def is_inside(self, comparison: Comparison) -> Booleans:
        """Systems x observations x quantiles."""
        return stats.is_below_wang2022(*self.observed(comparison))

    def gap(self, observed: Array) -> Array:
        """Sum of squared gaps."""
        return stats.squared_gaps_wang2022(observed)


@MEASURES.register("kl")
@dataclass(frozen=True, repr=False)
class KlDivergence(MeanLoss):
    """KL(human || predicted) of two Gaussians, natural log, averaged over items with human sigma > 0.

    Range 0.., lower is better. Undefined if no item has a human sigma above 0, or a predicted sigma is 0.

    Attributes:
        zero_variance: "drop" items with human sigma 0, or "floor" their sigma at 2 % of the scale.

    >>> stats.kl_divergence(np.array([0.0]), np.array([2.0]), np.array([0.0]), np.array([1.0])).round(6)
    array([0.806853])
    """

    zero_variance: Literal["drop", "floor"] = "drop"

    name: ClassVar[str] = "kl"
    meaning: ClassVar[str] = "divergence of the predicted Gaussian from the human one"
    formula: ClassVar[str] = (
        r"\frac{1}{n} \sum_{i} \left( \ln \frac{\hat{\sigma}_i}{\sigma_i}"
        r" + \frac{\sigma_i^2 + (y_i - \hat{y}_i)^2}{2 \hat{\sigma}_i^2} - \frac{1}{2} \right)"
    )
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = np.inf
    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[frozenset[Need]] = frozenset({"scale", "predicted sigma", "gold sigma"})
    undefined: ClassVar[str] = "no human standard deviation is above 0, or a predicted one is 0"

    def values(self, comparison: Comparison) -> Array:
        """One mean per system."""
        used = self.counted(comparison)
        if not used.any():
            return np.full(comparison.systems, np.nan)
        losses = self.losses(comparison)
        return np.asarray(losses[:, used].mean(axis=1))

    def losses(self, comparison: Comparison) -> Array:
        """The divergence of every item."""
        predicted, sigma = comparison.for_errors.predicted, comparison.for_errors.predicted_sigma
        assert sigma is not None  # guaranteed by ``needs``
        human = self._human_sigma(comparison)
        return stats.kl_divergence(comparison.gold, human, predicted, sigma)

    def counted(self, comparison: Comparison) -> Booleans:
        """Items with human sigma above 0."""
        return np.asarray(self._human_sigma(comparison) > 0)

    def _human_sigma(self, comparison: Comparison) -> Array:
        assert comparison.gold_sigma is not None  # guaranteed by ``needs``, as is the scale
        assert comparison.scale is not None
        human = comparison.gold_sigma
        if self.zero_variance == "floor":
            human = np.maximum(human, ZERO_VARIANCE_FLOOR * comparison.scale.width)
        return human


@dataclass(frozen=True, repr=False)
class SigmaCorrelation(Measure):
    """Correlation of predicted with human standard deviations, over items with a known human one.

    Range -1..1, higher is better. Undefined if either side is constant.

    Reference: USTS (Wang et al., 2023), Table 8.
    """

    low: ClassVar[float] = -1.0
    high: ClassVar[float] = 1.0
    needs: ClassVar[frozenset[Need]] = frozenset({"predicted sigma", "gold sigma"})
    undefined: ClassVar[str] = "human or predicted standard deviations are constant"
    sampling: ClassVar[Sampling] = "fisher"
    of_scores: ClassVar[Measure]

    def values(self, comparison: Comparison) -> Array:
        """One correlation per system."""
        return self.of_scores.values(_as_scores(comparison))

    def weighted_values(self, comparison: Comparison, weights: Array) -> Array:
        """Systems x resamples."""
        return self.of_scores.weighted_values(_as_scores(comparison), weights[:, _is_known(comparison)])

    def left_out(self, comparison: Comparison, units: stats.Units) -> Array | None:
        """Systems x units; a unit without a human standard deviation changes nothing."""
        scores = _as_scores(comparison)
        known, numbers = units.among(_is_known(comparison))
        found = self.of_scores.left_out(scores, known)
        if found is None:
            return None
        every = np.repeat(self.of_scores.values(scores)[:, None], units.number, axis=1)
        every[:, numbers] = found
        return every

    def correlated(self, comparison: Comparison) -> tuple[Array, Array] | None:
        """The sides of the correlation of standard deviations."""
        return self.of_scores.correlated(_as_scores(comparison))

    def swapped_values(self, comparison: Comparison, swaps: Array) -> Array:
        """Systems x systems x permutations."""
        return self.of_scores.swapped_values(_as_scores(comparison), swaps[:, _is_known(comparison)])

    def why_undefined(self, comparison: Comparison, row: int) -> str:
        """Which side is constant."""
        known = _as_scores(comparison)
        return why_no_correlation(known.gold, known.predicted[row], "human sigmas", "predicted sigmas")


def _is_known(comparison: Comparison) -> Booleans:
    assert comparison.gold_sigma is not None  # guaranteed by ``needs``
    return np.isfinite(comparison.gold_sigma)


def _as_scores(comparison: Comparison) -> Comparison:
    """A comparison of standard deviations instead of scores, where the human ones are known."""
    assert comparison.gold_sigma is not None  # guaranteed by ``needs``, as are the predicted ones
    assert comparison.predicted_sigma is not None
    known = _is_known(comparison)
    return Comparison.of_scores(comparison.gold_sigma[known], comparison.predicted_sigma[:, known])


@MEASURES.register("sigma_pearson", "sigma-r")
@dataclass(frozen=True, repr=False)
class SigmaPearson(SigmaCorrelation):
    """Pearson's r between predicted and human standard deviations."""

    name: ClassVar[str] = "sigma_pearson"
    meaning: ClassVar[str] = "correlation of predicted with human standard deviations (Pearson)"
    formula: ClassVar[str] = r"r(\sigma, \hat{\sigma})"
    of_scores: ClassVar[Measure] = Pearson()


@MEASURES.register("sigma_spearman", "sigma-rho")
@dataclass(frozen=True, repr=False)
class SigmaSpearman(SigmaCorrelation):
    """Spearman's rho between predicted and human standard deviations."""

    name: ClassVar[str] = "sigma_spearman"
    meaning: ClassVar[str] = "correlation of predicted with human standard deviations (Spearman)"
    formula: ClassVar[str] = r"\rho(\sigma, \hat{\sigma})"
    of_scores: ClassVar[Measure] = Spearman()
