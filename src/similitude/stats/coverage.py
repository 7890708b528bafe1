"""Calibration: do intervals that claim p % hold p % of what comes?"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["LEVELS", "Coverage", "ece", "ece_wang2022", "observed_coverage"]

Array = NDArray[np.float64]
Coverage = Literal["central", "below"]

LEVELS = np.arange(1, 20) / 20
"""5 %, 10 %, ..., 95 %."""

_WANG_LEVELS = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
_WANG_Z = np.array([-1.64, -0.68, 0.0, 0.68, 1.64])
"""The rounded quantiles in the released code of Wang et al. (2022), which USTS uses."""


def observed_coverage(y: Array, mean: Array, sd: Array, coverage: Coverage = "central") -> Array:
    """For each level, the share of y that falls where the forecast says that this share should fall.

    Args:
        y: what came, along the last axis.
        mean: forecast means.
        sd: forecast standard deviations.
        coverage: "central" looks inside the interval around the mean that holds p; "below" looks under the
            p-quantile (Kuleshov et al., 2018).

    Returns:
        Shares with the levels on a new last axis.
    """
    from scipy.special import ndtri

    if coverage == "central":
        z = ndtri(0.5 + LEVELS / 2)
        inside = np.abs(y - mean)[..., None] <= z * sd[..., None]
    else:
        inside = (y - mean)[..., None] <= ndtri(LEVELS) * sd[..., None]
    return np.asarray(inside.mean(axis=-2))


def ece(y: Array, mean: Array, sd: Array, coverage: Coverage = "central") -> Array:
    """Mean absolute gap between nominal and observed coverage at 5, 10, ..., 95 %."""
    return np.asarray(np.abs(observed_coverage(y, mean, sd, coverage) - LEVELS).mean(axis=-1))


def ece_wang2022(y: Array, mean: Array, sd: Array) -> Array:
    """Sum of squared gaps below five quantiles, as the code behind the USTS tables computes it; up to 1.78."""
    observed = ((y - mean)[..., None] <= _WANG_Z * sd[..., None]).mean(axis=-2)
    return np.asarray(((observed - _WANG_LEVELS) ** 2).sum(axis=-1))
