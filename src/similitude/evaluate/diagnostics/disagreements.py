"""Items on which systems are farthest from gold: for each system, and for most systems together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.evaluate.comparison import Comparison
from similitude.stats.arrays import Array, Integers

__all__ = ["Disagreement", "SharedDisagreement", "shared_disagreements", "worst_disagreements"]


class Disagreement(NamedTuple):
    """One system on one item: position of the item, gold, and prediction on the gold scale."""

    position: int
    gold: float
    predicted: float

    @property
    def gap(self) -> float:
        """Prediction minus gold: above 0 if the system finds the texts more similar than people do."""
        return self.predicted - self.gold


class SharedDisagreement(NamedTuple):
    """One item that most systems get wrong.

    Attributes:
        position: index of the item.
        predicted: one prediction per system, on the gold scale; nan for a system without a known scale.
        median_gap: median distance to gold over systems: half of the systems are at least this far off.
        too_high: number of systems above gold.
        too_low: number of systems below gold.
    """

    position: int
    gold: float
    predicted: tuple[float, ...]
    median_gap: float
    too_high: int
    too_low: int


def worst_disagreements(comparison: Comparison, top: int = 5) -> list[list[Disagreement]]:
    """For each system, the items whose predictions are farthest from gold, farthest first.

    Distances need predictions on the gold scale; a system that could not be mapped to it has none. Ties keep item
    order. Items that the system predicts exactly are never included.
    """
    return [_worst_of(comparison, row, top) if comparison.is_on_scale[row] else [] for row in range(comparison.systems)]


def shared_disagreements(comparison: Comparison, top: int = 10) -> list[SharedDisagreement]:
    """The items on which most systems are wrong, by median distance to gold, largest first.

    With the median, half of the systems must be wrong: a single outlier does not decide. Systems without a known scale
    are ignored; if there are no others, the list is empty.

    >>> gold, predicted = np.array([1.0, 4.0]), np.array([[1.0, 1.0], [5.0, 2.0], [1.5, 3.0]])
    >>> shared_disagreements(Comparison.of_scores(gold, predicted), top=1)[0].median_gap
    2.0
    """
    usable = comparison.predicted[comparison.is_on_scale]
    if len(usable) == 0:
        return []
    gaps = usable - comparison.gold
    medians = np.median(np.abs(gaps), axis=0)
    shown = np.where(comparison.is_on_scale[:, None], comparison.predicted, np.nan)
    return [
        SharedDisagreement(
            position=int(position),
            gold=float(comparison.gold[position]),
            predicted=tuple(map(float, shown[:, position])),
            median_gap=float(medians[position]),
            too_high=int((gaps[:, position] > 0).sum()),
            too_low=int((gaps[:, position] < 0).sum()),
        )
        for position in _largest(medians, top)
    ]


def _worst_of(comparison: Comparison, row: int, top: int) -> list[Disagreement]:
    gold, predicted = comparison.gold, comparison.predicted[row]
    return [
        Disagreement(int(position), float(gold[position]), float(predicted[position]))
        for position in _largest(np.abs(predicted - gold), top)
    ]


def _largest(distances: Array, top: int) -> Integers:
    """Positions of the largest distances above 0, largest first; ties in order of position."""
    order = np.argsort(-distances, kind="stable")[:top]
    return np.asarray(order[distances[order] > 0])
