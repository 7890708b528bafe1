"""Gaussian mixture in several dimensions, fitted by EM from random starts."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.gaussian import HALF_LOG_TWO_PI

__all__ = ["Covariance", "VectorMixture", "fit_vector_mixture"]

Covariance = Literal["full", "diagonal"]

LEAST_ROWS = 1e-9
"""The least share of rows of a component, below which it counts as empty."""


class VectorMixture(NamedTuple):
    """A mixture of Gaussians in several dimensions.

    Attributes:
        weights: the weight of each component.
        means: components x dimensions.
        covariances: components x dimensions x dimensions.
        log_likelihood: the natural log of the likelihood of the fitted rows.
        has_converged: whether the last round gained less than the tolerance.
    """

    weights: Array
    means: Array
    covariances: Array
    log_likelihood: float = float("nan")
    has_converged: bool = False

    def log_joint(self, rows: Array) -> Array:
        """The natural log of weight x density: rows x components."""
        factors = np.linalg.cholesky(self.covariances)
        away = rows[None] - self.means[:, None]
        scaled = np.linalg.solve(factors, away.transpose(0, 2, 1))
        log_roots = np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)
        heights = np.log(self.weights) - log_roots - rows.shape[1] * HALF_LOG_TWO_PI
        return np.asarray((heights[:, None] - 0.5 * (scaled**2).sum(axis=1)).T)

    def log_density(self, rows: Array) -> Array:
        """The natural log of the density of each row."""
        return np.asarray(np.logaddexp.reduce(self.log_joint(rows), axis=1))

    def responsibilities(self, rows: Array) -> Array:
        """The posterior probability of each component: rows x components; every row sums to 1."""
        joint = self.log_joint(rows)
        return np.asarray(np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None]))


def fit_vector_mixture(
    rows: Array,
    components: int,
    rng: np.random.Generator,
    *,
    covariance: Covariance = "full",
    floor: float = 1e-3,
    starts: int = 1,
    tolerance: float = 1e-6,
    most_rounds: int = 500,
) -> VectorMixture:
    """Fit a mixture by maximum likelihood, and keep the best of several random starts.

    EM finds a local maximum, so another start can give another mixture.

    Args:
        rows: rows x dimensions.
        components: the number of Gaussians.
        rng: source of randomness for the starts, which are those of k-means++.
        covariance: "full", or "diagonal" for dimensions that are independent within a component.
        floor: the least standard deviation in any direction.
        starts: the number of starts.
        tolerance: EM stops when a round gains less than this in mean log-likelihood per row.
        most_rounds: the most rounds of EM.
    """
    climbs = (
        _climb(rows, _first_shares(rows, components, rng), covariance, floor, tolerance, most_rounds)
        for _ in range(starts)
    )
    return max(climbs, key=lambda mixture: mixture.log_likelihood)


def _first_shares(rows: Array, components: int, rng: np.random.Generator, rounds: int = 10) -> Array:
    """The assignment of rows to clusters by a few rounds of k-means: rows x components, 0 or 1."""
    means = rows[[rng.integers(len(rows))]]
    while len(means) < components:
        nearest = _squared_distances(rows, means).min(axis=1)
        chances = nearest / nearest.sum() if nearest.sum() > 0 else None
        means = np.vstack([means, rows[rng.choice(len(rows), p=chances)]])
    for _ in range(rounds):
        shares = np.eye(components)[_squared_distances(rows, means).argmin(axis=1)]
        held = shares.sum(axis=0)[:, None]
        means = np.where(held > 0, shares.T @ rows / np.maximum(held, 1.0), means)
    return np.asarray(np.eye(components)[_squared_distances(rows, means).argmin(axis=1)])


def _squared_distances(rows: Array, means: Array) -> Array:
    return np.asarray(((rows[:, None] - means[None]) ** 2).sum(axis=2))


def _climb(
    rows: Array, shares: Array, covariance: Covariance, floor: float, tolerance: float, most_rounds: int
) -> VectorMixture:
    reached, mixture = -np.inf, _mixture_of_shares(rows, shares, covariance, floor)
    for _ in range(most_rounds):
        joint = mixture.log_joint(rows)
        density = np.logaddexp.reduce(joint, axis=1)
        likelihood = float(density.sum())
        if likelihood - reached < tolerance * len(rows):
            return mixture._replace(log_likelihood=likelihood, has_converged=True)
        reached = likelihood
        mixture = _mixture_of_shares(rows, np.exp(joint - density[:, None]), covariance, floor)
    return mixture._replace(log_likelihood=float(mixture.log_density(rows).sum()))


def _mixture_of_shares(rows: Array, shares: Array, covariance: Covariance, floor: float) -> VectorMixture:
    """The M step: weights, means and covariances, given the shares of components in rows."""
    held = np.maximum(shares.sum(axis=0), LEAST_ROWS * len(rows))
    means = shares.T @ rows / held[:, None]
    away = rows[None] - means[:, None]
    spread = np.einsum("rk,krd,kre->kde", shares, away, away, optimize=True) / held[:, None, None]
    if covariance == "diagonal":
        spread = spread * np.eye(rows.shape[1])
    # Eigenvalues below the floor are raised to it, which gives the most likely covariance above the floor.
    values, vectors = np.linalg.eigh(spread)
    covariances = (vectors * np.maximum(values, floor**2)[:, None]) @ vectors.transpose(0, 2, 1)
    return VectorMixture(held / held.sum(), means, covariances)
