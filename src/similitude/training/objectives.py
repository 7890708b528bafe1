"""The losses of similarity models: squared error, and the margin or the difference between a pair's conditions."""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from similitude.errors import ArgumentError
from similitude.registry import Spec, parse, spec_of, subclass_registry
from similitude.systems.source_code import code_of
from similitude.training.loss_weights import ITEM, PAIR

if TYPE_CHECKING:
    from torch import Tensor

__all__ = [
    "OBJECTIVES",
    "MseDifference",
    "MseQuad",
    "Objective",
    "check_weighable",
    "make_objective",
    "objective_arguments",
]


@dataclass(frozen=True)
class Objective:
    """The loss of a batch, from scores and gold in 0..1.

    A subclass is a frozen dataclass whose fields are its arguments, written as in ``--objective "mine(power=2)"``. It
    sets ``name`` and ``meaning`` and implements ``loss``.

    Attributes:
        name: as registered.
        meaning: one line for listings.
    """

    name: ClassVar[str]
    meaning: ClassVar[str]

    @property
    def needs_pairs(self) -> bool:
        """Whether every sentence pair must have two conditions; items 0 and 1 of a batch are then one pair."""
        return False

    @property
    def uses_values(self) -> bool:
        """Whether the values of gold matter and not only their order; otherwise teachers are of no use."""
        return True

    def loss(self, scores: Tensor, gold: Tensor, order: Tensor) -> Tensor:
        """The mean over a batch.

        Args:
            scores: one per item.
            gold: one target per item, blended with teachers' scores if there are any.
            order: gold itself, which gives the order of items.
        """
        raise NotImplementedError

    def weighed_loss(self, scores: Tensor, gold: Tensor, order: Tensor, weights: Tensor, pairs: Tensor) -> Tensor:
        """The mean over a batch of losses times weights; only needed for ``--suspects`` and ``--taught-weight``.

        Args:
            scores: one per item.
            gold: one target per item.
            order: gold itself.
            weights: one per item.
            pairs: one per pair, for terms that compare its two items.
        """
        raise NotImplementedError

    @property
    def takes_weights(self) -> bool:
        """Whether it implements ``weighed_loss``."""
        return type(self).weighed_loss is not Objective.weighed_loss

    def __call__(
        self, scores: Tensor, gold: Tensor, *, order: Tensor | None = None, weights: Tensor | None = None
    ) -> Tensor:
        """The loss of a batch; by default gold gives the order, and all items have the same weight.

        Weights are those of `similitude.training.loss_weights`.
        """
        order = gold if order is None else order
        if weights is None:
            return self.loss(scores, gold, order)
        return self.weighed_loss(scores, gold, order, weights[:, ITEM], weights[0::2, PAIR])

    def record(self) -> dict[str, Any]:
        """Ready for JSON, with a fingerprint of its code if it is not ours."""
        return {"name": str(spec_of(self, self.name)), "code": code_of(self)}


def check_weighable(objective: Objective, option: str) -> None:
    """Check that an objective takes weights, for an option that weighs items.

    Raises:
        ArgumentError: it does not.
    """
    if not objective.takes_weights:
        what = f"objective {objective.name} does not weigh items, so that {option} has no effect"
        remedy = f"omit {option}, implement weighed_loss, or use --objective mse, quad, quad+mse or mse+difference"
        raise ArgumentError(what, remedy=remedy)


def check_margin(margin: float) -> None:
    """Check that cosines can differ by a margin.

    Raises:
        ArgumentError: it is not above 0 and at most 2.
    """
    if not 0 < margin <= 2:
        raise ArgumentError(f"margin {margin:g} is not valid", remedy="give one above 0 and at most 2")


OBJECTIVES = subclass_registry(
    "objective", "similitude.objectives", Objective, methods={"loss": "which gives the mean loss of a batch"}
)
"""All objectives of scores by name; other packages add theirs by entry points."""


@dataclass(frozen=True, kw_only=True)
class MseQuad(Objective):
    """A weighted sum of two losses over a batch; gold and scores in 0..1.

    MSE is the mean over items of (score - gold)^2. Quad is the mean over pairs of max(0, margin + low - high), where
    high and low are the scores under the condition with the higher and the lower gold. A pair with equal gold counts 0.
    The order of the two in the batch does not matter.

    Attributes:
        mse: the weight of MSE.
        quad: the weight of Quad.
        margin: by which the high score should exceed the low one.

    References:
        Deshpande et al. (2023), section 4.1; the margin there is called lambda.
    """

    name: ClassVar[str] = "quad+mse"
    meaning: ClassVar[str] = "squared error, and the margin between a pair's two conditions"

    mse: float = 1.0
    quad: float = 0.5
    margin: float = 0.5

    def __post_init__(self) -> None:
        if min(self.mse, self.quad) < 0 or self.mse + self.quad == 0:
            raise ArgumentError(
                f"weights {self.mse:g} of mse and {self.quad:g} of quad minimise nothing",
                remedy="give weights of 0 or more, one of them above 0",
            )
        check_margin(self.margin)

    @property
    def needs_pairs(self) -> bool:
        """Whether every sentence pair must have two conditions."""
        return self.quad > 0

    @property
    def uses_values(self) -> bool:
        """Whether MSE has any weight; Quad uses only the order of gold."""
        return self.mse > 0

    def loss(self, scores: Tensor, gold: Tensor, order: Tensor) -> Tensor:
        """The mean over a batch; with quad, items 0 and 1 are one pair, 2 and 3 the next, and so on."""
        loss = self.mse * (scores - gold).square().mean()
        if self.quad:
            loss = loss + self.quad * _hinges(scores, order, self.margin).mean()
        return loss

    def weighed_loss(self, scores: Tensor, gold: Tensor, order: Tensor, weights: Tensor, pairs: Tensor) -> Tensor:
        """The mean over a batch of each item's squared error and each pair's margin, times their weights."""
        loss = self.mse * (weights * (scores - gold).square()).mean()
        if self.quad:
            loss = loss + self.quad * (pairs * _hinges(scores, order, self.margin)).mean()
        return loss

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return dataclasses.asdict(self)


