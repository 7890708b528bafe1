"""Calibration of Gaussian forecasts: nominal against observed coverage of intervals."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array

__all__ = [
    "LEVELS",
    "Coverage",
    "ece",
    "ece_wang2022",
    "is_below_wang2022",
    "is_covered",
    "mean_gap",
    "observed_coverage",
    "squared_gaps_wang2022",
]

Coverage = Literal["central", "below"]

LEVELS = np.arange(1, 20) / 20
"""Nominal coverage: 5 %, 10 %, ..., 95 %."""

_WANG_LEVELS = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
_WANG_Z = np.array([-1.64, -0.68, 0.0, 0.68, 1.64])
"""The rounded quantiles in the released code of Wang et al. (2022), which USTS uses."""


def is_covered(y: Array, mean: Array, sd: Array, coverage: Coverage = "central") -> NDArray[np.bool_]:
    """Whether each y lies in the forecast's region of each level (a new last axis).

    Args:
        y: observations, along the last axis.
        mean: means of the forecasts.
        sd: standard deviations of the forecasts.
        coverage: the region with probability p: "central" is the interval around the mean, "below" is everything below
            the p-quantile (Kuleshov et al., 2018).
    """
    from scipy.special import ndtri

    if coverage == "central":
        return np.asarray(np.abs(y - mean)[..., None] <= ndtri(0.5 + LEVELS / 2) * sd[..., None])
    return np.asarray((y - mean)[..., None] <= ndtri(LEVELS) * sd[..., None])


def observed_coverage(y: Array, mean: Array, sd: Array, coverage: Coverage = "central") -> Array:
    """The share of y in the forecast's region of each level (a new last axis)."""
    return np.asarray(is_covered(y, mean, sd, coverage).mean(axis=-2))


def mean_gap(observed: Array) -> Array:
    """The mean absolute gap between nominal and observed coverage; levels are along the last axis."""
    return np.asarray(np.abs(observed - LEVELS).mean(axis=-1))


def ece(y: Array, mean: Array, sd: Array, coverage: Coverage = "central") -> Array:
    """Expected calibration error: the mean absolute gap between nominal and observed coverage at 5, 10, ..., 95 %."""
    return mean_gap(observed_coverage(y, mean, sd, coverage))


def is_below_wang2022(y: Array, mean: Array, sd: Array) -> NDArray[np.bool_]:
    """Whether each y lies below five quantiles (a new last axis), which are rounded as in the released code."""
    return np.asarray((y - mean)[..., None] <= _WANG_Z * sd[..., None])


def squared_gaps_wang2022(observed: Array) -> Array:
    """The sum of squared gaps between nominal and observed shares below the five quantiles."""
    return np.asarray(((observed - _WANG_LEVELS) ** 2).sum(axis=-1))


def ece_wang2022(y: Array, mean: Array, sd: Array) -> Array:
    """The sum of squared gaps below five quantiles, as in the code behind the USTS tables; at most 1.78."""
    return squared_gaps_wang2022(is_below_wang2022(y, mean, sd).mean(axis=-2))
