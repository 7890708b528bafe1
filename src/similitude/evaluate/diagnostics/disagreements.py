"""The items on which systems are farthest from gold: each system's own, and those that most systems share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.evaluate.comparison import Comparison
from similitude.stats.arrays import Array, Integers

__all__ = ["Disagreement", "SharedDisagreement", "shared_disagreements", "worst_disagreements"]


class Disagreement(NamedTuple):
    """One system on one item: where the item stands, gold, the prediction on the gold scale, and the gap."""

    position: int
    gold: float
    predicted: float

    @property
    def gap(self) -> float:
        """Prediction minus gold: above 0 where the system finds the texts more alike than people do."""
        return self.predicted - self.gold


class SharedDisagreement(NamedTuple):
    """One item that most systems get wrong.

    Attributes:
        position: where the item stands.
        gold: its gold score.
        predicted: one prediction per system, on the gold scale; nan for a system that is on no known scale.
        median_gap: the median over systems of the distance to gold: half of the systems are at least this far off.
        too_high: how many systems are above gold.
        too_low: how many are below.
    """

    position: int
    gold: float
    predicted: tuple[float, ...]
    median_gap: float
    too_high: int
    too_low: int


def worst_disagreements(comparison: Comparison, top: int = 5) -> list[list[Disagreement]]:
    """For each system the items where its prediction is farthest from gold, farthest first.

    Distances need predictions on the gold scale: a system that could not be brought onto it has none. Ties keep the
    order of the items. An item that the system gets exactly right is never among the worst.
    """
    return [_worst_of(comparison, row, top) if comparison.is_on_scale[row] else [] for row in range(comparison.systems)]


def shared_disagreements(comparison: Comparison, top: int = 10) -> list[SharedDisagreement]:
    """The items on which most systems are wrong together, by the median distance to gold, largest first.

    The median asks half of the systems to be wrong: one wild prediction does not make an item hard, and one lucky one
    does not make it easy. Systems that are on no known scale are left aside; without any other there is no answer.

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
    """Positions of the largest distances above 0, largest first; ties in the order in which they stand."""
    order = np.argsort(-distances, kind="stable")[:top]
    return np.asarray(order[distances[order] > 0])
