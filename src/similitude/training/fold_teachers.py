"""Fold teachers: each scores the items that it was not trained on, and a student learns from gold and their scores.

The sentence pairs are divided into as many folds as there are teachers. Each teacher is trained on all folds but its
own and scores its own; the student learns from a blend of gold and those scores. A model repeats the noise in the
labels that it was trained on; for unseen items it can only use what it learned from others.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError, InputError
from similitude.training.objectives import Objective

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Teachers", "TwoGolds", "blend", "deal_folds"]

FEWEST = 2
DEFAULT_COUNT, DEFAULT_WEIGHT = 3, 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Teachers:
    """The number of teachers and the weight of their scores.

    Attributes:
        count: of teachers and folds; 0 for none.
        weight: of their scores in the student's targets; gold has the rest.

    >>> Teachers(count=3).record()
    {'count': 3, 'weight': 0.5}
    """

    count: int = 0
    weight: float = DEFAULT_WEIGHT

    def __post_init__(self) -> None:
        if self.count < 0 or 0 < self.count < FEWEST:
            raise ArgumentError(
                f"teachers {self.count} is not valid",
                remedy="give 0, or 2 or more: each scores the fold that the others learn from",
            )
        if not 0 < self.weight <= 1:
            raise ArgumentError(
                f"teacher-weight {self.weight:g} is not valid",
                remedy="give a weight above 0 and at most 1",
            )
        if not self.count and self.weight != DEFAULT_WEIGHT:
            raise ArgumentError(
                f"teacher-weight {self.weight:g} has no effect without teachers", remedy="add --cross-fit 3"
            )

    def check(self, objective: Objective, pairs: int, where: str) -> None:
        """Check that the teachers suit the objective and the data.

        Args:
            objective: of the student.
            pairs: the number of sentence pairs to learn from.
            where: the name of the data.

        Raises:
            ArgumentError: the objective cannot use teachers.
            InputError: there are fewer pairs than folds.
        """
        if self.count and not objective.uses_values:
            raise ArgumentError(
                "objective quad cannot use teachers: it depends only on which gold is higher",
                remedy="use --objective quad+mse or mse, or omit --cross-fit",
            )
        if pairs < self.count:
            raise InputError(
                f"{pairs:,} sentence pairs cannot be divided among {self.count:,} teachers",
                where=where,
                remedy=f"give at least {self.count:,} pairs, or use fewer folds (--cross-fit)",
            )

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return dataclasses.asdict(self)


@dataclass(frozen=True, slots=True)
class TwoGolds:
    """An objective over two targets: squared error to the blend of gold and teachers, order by gold alone.

    Quad uses the order of gold. People are surest about which condition is the higher (in C-STS they wrote one high and
    one low condition), and Quad demands the whole margin however small the difference: an uncertain teacher could
    reverse a pair, or give a tie an order that nobody saw. Teachers are better at saying how far apart the two are,
    and that is what MSE learns.
    """

    objective: Objective

    def __call__(self, scores: Tensor, golds: Tensor, *, weights: Tensor | None = None) -> Tensor:
        """The loss of a batch; the columns of golds are the blend and gold itself."""
        return self.objective(scores, golds[:, 0], order=golds[:, 1], weights=weights)


def deal_folds(pairs: NDArray[np.int64], folds: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The fold of each item, from 0: pairs are assigned at random, and all items of a pair share a fold.

    The sizes of folds differ by at most one pair.

    Args:
        pairs: the number of each item's pair, from 0 without gaps.
        folds: how many.
        rng: shuffles the pairs.

    >>> deal_folds(np.array([0, 0, 1, 1, 2, 2]), 3, np.random.default_rng(0)).tolist()
    [2, 2, 0, 0, 1, 1]
    """
    count = int(pairs.max(initial=-1)) + 1
    of_pair = rng.permutation(count) % folds
    return of_pair[pairs].astype(np.int64)


def blend(gold: NDArray[np.float32], scores: NDArray[np.float64], weight: float) -> NDArray[np.float32]:
    """The student's targets: (1 - weight) x gold + weight x the teachers' scores.

    Scores are first clipped to 0..1, the range of gold.

    >>> blend(np.array([1.0, 0.0], np.float32), np.array([0.5, -0.2]), 0.5).tolist()
    [0.75, 0.0]
    """
    return ((1.0 - weight) * gold.astype(np.float64) + weight * np.clip(scores, 0.0, 1.0)).astype(np.float32)
