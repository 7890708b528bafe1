"""Rescaling a system's output to the gold scale, which errors and thresholds require.

By default the mapping is linear, from the range that a system declares to the gold scale. It can instead be *fitted*,
always on other items than those being measured. The result records which was used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.stats.arrays import Array

__all__ = ["Calibration", "Rescaling", "fit_mapping", "mapping_from_range"]

Calibration = Literal["linear", "isotonic"]


@dataclass(frozen=True, slots=True, eq=False)
class Rescaling:
    """An increasing piecewise linear function from a system's output to the gold scale.

    Attributes:
        description: how the mapping was made; part of every result.
        knots: outputs at which the slope may change; empty if the output cannot be mapped.
        values: the value of each knot.
        extends: whether it is a line through two knots, which continues beyond them (else it is constant there).
    """

    description: str
    knots: Array
    values: Array
    extends: bool = True

    @property
    def reaches_scale(self) -> bool:
        """Whether predictions are on the gold scale after `apply`."""
        return bool(self.knots.size)

    def apply(self, predictions: Predictions) -> Predictions:
        """Predictions on the gold scale; unchanged without a mapping."""
        if not self.reaches_scale:
            return predictions
        if not self.extends:
            # A fitted step function has no slope to scale a standard deviation by.
            scores = np.interp(predictions.scores, self.knots, self.values)
            return Predictions(scores, invalid=predictions.invalid)
        slope, offset = self._line()
        sigmas = None if predictions.sigmas is None else predictions.sigmas * abs(slope)
        samples = None if predictions.samples is None else predictions.samples * slope + offset
        return Predictions(predictions.scores * slope + offset, sigmas, samples, predictions.invalid)

    def record(self) -> dict[str, Any]:
        """Plain values, from which `Rescaling.from_record` rebuilds the mapping."""
        return {
            "description": self.description,
            "knots": self.knots.tolist(),
            "values": self.values.tolist(),
            "extends": self.extends,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Rescaling:
        """The mapping that `record` described."""
        knots, values = (np.array(record[name], dtype=np.float64) for name in ("knots", "values"))
        return cls(record["description"], knots, values, record["extends"])

    def _line(self) -> tuple[float, float]:
        (low, high), (bottom, top) = self.knots.tolist(), self.values.tolist()
        slope = (top - bottom) / (high - low)
        return slope, bottom - slope * low


def mapping_from_range(declared: Scale | None, scale: Scale | None) -> Rescaling:
    """Linear from the system's declared range to the gold scale.

    >>> unit, stars = Scale(low=0, high=1), Scale(low=1, high=5)
    >>> mapping_from_range(unit, stars).apply(Predictions(np.array([0.0, 0.25]))).scores
    array([1., 2.])
    """
    if declared is None or scale is None:
        why = "the gold scale is unknown" if scale is None else "the system declares no range"
        return Rescaling(f"not on the gold scale: {why}", np.empty(0), np.empty(0))
    if declared.same_ends(scale):
        return Rescaling(f"already on {scale}", *_ends(scale, scale))
    return Rescaling(f"linear from {declared} to {scale}", *_ends(declared, scale))


def fit_mapping(kind: Calibration, predicted: Array, gold: Array, *, fitted_on: str) -> Rescaling:
    """A mapping fitted to items that are not the ones being measured.

    Args:
        kind: "linear" (least squares) or "isotonic" (the best increasing step function).
        predicted: a system's scores.
        gold: the gold scores of the same items.
        fitted_on: name of those items in the result.
    """
    if np.ptp(predicted) == 0:
        raise ArgumentError(
            f"cannot fit a {kind} mapping on {fitted_on}: the system's scores are all the same",
            remedy="leave out --calibrate for this system",
        )
    description = f"{kind} mapping fitted on {fitted_on} ({len(gold)} items)"
    if kind == "linear":
        slope, offset = np.polyfit(predicted, gold, 1)
        knots = np.array([predicted.min(), predicted.max()])
        return Rescaling(description, knots, slope * knots + offset)
    from scipy.optimize import isotonic_regression

    knots, where = np.unique(predicted, return_inverse=True)
    sizes = np.bincount(where)
    means = np.bincount(where, weights=gold) / sizes
    rising = isotonic_regression(means, weights=sizes)
    return Rescaling(description, knots, np.asarray(rising.x), extends=False)


def _ends(source: Scale, target: Scale) -> tuple[Array, Array]:
    return np.array([source.low, source.high]), np.array([target.low, target.high])
