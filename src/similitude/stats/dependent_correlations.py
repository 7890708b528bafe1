"""Tests of two correlations that share a variable, on one sample: Williams and Steiger.

Both take the correlations of two systems with gold and that of the systems with each other. They are for Pearson's r of
data that are about normal; with Spearman's rho they are an approximation.
"""

from __future__ import annotations

import numpy as np

__all__ = ["steiger_p_value", "steiger_z", "williams_p_value", "williams_t"]


def williams_t(one: float, other: float, between: float, number: int) -> float:
    """Williams' t for the difference of two correlations, with ``number`` - 3 degrees of freedom.

    Reference: Williams (1959), The comparison of regression variables; in the form of Steiger (1980), equation 7.

    Args:
        one: the correlation of the first variable with the shared one.
        other: that of the second.
        between: the correlation of the first with the second.
        number: the number of observations, at least 4.

    >>> round(williams_t(0.3, 0.4, 0.5, 100), 4)  # Silver, Hittner and May (2006)
    -1.0767
    """
    determinant = 1 - one**2 - other**2 - between**2 + 2 * one * other * between
    mean = (one + other) / 2
    below = 2 * determinant * (number - 1) / (number - 3) + mean**2 * (1 - between) ** 3
    return _ratio(one - other, np.sqrt((number - 1) * (1 + between)), below)


def steiger_z(one: float, other: float, between: float, number: int) -> float:
    """Steiger's z for the difference of two correlations: Dunn and Clark's, with the mean correlation in the variance.

    Reference: Dunn and Clark (1969); Steiger (1980), Tests for comparing elements of a correlation matrix, equation 14.

    Args:
        one: the correlation of the first variable with the shared one.
        other: that of the second.
        between: the correlation of the first with the second.
        number: the number of observations, at least 4.

    >>> round(steiger_z(0.4, 0.5, 0.1, 103), 4)  # Steiger (1980), page 249, with -.8913 from rounded steps
    -0.8887
    """
    square = ((one + other) / 2) ** 2
    shared = between * (1 - 2 * square) - square * (1 - 2 * square - between**2) / 2
    covariance = shared / (1 - square) ** 2 if square < 1 else 1.0
    apart = np.arctanh(np.clip(one, -_CLOSE, _CLOSE)) - np.arctanh(np.clip(other, -_CLOSE, _CLOSE))
    return _ratio(apart, np.sqrt(number - 3), 2 - 2 * covariance)


_CLOSE = 1 - 1e-15
"""Fisher's z of a correlation of 1 is infinite."""


def williams_p_value(one: float, other: float, between: float, number: int) -> float:
    """Two-sided p-value of `williams_t`; nan for fewer than four observations."""
    from scipy.special import stdtr

    if number < 4:
        return float("nan")
    return float(2 * stdtr(number - 3, -abs(williams_t(one, other, between, number))))


def steiger_p_value(one: float, other: float, between: float, number: int) -> float:
    """Two-sided p-value of `steiger_z`; nan for fewer than four observations."""
    from scipy.special import ndtr

    if number < 4:
        return float("nan")
    return float(2 * ndtr(-abs(steiger_z(one, other, between, number))))


def _ratio(difference: float, factor: float, variance: float) -> float:
    """0 for no difference, whatever the variance; infinite if a difference has none."""
    if difference == 0:
        return 0.0
    return float(difference * factor / np.sqrt(variance)) if variance > 0 else float(np.copysign(np.inf, difference))
