"""One Gaussian mixture over rows of numbers, fitted by EM from random starts."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.gaussian import HALF_LOG_TWO_PI

__all__ = ["Covariance", "VectorMixture", "fit_vector_mixture"]

Array = NDArray[np.float64]
Covariance = Literal["full", "diagonal"]

LEAST_ROWS = 1e-9
"""A component that holds less than this of all rows is empty and keeps its place."""


class VectorMixture(NamedTuple):
    """A mixture of Gaussians in several dimensions.

    Attributes:
        weights: components.
        means: components x dimensions.
        covariances: components x dimensions x dimensions.
        log_likelihood: of the rows that it was fitted to, natural log.
        has_converged: whether a further round would have gained less than the tolerance.
    """

    weights: Array
    means: Array
    covariances: Array
    log_likelihood: float = float("nan")
    has_converged: bool = False

    def log_joint(self, rows: Array) -> Array:
        """Natural log of weight x density: rows x components."""
        factors = np.linalg.cholesky(self.covariances)
        away = rows[None] - self.means[:, None]
        scaled = np.linalg.solve(factors, away.transpose(0, 2, 1))
        log_roots = np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)
        heights = np.log(self.weights) - log_roots - rows.shape[1] * HALF_LOG_TWO_PI
        return np.asarray((heights[:, None] - 0.5 * (scaled**2).sum(axis=1)).T)

    def log_density(self, rows: Array) -> Array:
        """Natural log of the density of each row."""
        return np.asarray(np.logaddexp.reduce(self.log_joint(rows), axis=1))

    def responsibilities(self, rows: Array) -> Array:
        """The share of each component in each row: rows x components, every row sums to 1."""
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
    """The mixture under which the rows are most likely, the best of several random starts.

    EM finds the nearest hill, so another start can give another mixture.

    Args:
        rows: rows x dimensions.
        components: how many Gaussians.
        rng: draws the starts: rows far from each other as first means (k-means++).
        covariance: "full", or "diagonal" where dimensions are taken as independent within a component.
        floor: the least standard deviation in any direction.
        starts: how many.
        tolerance: a climb ends when one round gains less than this in mean log-likelihood a row.
        most_rounds: or after this many rounds.
    """
    climbs = (
        _climb(rows, _first_shares(rows, components, rng), covariance, floor, tolerance, most_rounds)
        for _ in range(starts)
    )
    return max(climbs, key=lambda mixture: mixture.log_likelihood)


def _first_shares(rows: Array, components: int, rng: np.random.Generator, rounds: int = 10) -> Array:
    """Each row to the nearest of the means that k-means finds in a few rounds: rows x components, 0 or 1."""
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
    return mixture._replace(log_likelihood=reached)


def _mixture_of_shares(rows: Array, shares: Array, covariance: Covariance, floor: float) -> VectorMixture:
    """The M step: weights, means and covariances of rows that belong to components by shares."""
    held = np.maximum(shares.sum(axis=0), LEAST_ROWS * len(rows))
    means = shares.T @ rows / held[:, None]
    away = rows[None] - means[:, None]
    spread = np.einsum("rk,krd,kre->kde", shares, away, away, optimize=True) / held[:, None, None]
    if covariance == "diagonal":
        spread = spread * np.eye(rows.shape[1])
    # Eigenvalues under the floor are raised to it: the likeliest covariance that is nowhere narrower.
    values, vectors = np.linalg.eigh(spread)
    covariances = (vectors * np.maximum(values, floor**2)[:, None]) @ vectors.transpose(0, 2, 1)
    return VectorMixture(held / held.sum(), means, covariances)
