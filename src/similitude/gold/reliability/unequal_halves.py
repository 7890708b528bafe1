"""Reliability of all answers from the correlation of two halves, which need not be of the same size.

If a half with noise variance n1 correlates at r with a half with noise n2, the true variance t solves
r^2 = t^2 / ((t + n1) (t + n2)); the reliability of scores with noise n is t / (t + n). For two halves of the same
size it is the Spearman-Brown formula 2r / (1 + r); for one odd answer it is that of Horst (1951).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array

__all__ = ["HalfNoise", "reliability_of_all"]


class HalfNoise(NamedTuple):
    """Noise variance of scores from all answers and from each half, all in the same unit."""

    whole: float
    first: float
    second: float


def reliability_of_all(r: Array, noise: HalfNoise) -> Array:
    """The reliability of scores from all answers; nan where the halves do not correlate positively.

    Args:
        r: correlations of two halves.
        noise: of all answers and of the halves.

    >>> reliability_of_all(np.array([0.5, 1.0, -0.1]), HalfNoise(1 / 4, 1 / 2, 1 / 2)).round(3)
    array([0.667, 1.   ,   nan])
    >>> reliability_of_all(np.array([0.5]), HalfNoise(1 / 3, 1 / 1, 1 / 2)).round(3)
    array([0.686])
    """
    whole, one, other = noise
    if one * other == 0:  # nobody disagrees
        return np.where(r > 0, 1.0, np.nan)
    both, squares = one + other, np.square(np.where(r > 0, r, np.nan))
    share = (np.sqrt(both**2 + 4 * one * other * (1 / squares - 1)) - both) / (2 * one * other)
    return np.asarray(1 / (1 + share * whole))
