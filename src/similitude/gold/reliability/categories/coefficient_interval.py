"""Intervals of coefficients of agreement, from their standard errors."""

from __future__ import annotations

import numpy as np

from similitude.gold.reliability.categories.coefficients import Coefficient
from similitude.gold.reliability.estimate import Estimate, undefined

__all__ = ["coefficient_estimate", "score_estimate", "share_estimate"]

ROUNDING = 1e-12
ALL_AGREE = "all items agree: the lower end is what so many items cannot rule out (Clopper-Pearson)"
AT_THE_END = "no interval: the coefficient is at the end of its range"


def coefficient_estimate(found: Coefficient, level: float) -> Estimate:
    """A coefficient with its interval: value +- t standard errors on Fisher's z scale. For kappas.

    t has one degree of freedom less than there are items with two answers. On the coefficient's own scale, as in Gwet
    (2014), intervals of few items cover too seldom, because high coefficients have a long lower tail. If no answer
    disagrees, the standard error is 0 and says nothing: the lower end is then the coefficient at which so many
    items without a disagreement still have a probability of (1 - level) / 2.

    Args:
        found: the coefficient.
        level: confidence level.

    >>> coefficient_estimate(Coefficient(0.5, 0.1, 0.1, 0.8, 0.6, 30, 30), 0.95)
    Estimate(value=0.5, low=0.269..., high=0.677..., reason=None)
    """
    if found.reason is not None:
        return undefined(found.reason)
    if found.observed >= 1 - ROUNDING:
        share = ((1 - level) / 2) ** (1 / found.pairs)
        return Estimate(found.value, max(-1.0, (share - found.chance) / (1 - found.chance)), 1.0, ALL_AGREE)
    if not abs(found.value) < 1:
        return Estimate(found.value, reason=AT_THE_END)
    half = _quantile(found.pairs, level) * found.interval_error / (1 - found.value**2)
    low, high = np.tanh(np.arctanh(found.value) + np.array([-half, half]))
    return Estimate(found.value, float(low), float(high))


def score_estimate(found: Coefficient, level: float) -> Estimate:
    """A coefficient with the interval of its observed agreement, corrected for chance as the coefficient is.

    For percent agreement, Brennan-Prediger and Gwet's coefficients, whose agreement by chance hardly varies.

    Args:
        found: the coefficient.
        level: confidence level.

    >>> score_estimate(Coefficient(0.5, 0.1, 0.1, 0.8, 0.6, 30, 30), 0.95)
    Estimate(value=0.5, low=0.267..., high=0.672..., reason=None)
    """
    if found.reason is not None:
        return undefined(found.reason)
    room = 1 - found.chance
    ends = share_estimate(found.observed, found.interval_error * room, found.pairs, level)
    return Estimate(found.value, (ends.low - found.chance) / room, (ends.high - found.chance) / room)


def share_estimate(share: float, error: float, items: int, level: float) -> Estimate:
    """A share with Wilson's interval for as many answers as would have this standard error, with t for z.

    Where the standard error is 0, as for a share of 0 or 1, there are as many answers as items.

    Args:
        share: 0 to 1.
        error: its standard error.
        items: number of items that it rests on.
        level: confidence level.

    References: Wilson (1927); Dean and Pagano (2015), on shares from clustered samples.

    >>> share_estimate(1.0, 0.0, 20, 0.95)
    Estimate(value=1.0, low=0.820..., high=1.0, reason=None)
    """
    if items < 2:
        return Estimate(share, reason="no interval: it rests on one item")
    t, variance = _quantile(items, level), share * (1 - share)
    size = items if min(variance, error) <= ROUNDING else variance / error**2
    middle = (share + t**2 / (2 * size)) / (1 + t**2 / size)
    reach = t * np.sqrt(variance / size + t**2 / (4 * size**2)) / (1 + t**2 / size)
    low = 0.0 if share <= ROUNDING else float(middle - reach)
    high = 1.0 if share >= 1 - ROUNDING else float(middle + reach)
    return Estimate(share, low, high)


def _quantile(items: int, level: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(items - 1, (1 + level) / 2))
