"""Multinomial logistic regression on one feature, for many problems at once.

The objective is that of scikit-learn's LogisticRegression: the sum of log losses plus half the sum of squared slopes
divided by ``strength``; intercepts are not penalised. Newton's method solves all problems at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.errors import EstimationError
from similitude.stats.arrays import Array

__all__ = ["Logistic", "fit_logistic"]

Classes = NDArray[np.intp]

STEPS = 100
TOLERANCE = 1e-6
GAUGE = 1e-6
"""A small penalty on intercepts, which could otherwise all shift by the same amount."""


class Logistic(NamedTuple):
    """Fitted models of the standardised values.

    Attributes:
        slopes: problems x classes.
        intercepts: problems x classes.
        centre: the mean of the values of each problem.
        spread: the standard deviation of the values of each problem.
    """

    slopes: Array
    intercepts: Array
    centre: Array
    spread: Array

    def apply(self, values: Array) -> Classes:
        """The most likely class of each value, problems x values."""
        standard = (values - self.centre[:, None]) / self.spread[:, None]
        scores = standard[..., None] * self.slopes[:, None] + self.intercepts[:, None]
        return np.asarray(scores.argmax(axis=-1))


def fit_logistic(
    values: Array, classes: Classes, known: NDArray[np.bool_] | None = None, strength: float = 1.0
) -> Logistic:
    """Fit one model for each problem.

    Args:
        values: problems x members.
        classes: problems x members, numbered from 0.
        known: problems x members, true for members to learn from; all by default.
        strength: the inverse of the penalty on slopes.

    Raises:
        EstimationError: the fit does not converge.

    >>> fit_logistic(np.array([[0.0, 1, 5, 6]]), np.array([[0, 0, 1, 1]])).apply(np.array([[0.5, 5.5]]))
    array([[0, 1]])
    """
    weights = np.ones(values.shape) if known is None else known.astype(np.float64)
    total = weights.sum(axis=1)
    centre = (weights * values).sum(axis=1) / total
    spread = np.sqrt((weights * (values - centre[:, None]) ** 2).sum(axis=1) / total)
    spread = np.where(spread > 0, spread, 1.0)
    standard = (values - centre[:, None]) / spread[:, None]
    design = np.stack([standard, np.ones_like(standard)], axis=-1)
    found = _newton(design, np.eye(int(classes.max()) + 1)[classes], weights, strength)
    return Logistic(found[..., 0], found[..., 1], centre, spread)


def _newton(design: Array, targets: Array, weights: Array, strength: float) -> Array:
    """Slopes and intercepts by Newton's method: problems x classes x 2."""
    problems, _, classes = targets.shape
    held = np.array([1 / strength, GAUGE])
    found = np.zeros((problems, classes, 2))
    loss, chances = _loss(found, design, targets, weights, held)
    for _ in range(STEPS):
        gradient = np.einsum("pm,pmk,pmd->pkd", weights, chances - targets, design) + held * found
        if np.abs(gradient).max() < TOLERANCE:
            return found
        step = np.linalg.solve(_curvature(design, chances, weights, held), gradient.reshape(problems, -1, 1))
        found, loss, chances = _descend(found, step.reshape(found.shape), loss, (design, targets, weights, held))
    raise EstimationError(
        f"logistic regression did not converge in {STEPS} steps (largest gradient {np.abs(gradient).max():.1e})",
        remedy="check the scores for extreme values",
    )


def _loss(found: Array, design: Array, targets: Array, weights: Array, held: Array) -> tuple[Array, Array]:
    """The objective of each problem, and the probabilities of the classes."""
    scores = np.einsum("pmd,pkd->pmk", design, found)
    scores = scores - scores.max(axis=-1, keepdims=True)
    log_total = np.log(np.exp(scores).sum(axis=-1, keepdims=True))
    lost = -(weights[..., None] * targets * (scores - log_total)).sum(axis=(1, 2))
    return lost + 0.5 * (held * found**2).sum(axis=(1, 2)), np.exp(scores - log_total)


def _curvature(design: Array, chances: Array, weights: Array, held: Array) -> Array:
    problems, _, classes = chances.shape
    outer = np.einsum("pmk,kl->pmkl", chances, np.eye(classes)) - chances[..., None] * chances[..., None, :]
    whole = np.einsum("pm,pmkl,pmd,pme->pkdle", weights, outer, design, design, optimize=True)
    flat = whole.reshape(problems, 2 * classes, 2 * classes)
    return np.asarray(flat + np.diag(np.tile(held, classes)))


def _descend(
    found: Array, step: Array, loss: Array, data: tuple[Array, Array, Array, Array]
) -> tuple[Array, Array, Array]:
    """A full Newton step, halved in problems where it would increase the loss."""
    size = np.ones(len(found))
    for _ in range(30):
        tried = found - size[:, None, None] * step
        after, chances = _loss(tried, *data)
        uphill = after > loss + 1e-10 * np.abs(loss)
        if not uphill.any():
            break
        size = np.where(uphill, size / 2, size)
    return tried, after, chances