@dataclass(frozen=True, kw_only=True)
class MseDifference(Objective):
    """Squared error of scores, and of the difference between a pair's two scores.

    The loss is the mean over items of (score - gold)^2, plus weight times the mean over pairs of the squared difference
    between both errors. Quad demands the same margin of every pair, even if its labels differ by one step; here the
    labels say how far apart the two scores should be, and pairs with equal labels count too.

    Attributes:
        weight: of the differences.
    """

    name: ClassVar[str] = "mse+difference"
    meaning: ClassVar[str] = "squared error of scores and of the difference between a pair's two scores"

    weight: float = 2.0

    def __post_init__(self) -> None:
        if not 0 < self.weight < math.inf:
            raise ArgumentError(f"weight {self.weight:g} of differences is not valid", remedy="give one above 0")

    @property
    def needs_pairs(self) -> bool:
        """Every sentence pair must have two conditions."""
        return True

    def loss(self, scores: Tensor, gold: Tensor, order: Tensor) -> Tensor:
        """The mean over a batch; items 0 and 1 are one pair, 2 and 3 the next, and so on."""
        error = scores - gold
        return error.square().mean() + self.weight * (error[0::2] - error[1::2]).square().mean()

    def weighed_loss(self, scores: Tensor, gold: Tensor, order: Tensor, weights: Tensor, pairs: Tensor) -> Tensor:
        """The same with weights of items, and of pairs for their differences."""
        error = scores - gold
        of_items = (weights * error.square()).mean()
        return of_items + self.weight * (pairs * (error[0::2] - error[1::2]).square()).mean()


@OBJECTIVES.register("mse+difference", "difference+mse")
def squared_error_and_difference(weight: float = 2.0) -> Objective:
    """Squared error of scores and of the difference between a pair's two scores."""
    return MseDifference(weight=weight)


@OBJECTIVES.register("mse")
def squared_error() -> Objective:
    """The mean of (score - gold)^2."""
    return MseQuad(mse=1.0, quad=0.0)


@OBJECTIVES.register("quad")
def quad(margin: float = 0.5) -> Objective:
    """The margin between a pair's two conditions."""
    return MseQuad(mse=0.0, quad=1.0, margin=margin)


@OBJECTIVES.register("quad+mse", "mse+quad")
def quad_and_squared_error(quad_weight: float = 0.5, margin: float = 0.5) -> Objective:
    """Squared error plus weighted Quad."""
    return MseQuad(mse=1.0, quad=quad_weight, margin=margin)


def make_objective(written: str, *, quad_weight: float = 0.5, margin: float = 0.5) -> Objective:
    """The objective of that name.

    Args:
        written: a name in `OBJECTIVES`, with arguments of its own if it has any.
        quad_weight: the weight of quad in quad+mse.
        margin: of quad.

    >>> make_objective("quad+mse")
    MseQuad(mse=1.0, quad=0.5, margin=0.5)
    """
    check_margin(margin)
    spec, takes = _spec(written), objective_arguments(written)
    usual = {"quad_weight": quad_weight, "margin": margin}
    given = {name: value for name, value in usual.items() if name in takes}
    return OBJECTIVES.make(replace(spec, keywords={**given, **spec.keywords}))


def objective_arguments(written: str) -> frozenset[str]:
    """The arguments that the objective of that name takes.

    >>> sorted(objective_arguments("quad+mse"))
    ['margin', 'quad_weight']
    """
    return frozenset(inspect.signature(OBJECTIVES.maker(_spec(written).name)).parameters)


def _spec(written: str) -> Spec:
    return parse(re.sub(r"\s*\+\s*", "+", written))


def _hinges(scores: Tensor, gold: Tensor, margin: float) -> Tensor:
    """Of each pair; 0 for equal gold."""
    ahead = scores[0::2] - scores[1::2]
    sign = (gold[0::2] - gold[1::2]).sign()
    # A tie has sign 0, so that |sign| removes its margin.
    return sign.abs() * (margin - sign * ahead).clamp(min=0.0)
