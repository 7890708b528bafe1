"""Power: how many units a comparison needs."""

from __future__ import annotations

import numpy as np

__all__ = ["units_for_power"]


def units_for_power(statistic: float, critical_value: float, units: int, power: float = 0.8) -> float:
    """The number of units with which a difference is found with probability ``power``, if it is as large as seen.

    A difference of t standard errors grows with the root of the number of units; it has to be the critical value plus
    the normal quantile of the power. Infinite for a difference of 0.

    Args:
        statistic: the difference in standard errors.
        critical_value: what it has to exceed.
        units: number of units on which it was seen.
        power: the probability.

    >>> round(units_for_power(1.0, 1.96, 100))  # (1.96 + .8416)^2 = 7.849
    785
    """
    from scipy.special import ndtri

    if statistic == 0:
        return float("inf")
    return float(units * ((critical_value + ndtri(power)) / abs(statistic)) ** 2) if np.isfinite(statistic) else 0.0
