"""What gold says of the people behind it, as a Gaussian process uses it, and how its answers are judged by it.

All opinions are in shares of the scale, as `similitude.training.uncertain.opinions` lays them out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from similitude import stats
from similitude.systems.uncertain.gaussian_process.posterior import PosteriorMoments
from similitude.training.uncertain.opinions import MEAN, RATINGS, SIGMA, Opinions

__all__ = ["LEAST_SIGMA", "human_sigmas", "log_sigmas", "mean_scores", "noise_of_means", "opinion_figures"]

Array = NDArray[np.float64]

LEAST_SIGMA = 0.02
"""What stands in for a human standard deviation of 0 where a logarithm is taken, as a share of the scale."""


def mean_scores(opinions: Opinions) -> Array:
    """The mean opinion of each item."""
    return opinions.gold[:, MEAN].astype(np.float64)


def human_sigmas(opinions: Opinions) -> Array:
    """The standard deviation of people's opinions of each item; 0 where it is not known."""
    return opinions.gold[:, SIGMA].astype(np.float64)


def log_sigmas(opinions: Opinions) -> Array:
    """Logarithms of those standard deviations; 0 becomes 2 % of the scale."""
    return np.asarray(np.log(np.maximum(human_sigmas(opinions), LEAST_SIGMA)))


def noise_of_means(opinions: Opinions) -> Array:
    """The variance of each item's mean opinion: sigma^2 / (n - 1) for n raters.

    With one rater it is what one rating's variance is on average over the other items.
    """
    raters = np.isfinite(opinions.gold[:, RATINGS:]).sum(axis=1)
    variances = human_sigmas(opinions) ** 2
    several = raters > 1
    usual = float(np.mean(variances[several] * raters[several] / (raters[several] - 1))) if several.any() else 0.0
    return np.where(several, variances / np.maximum(raters - 1, 1), usual)


def opinion_figures(moments: PosteriorMoments, opinions: Opinions, *, of_people: bool) -> dict[str, float]:
    """Figures by name, on the scale; the first one decides, higher is better.

    First ``log_density`` of the gold score, minus the measure ``nlpd``; or ``people_density``, the same expected of one
    person's opinion instead of the mean. Then ``r`` and ``rho`` of the means, ``kl`` over items on which people differ,
    and ``sigma_rho``; where the items come from several benchmarks, the last two of each. Undefined ones are nan.

    Args:
        moments: predicted mean and variance of each item, noise included, in shares of the scale.
        opinions: of the same items.
        of_people: whether sigma is meant to tell how far people differ, beside the error of the mean.
    """
    width = opinions.scale.width
    means, sigmas = width * moments.means, width * np.sqrt(moments.variances)
    gold, human = width * mean_scores(opinions), width * human_sigmas(opinions)
    # The expected surprise at an opinion with mean m and deviation h is that at m, and h^2 / 2 sigma^2 more.
    surprise = stats.negative_log_density(gold, means, sigmas) + of_people * 0.5 * (human / sigmas) ** 2
    figures = {
        "people_density" if of_people else "log_density": -float(np.mean(surprise)),
        "r": float(stats.pearson(means, gold)),
        "rho": float(stats.spearman(means, gold)),
    }
    for name, part in _parts(opinions):
        figures[f"kl{name}"] = _divergence(gold[part], human[part], means[part], sigmas[part])
        figures[f"sigma_rho{name}"] = float(stats.spearman(sigmas[part], human[part]))
    return figures


def _parts(opinions: Opinions) -> list[tuple[str, slice]]:
    """All items, and those of each benchmark where there are several."""
    parts = [("", slice(0, len(opinions)))]
    if len(opinions.origins) > 1:
        end = 0
        for origin in opinions.origins:
            parts.append((f" {origin.name}", slice(end, end + origin.items)))
            end += origin.items
    return parts


def _divergence(gold: Array, human: Array, means: Array, sigmas: Array) -> float:
    differ = human > 0
    if not differ.any():
        return float("nan")
    return float(np.mean(stats.kl_divergence(gold[differ], human[differ], means[differ], sigmas[differ])))
