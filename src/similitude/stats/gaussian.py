"""Gaussians: KL divergence, negative log density, continuous ranked probability score."""

from __future__ import annotations

import numpy as np

from similitude.stats.arrays import Array

__all__ = ["crps", "kl_divergence", "negative_log_density"]

HALF_LOG_TWO_PI = 0.5 * float(np.log(2 * np.pi))


def kl_divergence(mean_p: Array, sd_p: Array, mean_q: Array, sd_q: Array) -> Array:
    """KL(p || q) of two Gaussians, natural log; nan where either standard deviation is 0.

    >>> kl_divergence(np.array(0.0), np.array(1.0), np.array(0.0), np.array(2.0)).round(6)
    np.float64(0.318147)
    """
    sd_p, sd_q = _positive(sd_p), _positive(sd_q)
    # In place from here on: on large arrays, temporaries cost more than the arithmetic.
    terms = np.asarray(np.subtract(mean_p, mean_q) + np.zeros_like(sd_q))
    terms *= terms
    terms += sd_p * sd_p
    terms /= sd_q * sd_q
    terms *= 0.5
    terms += np.log(sd_q)
    terms -= np.log(sd_p) + 0.5
    return terms[()]


def negative_log_density(y: Array, mean: Array, sd: Array, *, constant: bool = True) -> Array:
    """-ln N(y; mean, sd), with or without the constant 0.5 ln 2 pi; nan where sd is 0."""
    sd = _positive(sd)
    density = 0.5 * ((y - mean) / sd) ** 2 + np.log(sd)
    return np.asarray(density + HALF_LOG_TWO_PI if constant else density)[()]


def crps(y: Array, mean: Array, sd: Array) -> Array:
    """Continuous ranked probability score of a Gaussian forecast; 0 is best. |y - mean| where sd is 0.

    Closed form of Gneiting et al. (2005): sd (z (2 Phi(z) - 1) + 2 phi(z) - 1/sqrt(pi)) with z = (y - mean) / sd.
    """
    from scipy.special import ndtr

    error = np.asarray(y - mean, dtype=np.float64)
    sd = np.broadcast_to(sd, error.shape)
    z = np.divide(error, sd, out=np.zeros_like(error), where=sd > 0)
    spread = z * (2 * ndtr(z) - 1) + 2 * np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi) - 1 / np.sqrt(np.pi)
    return np.where(sd > 0, sd * spread, np.abs(error))[()]


def _positive(sd: Array) -> Array:
    """The standard deviation, nan where it is not above 0."""
    sd = np.asarray(sd, dtype=np.float64)
    is_positive = sd > 0
    return sd if is_positive.all() else np.where(is_positive, sd, np.nan)
