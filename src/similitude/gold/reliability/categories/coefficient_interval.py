"""The interval of a coefficient of agreement, from its standard error."""

from __future__ import annotations

import numpy as np

from similitude.gold.reliability.categories.coefficients import Coefficient
from similitude.gold.reliability.estimate import Estimate, undefined

__all__ = ["coefficient_estimate", "share_estimate"]

ROUNDING = 1e-12

ALL_AGREE = "all items agree: the lower end is what so many items cannot rule out (Clopper-Pearson)"
AT_THE_END = "no interval: the coefficient is at the end of its range"


def coefficient_estimate(found: Coefficient, level: float) -> Estimate:
    """A coefficient with its interval: value +- t standard errors on Fisher's z scale.

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


def share_estimate(share: float, error: float, items: int, level: float) -> Estimate:
    """A share with its interval: t standard errors on the scale of log odds.

    If the share is 0 or 1, the other end is that of Clopper and Pearson.

    Args:
        share: 0 to 1.
        error: its standard error.
        items: number of items that it rests on.
        level: confidence level.

    >>> share_estimate(1.0, 0.0, 20, 0.95)
    Estimate(value=1.0, low=0.8315..., high=1.0, reason=None)
    """
    beyond = ((1 - level) / 2) ** (1 / items)
    if share <= ROUNDING or share >= 1 - ROUNDING:
        return Estimate(share, *((0.0, 1 - beyond) if share < 0.5 else (beyond, 1.0)))
    if items < 2:
        return Estimate(share, reason="no interval: it rests on one item")
    half = _quantile(items, level) * error / (share * (1 - share))
    low, high = 1 / (1 + (1 - share) / share * np.exp([half, -half]))
    return Estimate(share, float(low), float(high))


def _quantile(items: int, level: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(items - 1, (1 + level) / 2))
