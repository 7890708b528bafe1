"""Several trainings distilled into one: teachers that never saw an item say what its noisy label should be.

The sentence pairs are dealt into as many folds as there are teachers. Each teacher learns from all folds but its own
and scores its own; the student then learns from a blend of gold and those scores. A model that had seen an item would
repeat its label, noise and all; one that has not can only say what other items taught it.
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

__all__ = ["Teachers", "TwoGolds", "blend", "deal_folds", "usual_teachers"]

FEWEST = 2
USUAL_WEIGHT = 0.5
USUAL_COUNT = 3
ENOUGH_PAIRS = 300
"""For teachers that know more than their labels' noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Teachers:
    """How many teachers there are, and how far they are believed.

    Attributes:
        count: of teachers and folds; 0 for none.
        weight: of their scores in what the student learns from; gold has the rest.

    >>> Teachers(count=3).record()
    {'count': 3, 'weight': 0.5}
    """

    count: int = 0
    weight: float = USUAL_WEIGHT

    def __post_init__(self) -> None:
        if self.count < 0 or 0 < self.count < FEWEST:
            raise ArgumentError(
                f"teachers {self.count} is not valid",
                remedy="give teachers as 0, or as 2 or more: each scores what the others learn from",
            )
        if not 0 < self.weight <= 1:
            raise ArgumentError(
                f"teacher-weight {self.weight:g} is not valid",
                remedy="give teacher-weight as more than 0 and at most 1",
            )
        if not self.count and self.weight != USUAL_WEIGHT:
            raise ArgumentError(
                f"teacher-weight {self.weight:g} weighs nothing without teachers", remedy="add --cross-fit 3"
            )

    def check(self, objective: Objective, pairs: int, where: str) -> None:
        """Make sure that these teachers can teach this.

        Args:
            objective: that the student minimises.
            pairs: sentence pairs to learn from.
            where: the data's name.

        Raises:
            ArgumentError: the objective takes nothing from teachers.
            InputError: there are fewer pairs than folds.
        """
        if self.count and not objective.uses_values:
            raise ArgumentError(
                "objective quad takes nothing from teachers: only which gold is higher counts in it",
                remedy="take --objective quad+mse or mse, or no --cross-fit",
            )
        if pairs < self.count:
            raise InputError(
                f"{pairs:,} sentence pairs cannot be dealt among {self.count:,} teachers",
                where=where,
                remedy=f"give {self.count:,} pairs at the very least, or take fewer --cross-fit",
            )

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return dataclasses.asdict(self)


def usual_teachers(objective: Objective, pairs: int) -> Teachers:
    """The teachers that suit so many sentence pairs: three, where there is enough to learn from, else none.

    >>> from similitude.training.objectives import MseQuad
    >>> [usual_teachers(MseQuad(), pairs).count for pairs in (299, 300)], usual_teachers(MseQuad(mse=0), 999).count
    ([0, 3], 0)
    """
    return Teachers(count=USUAL_COUNT if objective.uses_values and pairs >= ENOUGH_PAIRS else 0)


@dataclass(frozen=True, slots=True)
class TwoGolds:
    """An objective over what is learned from and what is known: squared error to the one, order by the other.

    Quad keeps the sign of the true gold. It asks which condition is the higher, which is what people are surest of
    (in C-STS they wrote the two conditions as a high and a low one), and it asks for the whole margin however small
    the difference: a teacher's doubt would turn a pair round, or give a tie an order that nobody saw. How far apart
    the two are is what a teacher knows better, and that is what MSE learns.

    Attributes:
        objective: of the training.
    """

    objective: Objective

    def __call__(self, scores: Tensor, golds: Tensor) -> Tensor:
        """The loss of a batch; in the columns of the golds, what is learned from and the true gold."""
        return self.objective(scores, golds[:, 0], order=golds[:, 1])


def deal_folds(pairs: NDArray[np.int64], folds: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The fold of each item, from 0: pairs are dealt out by chance, all items of a pair to the same fold.

    Folds differ by one pair at most, and each has one at least where there are as many pairs as folds.

    Args:
        pairs: of each item, the number of its pair, from 0 without gaps.
        folds: how many.
        rng: shuffles the pairs.

    >>> deal_folds(np.array([0, 0, 1, 1, 2, 2]), 3, np.random.default_rng(0)).tolist()
    [2, 2, 0, 0, 1, 1]
    """
    count = int(pairs.max(initial=-1)) + 1
    of_pair = rng.permutation(count) % folds
    return of_pair[pairs].astype(np.int64)


def blend(gold: NDArray[np.float32], scores: NDArray[np.float64], weight: float) -> NDArray[np.float32]:
    """What a student learns from: (1 - weight) x gold + weight x the teachers' scores, in 0..1.

    Scores are first cut to 0..1, where gold lies: that never takes them further from it.

    >>> blend(np.array([1.0, 0.0], np.float32), np.array([0.5, -0.2]), 0.5).tolist()
    [0.75, 0.0]
    """
    return ((1.0 - weight) * gold.astype(np.float64) + weight * np.clip(scores, 0.0, 1.0)).astype(np.float32)
