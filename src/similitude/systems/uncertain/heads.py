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

from typing import Any, NamedTuple

import numpy as np

from similitude.systems.uncertain.architecture import Architecture

__all__ = ["Camps", "Moments", "camps_of", "log_shares", "moments_of", "points_of"]

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


def camps_of(architecture: Architecture, outputs: Array) -> Camps:
    """What the outputs of a head mean.

    Args:
        architecture: which head.
        outputs: ... x numbers, as the head gives them.

    >>> camps_of(Architecture(head="gaussian", floor=0.01), np.array([[0.0, 2.0]])).sigmas.round(4)
    array([[0.7031]])
    """
    library = _library(outputs)
    if architecture.head == "histogram":
        points = library.broadcast_to(points_of(architecture, outputs), outputs.shape)
        return Camps(library.exp(log_shares(outputs)), points, library.full_like(outputs, architecture.floor))
    if architecture.head == "mixture":
        shares, means, sigmas = (outputs[..., part::3] for part in range(3))
        means = means + _evenly(outputs, -_MEANS_APART, _MEANS_APART, architecture.components)
        return Camps(library.exp(log_shares(shares)), _sigmoid(means), _sigma(architecture, sigmas))
    means = _sigmoid(outputs[..., :1])
    sigmas = library.zeros_like(means) if architecture.head == "point" else _sigma(architecture, outputs[..., 1:])
    return Camps(library.ones_like(means), means, sigmas)


def moments_of(camps: Camps) -> Moments:
    """Mean and variance over all camps: the mean of their variances, and the variance of their means.

    >>> two = Camps(np.array([0.5, 0.5]), np.array([0.2, 0.6]), np.array([0.1, 0.1]))
    >>> [float(value.round(4)) for value in moments_of(two)]  # 0.01 + 0.04
    [0.4, 0.05]
    """
    mean = (camps.weights * camps.means).sum(-1)
    apart = camps.means - mean[..., None]
    return Moments(mean, (camps.weights * (camps.sigmas * camps.sigmas + apart * apart)).sum(-1))


def points_of(architecture: Architecture, like: Array) -> Array:
    """Where the points of a histogram lie, from 0 to 1, as an array of the same kind and on the same device."""
    return _evenly(like, 0.0, 1.0, architecture.bins)


def log_shares(outputs: Array) -> Array:
    """Natural logs of shares that add up to 1 along the last axis (log-softmax)."""
    library = _library(outputs)
    ahead = outputs - library.amax(outputs, axis=-1, keepdims=True)
    return ahead - library.log(library.exp(ahead).sum(axis=-1, keepdims=True))


def _sigma(architecture: Architecture, outputs: Array) -> Array:
    library, shifted = _library(outputs), outputs + _SIGMA_START
    return architecture.floor + library.logaddexp(shifted, library.zeros_like(shifted))


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
