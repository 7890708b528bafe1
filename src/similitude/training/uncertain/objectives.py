"""What is minimised when opinions are learned: how surprised the model is at people, or how far off it is.

All in shares of the scale, natural log. Torch is imported when a loss is computed, and not before.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from similitude.errors import ArgumentError, UnknownNameError
from similitude.systems.uncertain.architecture import HUMAN_FLOOR, Architecture, ObjectiveName
from similitude.systems.uncertain.heads import Camps, camps_of, log_shares, moments_of
from similitude.training.uncertain.opinions import MEAN, RATINGS, SIGMA, WEIGHT

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["OBJECTIVES", "OpinionObjective", "check_objective"]

OBJECTIVES: tuple[ObjectiveName, ...] = get_args(ObjectiveName)

BETA = 0.5
"""The power of the variance by which ``beta-nll`` weighs an item, after Seitzer et al. (2022)."""

_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)


def check_objective(name: str, architecture: Architecture) -> ObjectiveName:
    """The objective of that name, if the head can be trained by it.

    Raises:
        UnknownNameError: there is none.
        ArgumentError: a point has no spread to learn, or mse would leave the spread unlearned.
    """
    known = next((choice for choice in OBJECTIVES if choice == name), None)
    if known is None:
        raise UnknownNameError("objective", name, OBJECTIVES)
    if known == "mse" and architecture.has_spread:
        raise ArgumentError(
            f"objective mse learns no spread, which a {architecture.head} head is there for",
            remedy="take --head point, or another objective: nll, kl, crps",
        )
    if known != "mse" and not architecture.has_spread:
        raise ArgumentError(f"a point head has no spread for objective {known} to learn", remedy="--objective mse")
    return known


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionObjective:
    """A mean over items, each with its weight.

    - ``mse``: (mean - gold)^2.
    - ``nll``: mean over the item's ratings of -ln p(rating). For a Gaussian it is KL(people || model) plus the entropy
      of people's Gaussian, which no weight can change. Under a histogram a rating between two points counts for both,
      in proportion to how near they are, and p is a probability rather than a density.
    - ``kl``: KL of the people's Gaussian from the model's, both known by mean and sigma: what the measure ``kl``
      averages. People who agree are taken to have `HUMAN_FLOOR` of the scale as their sigma.
    - ``crps``: mean over the item's ratings of the continuous ranked probability score, in closed form (Grimit et al.,
      2006, for mixtures).
    - ``beta-nll``: ``nll``, each item times the model's own sigma (Seitzer et al., 2022, beta 0.5), so that items on
      which it expects disagreement are not neglected.

    Attributes:
        name: which.
        architecture: tells what the outputs mean.
    """

    name: ObjectiveName
    architecture: Architecture

    def __call__(self, outputs: Tensor, gold: Tensor) -> Tensor:
        """The loss of a batch; ``gold`` as in `similitude.training.uncertain.opinions`."""
        return (gold[:, WEIGHT] * self.losses(outputs, gold)).mean()

    def losses(self, outputs: Tensor, gold: Tensor) -> Tensor:
        """One loss an item, unweighted."""
        camps = camps_of(self.architecture, outputs)
        mean, variance = moments_of(camps)
        if self.name == "mse":
            squared: Tensor = (mean - gold[:, MEAN]).square()
            return squared
        if self.name == "kl":
            return _divergence(mean, variance, gold[:, MEAN], gold[:, SIGMA])
        if self.name == "crps":
            return _mean_over_ratings(_crps(camps, _ratings(gold)), gold)
        surprise = self._surprise(outputs, camps, _ratings(gold))
        losses = _mean_over_ratings(surprise, gold)
        return losses * variance.detach() ** BETA if self.name == "beta-nll" else losses

    def _surprise(self, outputs: Tensor, camps: Camps, ratings: Tensor) -> Tensor:
        """-ln p of each rating: items x ratings."""
        if self.architecture.head == "histogram":
            return _between_points(log_shares(outputs), ratings)
        distance = (ratings.unsqueeze(-1) - camps.means.unsqueeze(-2)) / camps.sigmas.unsqueeze(-2)
        each = camps.weights.log() - camps.sigmas.log() - _HALF_LOG_TWO_PI
        surprise: Tensor = -(each.unsqueeze(-2) - 0.5 * distance.square()).logsumexp(dim=-1)
        return surprise


def _ratings(gold: Tensor) -> Tensor:
    """The ratings, with 0 in the places left over."""
    return gold[:, RATINGS:].nan_to_num(0.0)


def _mean_over_ratings(losses: Tensor, gold: Tensor) -> Tensor:
    is_given = (~gold[:, RATINGS:].isnan()).to(losses.dtype)
    mean: Tensor = (losses * is_given).sum(dim=-1) / is_given.sum(dim=-1)
    return mean


def _divergence(mean: Tensor, variance: Tensor, human_mean: Tensor, human_sigma: Tensor) -> Tensor:
    human = human_sigma.clamp(min=HUMAN_FLOOR).square()
    return 0.5 * ((variance / human).log() + (human + (human_mean - mean).square()) / variance - 1.0)


def _between_points(logs: Tensor, ratings: Tensor) -> Tensor:
    """-ln of the probability at the two points around each rating, mixed by how near they are."""
    last = logs.shape[-1] - 1
    place = ratings.clamp(0.0, 1.0) * last
    below = place.floor().clamp(max=last - 1)
    upper = place - below
    where = below.long()
    surprise: Tensor = -((1.0 - upper) * logs.gather(-1, where) + upper * logs.gather(-1, where + 1))
    return surprise


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
    density = (-0.5 * standard.square() - _HALF_LOG_TWO_PI).exp()
    expected: Tensor = 2.0 * sigma * density + mean * (2.0 * torch.special.ndtr(standard) - 1.0)
    return expected
