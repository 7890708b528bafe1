"""What a measure is: a value, written as users write it, that turns gold and predictions into figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.evaluate.comparison import Comparison
from similitude.registry import Spec, spec_of

__all__ = ["Figure", "Measure", "Need"]

Array = NDArray[np.float64]
Need = Literal["scale", "predicted sigma", "gold sigma", "ratings"]


class Figure(NamedTuple):
    """One figure; where it is undefined the value is nan and the reason says why."""

    value: float
    reason: str | None = None


@dataclass(frozen=True, repr=False)
class Measure:
    """Gold x predictions -> one figure a system.

    A subclass is a frozen dataclass whose fields are its arguments; it sets the class attributes, writes ``values``
    and, where it can be undefined for reasons of its own, ``why_undefined``.
    """

    name: ClassVar[str]
    meaning: ClassVar[str]
    low: ClassVar[float]
    high: ClassVar[float]
    higher_is_better: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset()
    on_ties: ClassVar[str] = "do not matter"
    undefined: ClassVar[str] = "never"

    @property
    def identity(self) -> Spec:
        """Name and arguments, from which the measure can be rebuilt."""
        return spec_of(self, self.name)

    @property
    def requires(self) -> frozenset[Need]:
        """What gold and predictions must have, given the arguments."""
        return self.needs

    def __repr__(self) -> str:
        return str(self.identity)

    def __call__(self, comparison: Comparison) -> list[Figure]:
        """One figure for each system of the comparison."""
        lacking = [_lack(comparison, row, self.requires) for row in range(comparison.systems)]
        if all(lacking):
            return [Figure(np.nan, reason) for reason in lacking]
        values = np.broadcast_to(self.values(comparison), (comparison.systems,))
        return [self._figure(comparison, row, float(values[row]), lacking[row]) for row in range(comparison.systems)]

    def values(self, comparison: Comparison) -> Array:
        """One number a system, nan where undefined. What the measure needs is there for at least one system."""
        raise NotImplementedError

    def why_undefined(self, comparison: Comparison, row: int) -> str:
        """The reason why the figure of this system is nan."""
        return self.undefined

    def _figure(self, comparison: Comparison, row: int, value: float, lack: str | None) -> Figure:
        if lack is not None:
            return Figure(np.nan, lack)
        return Figure(value) if np.isfinite(value) else Figure(np.nan, self.why_undefined(comparison, row))


def _lack(comparison: Comparison, row: int, needs: frozenset[Need]) -> str | None:
    """What the measure needs and this system or this gold does not have, in words."""
    return next((reason for need in sorted(needs) if (reason := _LACKS[need](comparison, row))), None)


def _lack_of_scale(comparison: Comparison, row: int) -> str | None:
    if comparison.scale is None:
        return "the gold scale is unknown; declare it with --scale"
    return None if comparison.is_on_scale[row] else "the system declares no range, so its scores are on no known scale"


def _lack_of_predicted_sigma(comparison: Comparison, row: int) -> str | None:
    sigma = comparison.predicted_sigma
    return "the system gives no standard deviation" if sigma is None or np.isnan(sigma[row]).all() else None


def _lack_of_gold_sigma(comparison: Comparison, row: int) -> str | None:
    return "gold has no standard deviations" if comparison.gold_sigma is None else None


def _lack_of_ratings(comparison: Comparison, row: int) -> str | None:
    return "gold keeps no individual ratings" if comparison.ratings is None else None


_LACKS: dict[Need, Callable[[Comparison, int], str | None]] = {
    "scale": _lack_of_scale,
    "predicted sigma": _lack_of_predicted_sigma,
    "gold sigma": _lack_of_gold_sigma,
    "ratings": _lack_of_ratings,
}
