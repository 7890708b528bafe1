"""Sample size: the precision that n raters give, from variance components.

With the variance v of one rating about its item's truth and the variance t of the items' truth, n raters give

- a mean with the standard error sqrt(v / n);
- a standard deviation (ddof 0) with the root mean squared error sigma sqrt(1 + (n - 1) / n - 2 c(n)), where
  c(n) = sqrt(2 / n) Gamma(n / 2) / Gamma((n - 1) / 2), for Gaussian opinions; two camps need fewer raters;
- means whose squared correlation with the truth, their reliability, is n t / (n t + v) (Spearman-Brown);
- the right order of two items d apart with probability Phi(d / sqrt(2 v / n)).

Every function takes and returns arrays, so a thousand resamples of a pilot are one call.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.stats.arrays import Array

__all__ = [
    "FAR",
    "LEAST_ITEMS",
    "MOST",
    "RatingVariances",
    "correlation",
    "far_beyond",
    "mean_error",
    "order",
    "raters_for",
    "sigma_error",
    "spearman_brown",
    "told_plainly",
]


MOST = 1000
"""More raters than this are not planned for."""
LEAST_ITEMS = 10
"""A plan needs at least this many items."""
VAGUE = 2
"""A number is too uncertain if the upper end of its interval exceeds this many times the lower end, ..."""
CLOSE = 4
"""... unless the ends are this close."""
FAR = 4
"""A plan for more than this many times the pilot's number notes that it extrapolates far."""

ROUNDING = 1e-9


class RatingVariances(NamedTuple):
    """Variance components of ratings.

    Attributes:
        true: the variance of the items' true scores.
        ranking: of one rating about its item's true score, without leniency, which does not affect ranking.
        single: of one rating about its item's true score, leniency included.
    """

    true: Array
    ranking: Array
    single: Array


def spearman_brown(reliability: Array, times: Array) -> Array:
    """The reliability of ``times`` as many judgements (Spearman, 1910; Brown, 1910).

    >>> spearman_brown(np.array(0.5), np.array(2.0)).round(4)
    np.float64(0.6667)
    """
    return np.asarray(times * reliability / (1 + (times - 1) * reliability))[()]


def mean_error(variances: RatingVariances, raters: Array) -> Array:
    """Standard error of an item's mean."""
    return np.asarray(np.sqrt(variances.single / raters))


def sigma_error(variances: RatingVariances, raters: Array) -> Array:
    """Root mean squared error of an item's standard deviation."""
    return np.asarray(np.sqrt(variances.single) * _sigma_factor(raters))


def correlation(variances: RatingVariances, raters: Array) -> Array:
    """Expected correlation of the means with the truth; nan if the variance of items is not above 0."""
    true = np.where(variances.true > 0, variances.true, np.nan)
    return np.asarray(np.sqrt(true / (true + variances.ranking / raters)))


def order(variances: RatingVariances, raters: Array, apart: float) -> Array:
    """Probability that two items which differ by ``apart`` come out in the right order."""
    from scipy.special import ndtr

    with np.errstate(divide="ignore"):
        return np.asarray(ndtr(apart / np.sqrt(2 * variances.ranking / raters)))


def raters_for(figures: Array, target: float, *, at_most: bool) -> Array:
    """The smallest number of raters that meets a target; nan if more than `MOST` are needed.

    Args:
        figures: the figure with 1, 2, ..., `MOST` raters, along the first axis.
        target: the target.
        at_most: whether the figure must be at most the target, or at least.

    >>> raters_for(np.array([[0.5], [0.7], [0.8]]), 0.7, at_most=False)
    array([2.])
    """
    met = figures <= target + ROUNDING if at_most else figures >= target - ROUNDING
    return np.where(met.any(axis=0), met.argmax(axis=0) + 1.0, np.nan)


def told_plainly(number: Estimate, noun: str) -> Estimate:
    """A number of raters, with a caveat if it is unknown or imprecise.

    >>> told_plainly(Estimate(12.0, 5.0, 40.0), "raters").reason
    'the pilot is too small to tell: 5 to 40 raters'
    """
    if not number.is_defined:
        return undefined(f"more than {MOST:,} {noun}, or the pilot's items do not differ")
    low, high = float(np.floor(number.low)), float(np.ceil(number.high))
    if high > VAGUE * low and high - low > CLOSE:
        return Estimate(number.value, low, high, f"the pilot is too small to tell: {low:.0f} to {high:.0f} {noun}")
    return number._replace(low=low, high=high)


def far_beyond(number: Estimate, pilot: float, noun: str) -> tuple[str, ...]:
    """A note if a plan extrapolates far beyond the pilot.

    >>> far_beyond(Estimate(20.0), 4.0, "raters")
    ('20 raters are far beyond the 4 of the pilot: run a second pilot',)
    """
    if not number.value > FAR * pilot:
        return ()
    return (f"{number.value:.0f} {noun} are far beyond the {pilot:.3g} of the pilot: run a second pilot",)


def _sigma_factor(raters: Array) -> Array:
    """Error of the standard deviation of n Gaussian draws, in standard deviations."""
    from scipy.special import gammaln

    several = np.maximum(raters, 2)
    ratio = np.sqrt(2 / several) * np.exp(gammaln(several / 2) - gammaln((several - 1) / 2))
    return np.where(raters < 2, 1.0, np.sqrt(np.maximum(1 + (several - 1) / several - 2 * ratio, 0.0)))
