"""The interval of a figure that is a mean over several trainings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

__all__ = ["mean_interval"]


def mean_interval(
    values: Sequence[float], ends: Sequence[tuple[float, float] | None], level: float
) -> tuple[float | None, float | None]:
    """An interval for the mean of a figure over trainings.

    With one training it is the interval over items. With several, the variance over items (the mean of those of the
    trainings, since all are measured on the same items) and that of the mean over trainings are added.
    """
    known = [each for each in ends if each is not None and not any(map(math.isnan, each))]
    if len(known) < len(ends) or not known:
        return None, None
    if len(values) == 1:
        return known[0]
    from scipy.stats import norm, t  # imported late: takes time

    width = float(norm.ppf((1 + level) / 2))
    over_items = float(np.mean([((high - low) / 2 / width) ** 2 for low, high in known]))
    over_runs = float(np.var(values, ddof=1)) / len(values)
    freedom = (over_items + over_runs) ** 2 / (over_runs**2 / (len(values) - 1) + 1e-300)  # Welch, Satterthwaite
    half = float(t.ppf((1 + level) / 2, freedom)) * math.sqrt(over_items + over_runs)
    mean = float(np.mean(values))
    return mean - half, mean + half
