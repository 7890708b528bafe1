"""Mean squared and mean absolute error on the gold scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.additive import MeanLoss
from similitude.evaluate.measures.catalogue import MEASURES
from similitude.evaluate.measures.measure import Need
from similitude.stats.arrays import Array

__all__ = ["MeanAbsoluteError", "MeanSquaredError"]


@dataclass(frozen=True, repr=False)
class Distance(MeanLoss):
    """Mean of |predicted - gold|^power, after mapping predictions to the gold scale. Range 0.., lower is better.

    >>> from similitude.data.scale import Scale
    >>> made = Comparison.of_scores(np.array([1.0, 2.0]), np.array([2.0, 4.0]), Scale(low=0, high=5))
    >>> MeanAbsoluteError()(made)[0].value, MeanSquaredError()(made)[0].value
    (1.5, 2.5)
    """

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = np.inf
    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[frozenset[Need]] = frozenset({"scale"})
    undefined: ClassVar[str] = "the system's scores are not on the gold scale"
    power: ClassVar[int]

    def values(self, comparison: Comparison) -> Array:
        """One error per system."""
        return np.asarray(self.losses(comparison).mean(axis=1))

    def losses(self, comparison: Comparison) -> Array:
        """The error of every item."""
        return np.asarray(np.abs(comparison.for_errors.predicted - comparison.gold) ** self.power)


@MEASURES.register("mse")
@dataclass(frozen=True, repr=False)
class MeanSquaredError(Distance):
    """Mean of (predicted - gold)^2."""

    name: ClassVar[str] = "mse"
    meaning: ClassVar[str] = "mean squared error on the gold scale"
    formula: ClassVar[str] = r"\frac{1}{n} \sum_{i} (\hat{y}_i - y_i)^2"
    power: ClassVar[int] = 2


@MEASURES.register("mae")
@dataclass(frozen=True, repr=False)
class MeanAbsoluteError(Distance):
    """Mean of |predicted - gold|."""

    name: ClassVar[str] = "mae"
    meaning: ClassVar[str] = "mean absolute error on the gold scale"
    formula: ClassVar[str] = r"\frac{1}{n} \sum_{i} |\hat{y}_i - y_i|"
    power: ClassVar[int] = 1
