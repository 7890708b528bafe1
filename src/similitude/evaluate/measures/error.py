"""Distance between predictions and gold on the gold scale."""

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
    """What both share: from 0 up, lower is better, in units of the gold scale."""

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = np.inf
    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[frozenset[Need]] = frozenset({"scale"})
    undefined: ClassVar[str] = "the system's scores are not on the gold scale"

    def values(self, comparison: Comparison) -> Array:
        """One error a system."""
        return np.asarray(self.losses(comparison).mean(axis=-1))


@MEASURES.register("mse")
@dataclass(frozen=True, repr=False)
class MeanSquaredError(Distance):
    """Mean of (predicted - gold)^2, after mapping predictions to the gold scale. Range 0.., lower is better.

    >>> from similitude.data.scale import Scale
    >>> scale = Scale(low=0, high=5)
    >>> MeanSquaredError()(Comparison.of_scores(np.array([1.0, 2.0]), np.array([2.0, 4.0]), scale))[0].value
    2.5
    """

    name: ClassVar[str] = "mse"
    meaning: ClassVar[str] = "mean squared error on the gold scale"

    def losses(self, comparison: Comparison) -> Array:
        """The squared error of every item."""
        return np.asarray((comparison.predicted - comparison.gold) ** 2)


@MEASURES.register("mae")
@dataclass(frozen=True, repr=False)
class MeanAbsoluteError(Distance):
    """Mean of |predicted - gold|, after mapping predictions to the gold scale. Range 0.., lower is better.

    >>> from similitude.data.scale import Scale
    >>> scale = Scale(low=0, high=5)
    >>> MeanAbsoluteError()(Comparison.of_scores(np.array([1.0, 2.0]), np.array([2.0, 4.0]), scale))[0].value
    1.5
    """

    name: ClassVar[str] = "mae"
    meaning: ClassVar[str] = "mean absolute error on the gold scale"

    def losses(self, comparison: Comparison) -> Array:
        """The absolute error of every item."""
        return np.asarray(np.abs(comparison.predicted - comparison.gold))
