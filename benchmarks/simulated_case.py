"""A simulated case of benchmarks/coverage.py: a population whose true figure is known, and the interval of a sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

__all__ = ["ITEMS", "Case", "Ends"]

ITEMS = (20, 50, 200, 2000)

Ends = tuple[float, float]
"""Lower and upper end of an interval; nan where the sample has none."""


class Case(NamedTuple):
    """One figure under one design.

    Attributes:
        figure: what is estimated, such as "alpha, interval".
        design: how samples are drawn, such as "3 raters, truth .8, 5 values". Figure and design name the case.
        interval: draws one sample of so many items with the generator and gives the ends of its interval.
        truth: the population's figure for samples of so many items; called once for each number of items, so it may
            simulate a large sample (with a seed of its own).
        items: the numbers of items to simulate.
    """

    figure: str
    design: str
    interval: Callable[[int, np.random.Generator], Ends]
    truth: Callable[[int], float]
    items: tuple[int, ...] = ITEMS
