"""The losses of models of opinions: the surprise at people's ratings, or the error of the mean.

All values are shares of the scale; logarithms are natural. Torch is imported only when a loss is computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from similitude.errors import ArgumentError
from similitude.registry import subclass_registry
from similitude.systems.uncertain.architecture import HUMAN_FLOOR, Architecture
from similitude.systems.uncertain.heads import HALF_LOG_TWO_PI, Camps, camps_of, make_head, moments_of
from similitude.training.loss_weights import ITEM
from similitude.training.uncertain.opinions import MEAN, RATINGS, SIGMA

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["OPINION_OBJECTIVES", "OpinionLoss", "OpinionObjective", "PredictedOpinions", "check_objective", "make_loss"]

BETA = 0.5
"""The power of the variance by which ``beta-nll`` weights an item (Seitzer et al., 2022)."""


class PredictedOpinions(NamedTuple):
    """The opinions that a model predicts for a batch, as shares of the scale.

    Attributes:
        architecture: of the model.
        outputs: items x numbers, as the head gives them.
        camps: the distribution that they stand for.
        mean: of all opinions, one per item.
        variance: of all opinions, one per item.
    """

    architecture: Architecture
    outputs: Tensor
    camps: Camps
    mean: Tensor
    variance: Tensor


@dataclass(frozen=True)
class OpinionLoss:
    """One loss per item, from predicted opinions and people's ratings.

    A subclass is written as one of `similitude.training.objectives.Objective`, and implements ``losses``.

    Attributes:
        name: as registered.
        meaning: one line for listings.
        learns_spread: whether it trains the spread; heads with a spread need this, and a point head cannot use it.
    """

    name: ClassVar[str]
    meaning: ClassVar[str]
    learns_spread: ClassVar[bool] = True

    def losses(self, predicted: PredictedOpinions, gold: Tensor) -> Tensor:
        """One loss per item; ``gold`` as in `similitude.training.uncertain.opinions`."""
        raise NotImplementedError


OPINION_OBJECTIVES = subclass_registry(
    "objective", "similitude.opinion_objectives", OpinionLoss, methods={"losses": "which gives one loss per item"}
)
"""All objectives of opinions by name; other packages add theirs by entry points."""


@cache
def make_loss(written: str) -> OpinionLoss:
    """The loss that ``written`` names.

    >>> make_loss("crps").learns_spread
    True
    """
    return OPINION_OBJECTIVES.make(written)


def check_objective(name: str, architecture: Architecture) -> str:
    """Check that the head can be trained with an objective, and return its name.

    Raises:
        UnknownNameError: there is no such objective.
        ArgumentError: the objective trains a spread and the head has none, or the other way round.
    """
    loss = make_loss(name)
    if not loss.learns_spread and architecture.has_spread:
        raise ArgumentError(
            f"objective {name} learns no spread, but a {architecture.head} head has one",
            remedy="use --head point, or another objective: nll, kl, crps",
        )
    if loss.learns_spread and not architecture.has_spread:
        head = architecture.head
        raise ArgumentError(f"a {head} head has no spread for objective {name} to learn", remedy="use --objective mse")
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionObjective:
    """The weighted mean of one of the losses over a batch.

    Attributes:
        name: of one of `OPINION_OBJECTIVES`.
        architecture: defines the meaning of the outputs.
    """

    name: str
    architecture: Architecture

    def __call__(self, outputs: Tensor, gold: Tensor, *, weights: Tensor | None = None) -> Tensor:
        """The loss of a batch.

        Args:
            outputs: items x numbers.
            gold: as in `similitude.training.uncertain.opinions`.
            weights: as in `similitude.training.loss_weights`; None for equal ones.
        """
        losses = self.losses(outputs, gold)
        return losses.mean() if weights is None else (weights[:, ITEM] * losses).mean()

    def losses(self, outputs: Tensor, gold: Tensor) -> Tensor:
        """One loss per item, unweighted."""
        camps = camps_of(self.architecture, outputs)
        predicted = PredictedOpinions(self.architecture, outputs, camps, *moments_of(camps))
        return make_loss(self.name).losses(predicted, gold)


@OPINION_OBJECTIVES.register("mse")
@dataclass(frozen=True)
class SquaredError(OpinionLoss):
    """(mean - gold)^2."""

    name: ClassVar[str] = "mse"
    meaning: ClassVar[str] = "squared error of the mean"
    learns_spread: ClassVar[bool] = False

    def losses(self, predicted: PredictedOpinions, gold: Tensor) -> Tensor:
        """One loss per item."""
        return (predicted.mean - gold[:, MEAN]).square()


@OPINION_OBJECTIVES.register("nll")
@dataclass(frozen=True)
class LogLikelihood(OpinionLoss):
    """Mean over the item's ratings of -ln p(rating).

    For a Gaussian it is KL(people || model) plus the entropy of people's Gaussian, which is constant. With a
    histogram, a rating between two points counts for both in proportion to its distance, and p is a probability rather
    than a density.
    """

    name: ClassVar[str] = "nll"
    meaning: ClassVar[str] = "negative log-likelihood of the ratings"

    def losses(self, predicted: PredictedOpinions, gold: Tensor) -> Tensor:
        """One loss per item."""
        head = make_head(predicted.architecture.head)
        return _mean_over_ratings(head.surprise(predicted.outputs, predicted.camps, _ratings(gold)), gold)


@OPINION_OBJECTIVES.register("kl")
@dataclass(frozen=True)
class Divergence(OpinionLoss):
    """KL(people || model) of two Gaussians, from mean and sigma, as in the measure ``kl``.

    If all people agree, their sigma is raised to `HUMAN_FLOOR` of the scale.
    """

    name: ClassVar[str] = "kl"
    meaning: ClassVar[str] = "divergence of the people's Gaussian from the model's"

    def losses(self, predicted: PredictedOpinions, gold: Tensor) -> Tensor:
        """One loss per item."""
        return _divergence(predicted.mean, predicted.variance, gold[:, MEAN], gold[:, SIGMA])


@OPINION_OBJECTIVES.register("crps")
@dataclass(frozen=True)
class RankedProbability(OpinionLoss):
    """Mean over the item's ratings of the continuous ranked probability score, in closed form.

    References:
        Grimit et al. (2006), for mixtures.
    """

    name: ClassVar[str] = "crps"
    meaning: ClassVar[str] = "continuous ranked probability score of the ratings"

    def losses(self, predicted: PredictedOpinions, gold: Tensor) -> Tensor:
        """One loss per item."""
        return _mean_over_ratings(_crps(predicted.camps, _ratings(gold)), gold)


@OPINION_OBJECTIVES.register("beta-nll")
@dataclass(frozen=True)
class BetaLogLikelihood(LogLikelihood):
    """``nll`` of each item times the predicted sigma, so that items with disagreement are not neglected.

    References:
        Seitzer et al. (2022), with beta 0.5.
    """

    name: ClassVar[str] = "beta-nll"
    meaning: ClassVar[str] = "nll, each item weighted by the predicted sigma"

    def losses(self, predicted: PredictedOpinions, gold: Tensor) -> Tensor:
        """One loss per item."""
        return LogLikelihood.losses(self, predicted, gold) * predicted.variance.detach() ** BETA


def _ratings(gold: Tensor) -> Tensor:
    """The ratings, with 0 instead of padding."""
    return gold[:, RATINGS:].nan_to_num(0.0)


def _mean_over_ratings(losses: Tensor, gold: Tensor) -> Tensor:
    is_given = (~gold[:, RATINGS:].isnan()).to(losses.dtype)
    mean: Tensor = (losses * is_given).sum(dim=-1) / is_given.sum(dim=-1)
    return mean


def _divergence(mean: Tensor, variance: Tensor, human_mean: Tensor, human_sigma: Tensor) -> Tensor:
    human = human_sigma.clamp(min=HUMAN_FLOOR).square()
    return 0.5 * ((variance / human).log() + (human + (human_mean - mean).square()) / variance - 1.0)


def _crps(camps: Camps, ratings: Tensor) -> Tensor:
    """E|X - y| - 1/2 E|X - X'|, with X and X' drawn apart from the camps: items x ratings."""
    to_rating = _expected_distance(ratings.unsqueeze(-1) - camps.means.unsqueeze(-2), camps.sigmas.unsqueeze(-2))
    away = (camps.weights.unsqueeze(-2) * to_rating).sum(dim=-1)
    apart = camps.means.unsqueeze(-1) - camps.means.unsqueeze(-2)
    both = (camps.sigmas.unsqueeze(-1).square() + camps.sigmas.unsqueeze(-2).square()).sqrt()
    pairs = camps.weights.unsqueeze(-1) * camps.weights.unsqueeze(-2) * _expected_distance(apart, both)
    crps: Tensor = away - 0.5 * pairs.sum(dim=(-2, -1)).unsqueeze(-1)
    return crps


def _expected_distance(mean: Tensor, sigma: Tensor) -> Tensor:
    """E|Z| of a Gaussian Z with this mean and sigma."""
    import torch

    standard = mean / sigma
    density = (-0.5 * standard.square() - HALF_LOG_TWO_PI).exp()
    expected: Tensor = 2.0 * sigma * density + mean * (2.0 * torch.special.ndtr(standard) - 1.0)
    return expected
