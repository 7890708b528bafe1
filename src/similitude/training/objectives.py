"""What is minimised: squared error against gold, the margin between a pair's two conditions, or both."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from similitude.errors import ArgumentError, UnknownNameError

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["OBJECTIVES", "Objective", "make_objective"]

OBJECTIVES = ("mse", "quad", "quad+mse")


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """A weighted sum of two losses over a batch; gold and scores in 0..1.

    MSE is the mean over items of (score - gold)^2. Quad is the mean over pairs of max(0, margin + low - high), where
    high and low are the scores under the pair's condition with the higher and the lower gold; a pair whose golds are
    equal counts 0. Which of the two comes first in the batch does not matter.

    Attributes:
        mse: the weight of MSE.
        quad: the weight of Quad.
        margin: by which the high score should exceed the low one, in cosine.

    References:
        Deshpande et al. (2023), section 4.1; the margin there is called lambda.
    """

    mse: float = 1.0
    quad: float = 0.5
    margin: float = 0.5

    def __post_init__(self) -> None:
        if min(self.mse, self.quad) < 0 or self.mse + self.quad == 0:
            raise ArgumentError(
                f"weights {self.mse:g} of mse and {self.quad:g} of quad minimise nothing",
                remedy="give weights of 0 or more, one of them above 0",
            )
        if not 0 < self.margin <= 2:
            raise ArgumentError(f"margin {self.margin:g} is not valid", remedy="give one above 0 and at most 2")

    @property
    def needs_pairs(self) -> bool:
        """Whether every sentence pair must have two conditions."""
        return self.quad > 0

    def __call__(self, scores: Tensor, gold: Tensor, *, order: Tensor | None = None) -> Tensor:
        """The loss of a batch; with quad, items 0 and 1 are one pair, 2 and 3 the next, and so on.

        Args:
            scores: one an item.
            gold: one an item.
            order: says which condition of a pair is the higher; gold does if none is given.
        """
        loss = self.mse * (scores - gold).square().mean()
        if self.quad:
            loss = loss + self.quad * _quad(scores, gold if order is None else order, self.margin)
        return loss

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return dataclasses.asdict(self)


def make_objective(written: str, *, quad_weight: float = 0.5, margin: float = 0.5) -> Objective:
    """The objective of that name.

    Args:
        written: mse, quad or quad+mse.
        quad_weight: of quad beside mse.
        margin: of quad.

    >>> make_objective("quad+mse")
    Objective(mse=1.0, quad=0.5, margin=0.5)
    """
    name = "+".join(sorted(part.strip().lower() for part in written.split("+")))
    name = "quad+mse" if name == "mse+quad" else name
    if name not in OBJECTIVES:
        raise UnknownNameError("objective", written, OBJECTIVES)
    weights = {"mse": (1.0, 0.0), "quad": (0.0, 1.0), "quad+mse": (1.0, quad_weight)}[name]
    return Objective(mse=weights[0], quad=weights[1], margin=margin)


def _quad(scores: Tensor, gold: Tensor, margin: float) -> Tensor:
    ahead = scores[0::2] - scores[1::2]
    sign = (gold[0::2] - gold[1::2]).sign()
    # A tie has sign 0, and |sign| takes its margin away.
    return (sign.abs() * (margin - sign * ahead).clamp(min=0.0)).mean()
