"""From what a head puts out to what it says of people's opinions: camps, their means and their spread.

Every head says the same kind of thing: opinions fall into *camps*, each with a weight, a mean and a sigma, all in
shares of the scale (0 is its low end, 1 its high end).

- ``point``: one camp with sigma 0;
- ``gaussian``: one camp;
- ``mixture``: k camps;
- ``histogram``: a camp at each of b fixed points, with the least sigma that there is.

Means are sigmoids, so they stay on the scale. A sigma is the architecture's floor + softplus(output - 2): about an
eighth of the scale before anything is learned, and never under the floor.

Each function works on numpy arrays (scoring) and on torch tensors (training) alike: what both libraries call the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np

from similitude.registry import subclass_registry

__all__ = [
    "HALF_LOG_TWO_PI",
    "HEADS",
    "Camps",
    "Encoding",
    "Head",
    "Moments",
    "Shape",
    "camps_of",
    "log_shares",
    "make_head",
    "moments_of",
    "points_of",
]

Encoding = Literal["joint", "cross", "bi"]

HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)

Array = Any
"""A numpy array or a torch tensor."""

_SIGMA_START = -2.0
_MEANS_APART = 1.5
"""Components of a mixture start this far from the middle, in logits: equal ones would learn the same."""


class Camps(NamedTuple):
    """Opinions in shares of the scale; all three ... x camps.

    Attributes:
        weights: the share of people in each; they add up to 1.
        means: of each.
        sigmas: within each.
    """

    weights: Array
    means: Array
    sigmas: Array


class Moments(NamedTuple):
    """Mean and variance of all opinions, in shares of the scale."""

    mean: Array
    variance: Array


class Shape(Protocol):
    """What a head is told of the architecture that it is in."""

    @property
    def head(self) -> str:
        """Which head, as a user writes it."""

    @property
    def components(self) -> int:
        """Of a mixture."""

    @property
    def bins(self) -> int:
        """Points of a histogram."""

    @property
    def floor(self) -> float:
        """The least sigma that can be predicted, as a share of the scale."""


@dataclass(frozen=True)
class Head:
    """What the last layer of a model of opinions says.

    A subclass is a frozen dataclass whose fields are its arguments, written as in ``--head "mine(k=4)"``; it sets
    ``name`` and ``meaning``, and writes ``outputs`` and ``camps``.

    Attributes:
        name: as registered.
        meaning: what it predicts, for listings and model cards; may hold ``{components}`` and the like.
        has_spread: whether one forward pass says how far people would differ.
        objective: what it is trained by where the user does not say.
        encoding: how pairs are read where the user does not say: joint, cross or bi. A point reads them as BERT-lr
            does; a distribution in every way at once, which on USTS was better than cross alone by every figure
            (docs/usts.md).
    """

    name: ClassVar[str]
    meaning: ClassVar[str]
    has_spread: ClassVar[bool] = True
    objective: ClassVar[str] = "nll"
    encoding: ClassVar[Encoding] = "joint"

    def outputs(self, shape: Shape) -> int:
        """How many numbers the head puts out for an item."""
        raise NotImplementedError

    def camps(self, shape: Shape, outputs: Array) -> Camps:
        """What ... x numbers mean; numpy arrays and torch tensors alike."""
        raise NotImplementedError

    def faults(self, shape: Shape) -> Iterator[tuple[str, str]]:
        """The fields of the architecture that this head cannot work with, each with what would be valid."""
        return iter(())

    def surprise(self, outputs: Array, camps: Camps, ratings: Array) -> Array:
        """-ln p of each rating, as torch tensors: items x ratings. By default the density of the camps as Gaussians."""
        distance = (ratings.unsqueeze(-1) - camps.means.unsqueeze(-2)) / camps.sigmas.unsqueeze(-2)
        each = camps.weights.log() - camps.sigmas.log() - HALF_LOG_TWO_PI
        return -(each.unsqueeze(-2) - 0.5 * distance.square()).logsumexp(dim=-1)


HEADS = subclass_registry(
    "head",
    "similitude.heads",
    Head,
    needed={"meaning": "what it predicts, for listings and model cards"},
    methods={
        "outputs": "which gives how many numbers the head puts out",
        "camps": "which gives the camps that those numbers mean",
    },
)
"""Every head by name; other packages join by entry points."""


@cache
def make_head(written: str) -> Head:
    """The head that ``written`` names.

    >>> make_head("gaussian").objective
    'nll'
    """
    return HEADS.make(written)


@HEADS.register("point")
@dataclass(frozen=True)
class Point(Head):
    """One camp with sigma 0 (BERT-lr)."""

    name: ClassVar[str] = "point"
    meaning: ClassVar[str] = (
        "one number, the mean of people's opinions; how far they differ only with several passes or members"
    )
    has_spread: ClassVar[bool] = False
    objective: ClassVar[str] = "mse"
    encoding: ClassVar[Encoding] = "cross"

    def outputs(self, shape: Shape) -> int:
        """The mean."""
        return 1

    def camps(self, shape: Shape, outputs: Array) -> Camps:
        """Everybody at the mean."""
        library, means = _library(outputs), _sigmoid(outputs[..., :1])
        return Camps(library.ones_like(means), means, library.zeros_like(means))


@HEADS.register("gaussian")
@dataclass(frozen=True)
class Gaussian(Head):
    """One camp."""

    name: ClassVar[str] = "gaussian"
    meaning: ClassVar[str] = "mean and standard deviation of people's opinions"

    def outputs(self, shape: Shape) -> int:
        """Mean and sigma."""
        return 2

    def camps(self, shape: Shape, outputs: Array) -> Camps:
        """One camp."""
        means = _sigmoid(outputs[..., :1])
        return Camps(_library(outputs).ones_like(means), means, _sigma(shape, outputs[..., 1:]))


@HEADS.register("mixture")
@dataclass(frozen=True)
class Mixture(Head):
    """Several camps, each with a share, a mean and a sigma."""

    name: ClassVar[str] = "mixture"
    meaning: ClassVar[str] = (
        "camps of opinions (a mixture of {components} Gaussians), and their mean and standard deviation"
    )

    def outputs(self, shape: Shape) -> int:
        """Share, mean and sigma of each camp."""
        return 3 * shape.components

    def camps(self, shape: Shape, outputs: Array) -> Camps:
        """Outputs come camp by camp; camps start apart."""
        shares, means, sigmas = (outputs[..., part::3] for part in range(3))
        means = means + _evenly(outputs, -_MEANS_APART, _MEANS_APART, shape.components)
        return Camps(_library(outputs).exp(log_shares(shares)), _sigmoid(means), _sigma(shape, sigmas))

    def faults(self, shape: Shape) -> Iterator[tuple[str, str]]:
        """One camp is a Gaussian."""
        if shape.components < 2:
            yield "components", "2 or more"


@HEADS.register("histogram")
@dataclass(frozen=True)
class Histogram(Head):
    """A camp at each of several fixed points, with the least sigma that there is."""

    name: ClassVar[str] = "histogram"
    meaning: ClassVar[str] = (
        "the shares of opinions at {bins} points of the scale, and their mean and standard deviation"
    )

    def outputs(self, shape: Shape) -> int:
        """The share of each point."""
        return shape.bins

    def camps(self, shape: Shape, outputs: Array) -> Camps:
        """One camp a point."""
        library = _library(outputs)
        points = library.broadcast_to(points_of(shape, outputs), outputs.shape)
        return Camps(library.exp(log_shares(outputs)), points, library.full_like(outputs, shape.floor))

    def faults(self, shape: Shape) -> Iterator[tuple[str, str]]:
        """One point is no scale."""
        if shape.bins < 2:
            yield "bins", "2 or more"

    def surprise(self, outputs: Array, camps: Camps, ratings: Array) -> Array:
        """-ln of the probability at the two points around each rating, mixed by how near they are."""
        logs = log_shares(outputs)
        last = logs.shape[-1] - 1
        place = ratings.clamp(0.0, 1.0) * last
        below = place.floor().clamp(max=last - 1)
        upper = place - below
        where = below.long()
        return -((1.0 - upper) * logs.gather(-1, where) + upper * logs.gather(-1, where + 1))


def camps_of(shape: Shape, outputs: Array) -> Camps:
    """What the outputs of a head mean.

    Args:
        shape: the architecture, which says which head.
        outputs: ... x numbers, as the head gives them.
    """
    return make_head(shape.head).camps(shape, outputs)


def moments_of(camps: Camps) -> Moments:
    """Mean and variance over all camps: the mean of their variances, and the variance of their means.

    >>> two = Camps(np.array([0.5, 0.5]), np.array([0.2, 0.6]), np.array([0.1, 0.1]))
    >>> [float(value.round(4)) for value in moments_of(two)]  # 0.01 + 0.04
    [0.4, 0.05]
    """
    mean = (camps.weights * camps.means).sum(-1)
    apart = camps.means - mean[..., None]
    return Moments(mean, (camps.weights * (camps.sigmas * camps.sigmas + apart * apart)).sum(-1))


def points_of(shape: Shape, like: Array) -> Array:
    """Where the points of a histogram lie, from 0 to 1, as an array of the same kind and on the same device."""
    return _evenly(like, 0.0, 1.0, shape.bins)


def log_shares(outputs: Array) -> Array:
    """Natural logs of shares that add up to 1 along the last axis (log-softmax)."""
    library = _library(outputs)
    ahead = outputs - library.amax(outputs, axis=-1, keepdims=True)
    return ahead - library.log(library.exp(ahead).sum(axis=-1, keepdims=True))


def _sigma(shape: Shape, outputs: Array) -> Array:
    library, shifted = _library(outputs), outputs + _SIGMA_START
    return shape.floor + library.logaddexp(shifted, library.zeros_like(shifted))


def _sigmoid(outputs: Array) -> Array:
    """1 / (1 + exp(-x)), written so that nothing overflows."""
    return 0.5 + 0.5 * _library(outputs).tanh(0.5 * outputs)


def _evenly(like: Array, low: float, high: float, number: int) -> Array:
    if isinstance(like, np.ndarray):
        return np.linspace(low, high, number, dtype=like.dtype)
    return _library(like).linspace(low, high, number, dtype=like.dtype, device=like.device)


def _library(array: Array) -> Any:
    if isinstance(array, np.ndarray):
        return np
    import torch

    return torch
