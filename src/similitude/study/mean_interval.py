"""The interval of a figure that is a mean over several trainings, all measured on the same items."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from similitude.stats.arrays import Array

__all__ = ["Ends", "mean_interval"]

Ends = tuple[float | None, float | None]


def mean_interval(values: Sequence[float], ends: Sequence[Ends], covariances: Array | None, level: float) -> Ends:
    """An interval for the mean of a figure over trainings.

    With one training it is the interval over items. With several, two variances are added: what the trainings have in
    common because they are measured on the same items, and the variance of the mean between trainings, which also holds
    what the items did to each of them alone. Each has its own quantile: normal for the first, Student's with one degree
    of freedom less than trainings for the second (MOVER; Zou and Donner, 2008).

    Simulated coverage of 95 % intervals with 3 trainings: docs/studies.md.

    Args:
        values: of the figure, one per training.
        ends: of the interval over items, one per training.
        covariances: of the figures over items, trainings x trainings; None if it is not known.
        level: of the interval.

    Returns:
        Both ends; None where nothing can be said.
    """
    if len(values) == 1:
        return ends[0]
    if covariances is None or not np.isfinite(covariances).all() or not np.isfinite(values).all():
        return None, None
    from scipy.stats import norm, t  # imported late: takes time

    number = len(values)
    apart = covariances[~np.eye(number, dtype=bool)]
    shared = max(0.0, float(apart.mean()))
    between = float(np.var(values, ddof=1)) / number
    over_items, over_runs = norm.ppf((1 + level) / 2), t.ppf((1 + level) / 2, number - 1)
    half = math.sqrt(over_items**2 * shared + over_runs**2 * between)
    mean = float(np.mean(values))
    return mean - half, mean + half
