"""How far raters differ, as a Gaussian process uses it in training and validation.

All opinions are shares of the scale, as in `similitude.training.uncertain.opinions`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from similitude import stats
from similitude.systems.uncertain.gaussian_process.posterior import PosteriorMoments
from similitude.training.uncertain.opinions import RATINGS, Opinions, mean_divergence

__all__ = ["LEAST_SIGMA", "log_sigmas", "noise_of_means", "opinion_figures"]

Array = NDArray[np.float64]

LEAST_SIGMA = 0.02
"""Replaces a human standard deviation of 0 before logarithms are taken; a share of the scale."""


def log_sigmas(opinions: Opinions) -> Array:
    """The logarithm of people's standard deviation for each item; 0 is raised to 2 % of the scale."""
    return np.asarray(np.log(np.maximum(opinions.sigmas, LEAST_SIGMA)))


def noise_of_means(opinions: Opinions) -> Array:
    """The variance of each item's mean opinion: sigma^2 / (n - 1) for n raters.

    For one rater it is the mean variance of a single rating over the other items.
    """
    raters = np.isfinite(opinions.gold[:, RATINGS:]).sum(axis=1)
    variances = opinions.sigmas**2
    several = raters > 1
    single = float(np.mean(variances[several] * raters[several] / (raters[several] - 1))) if several.any() else 0.0
    return np.where(several, variances / np.maximum(raters - 1, 1), single)


def opinion_figures(moments: PosteriorMoments, opinions: Opinions, *, of_people: bool) -> dict[str, float]:
    """Figures by name, on the scale; the first one selects the best epoch, higher is better.

    The first is ``log_density`` of the gold score (minus the measure ``nlpd``) or ``people_density``, its expectation
    for one person's opinion instead of the mean. It is followed by ``r`` and ``rho`` of the means, ``kl`` over items on
    which people differ, and ``sigma_rho``; if the items come from several benchmarks, ``kl`` and ``sigma_rho`` of each
    follow. Undefined figures are nan.

    Args:
        moments: predicted mean and variance of each item, noise included, as shares of the scale.
        opinions: of the same items.
        of_people: whether sigma includes how far people differ, beside the error of the mean.
    """
    width = opinions.scale.width
    means, sigmas = width * moments.means, width * np.sqrt(moments.variances)
    gold, human = width * opinions.means, width * opinions.sigmas
    # The expected surprise at an opinion with mean m and deviation h is that at m, and h^2 / 2 sigma^2 more.
    surprise = stats.negative_log_density(gold, means, sigmas) + of_people * 0.5 * (human / sigmas) ** 2
    figures = {
        "people_density" if of_people else "log_density": -float(np.mean(surprise)),
        "r": float(stats.pearson(means, gold)),
        "rho": float(stats.spearman(means, gold)),
    }
    everything = ("", slice(None))
    for name, part in (everything, *((f" {name}", part) for name, part in opinions.by_origin())):
        figures[f"kl{name}"] = mean_divergence(gold[part], human[part], means[part], sigmas[part])
        figures[f"sigma_rho{name}"] = float(stats.spearman(sigmas[part], human[part]))
    return figures
