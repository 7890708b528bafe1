"""Objectives: one of scores (``train conditional``), one of opinions (``train uncertain``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from similitude.extend import Objective, OpinionLoss, PredictedOpinions, make_loss

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Huber(Objective):
    """Squared error near gold, absolute error further off.

    Args:
        bend: from where on.
    """

    name: ClassVar[str] = "huber"
    meaning: ClassVar[str] = "squared error near gold, absolute error further off"

    bend: float = 0.2

    def loss(self, scores: Tensor, gold: Tensor, order: Tensor) -> Tensor:
        from torch.nn.functional import huber_loss

        return huber_loss(scores, gold, delta=self.bend)


@dataclass(frozen=True)
class CalmLikelihood(OpinionLoss):
    """``nll``, bent so that no single item counts for too much."""

    name: ClassVar[str] = "calm-nll"
    meaning: ClassVar[str] = "negative log-likelihood, its tails cut"

    def losses(self, predicted: PredictedOpinions, gold: Tensor) -> Tensor:
        return make_loss("nll").losses(predicted, gold).arcsinh()
