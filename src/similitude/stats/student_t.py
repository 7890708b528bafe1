"""Student's t, with any degrees of freedom up to infinity."""

from __future__ import annotations

import numpy as np

from similitude.stats.arrays import Array

__all__ = ["t_converted", "t_point", "t_tail"]

SMALLEST_TAIL = 1e-50


def t_tail(statistics: Array | float, freedom: Array | float) -> Array:
    """The probability of a value above each statistic.

    >>> t_tail(2.228, 10).round(4), t_tail(1.96, np.inf).round(4)
    (np.float64(0.025), np.float64(0.025))
    """
    from scipy.special import stdtr

    return np.asarray(stdtr(freedom, -np.asarray(statistics)), dtype=np.float64)[()]


def t_point(tails: Array | float, freedom: Array | float) -> Array:
    """What is exceeded with these probabilities, of at most 1/2; infinite for those below 1e-50.

    >>> t_point(0.025, 10).round(3), t_point(0.025, np.inf).round(3), t_point(0.0, 10)
    (np.float64(2.228), np.float64(1.96), np.float64(inf))
    """
    from scipy.special import stdtrit

    tails = np.asarray(tails)
    points = np.abs(stdtrit(freedom, np.maximum(tails, SMALLEST_TAIL)))
    return np.asarray(np.where(tails < SMALLEST_TAIL, np.inf, points), dtype=np.float64)[()]


def t_converted(statistics: Array | float, freedom: Array | float, to: Array | float) -> Array:
    """Statistics with the same p-values, but other degrees of freedom.

    >>> t_converted(-2.228, 10, np.inf).round(2)
    np.float64(-1.96)
    """
    sizes = np.abs(np.asarray(statistics))
    return np.asarray(np.sign(statistics) * t_point(t_tail(sizes, freedom), to), dtype=np.float64)[()]
