"""Median and trimmed mean of each row, with standard errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array

__all__ = ["Location", "median", "trimmed_mean"]


class Location(NamedTuple):
    """An estimate of location for each row, and its standard error, which is nan for rows with a single value."""

    value: Array
    standard_error: Array


def median(rows: Array) -> Location:
    """The median of each row, with the standard error of Maritz and Jarrett (1978).

    The median of a sample of n falls on the order statistics with the probabilities that a Beta((n+1)/2, (n+1)/2)
    distribution gives to the n-ths of the unit interval; the standard error is the standard deviation of that.

    >>> median(np.array([[1.0, 2.0, 6.0]])).value
    array([2.])
    """
    from scipy.special import betainc

    number = rows.shape[1]
    half = (number + 1) / 2
    weights = np.diff(betainc(half, half, np.arange(number + 1) / number))
    ordered = np.sort(rows)
    spread = ((ordered - (ordered @ weights)[:, None]) ** 2) @ weights
    return Location(np.median(ordered, axis=1), np.sqrt(spread) if number > 1 else np.full(len(rows), np.nan))


def trimmed_mean(rows: Array, share: float) -> Location:
    """The mean of each row without the floor(share * n) lowest and highest values.

    The standard error is that of Tukey and McLaughlin (1963): the standard deviation (ddof 1) of the winsorised row,
    divided by (1 - 2 g / n) sqrt(n), where g values were removed at each end.

    >>> trimmed_mean(np.array([[0.0, 4.0, 5.0, 6.0, 100.0]]), 0.2).value
    array([5.])
    """
    number = rows.shape[1]
    cut = int(share * number + 1e-9)
    ordered = np.sort(rows)
    kept = ordered[:, cut : number - cut]
    if number < 2:
        return Location(kept.mean(axis=1), np.full(len(rows), np.nan))
    winsorised = np.clip(ordered, kept[:, :1], kept[:, -1:])
    error = winsorised.std(axis=1, ddof=1) / ((1 - 2 * cut / number) * np.sqrt(number))
    return Location(kept.mean(axis=1), error)
