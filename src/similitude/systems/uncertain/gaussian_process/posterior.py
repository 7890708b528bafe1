"""The posterior of a trained Gaussian process as plain arrays: prediction in numpy, without torch or gpytorch.

With inducing points Z, kernel matrix K of Z and its Cholesky factor L, what was learned is a Gaussian over L^-1 f(Z),
with mean a and covariance R^T R. For a new row x, with k its covariances with Z and w = L^-1 k,

    mean of f(x) = a . w        variance of f(x) = k(x, x) - |w|^2 + |R w|^2

Both training methods, collapsed and minibatched, end in this form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.principal_components import ROWS_AT_A_TIME
from similitude.systems.uncertain.gaussian_process.kernel import (
    KernelForm,
    covariance,
    has_linear_part,
    own_covariance,
)

__all__ = ["Posterior", "PosteriorMoments", "blocks_of", "products_of", "squared_distances"]

Array = NDArray[np.float64]

_ARRAYS = ("parameters", "inducing", "whitening", "mean", "root")


class PosteriorMoments(NamedTuple):
    """Mean and variance of the function at each row.

    Attributes:
        means: on the scale of the targets.
        variances: without noise.
    """

    means: Array
    variances: Array


@dataclass(frozen=True, eq=False, kw_only=True)
class Posterior:
    """The learned posterior.

    Attributes:
        form: the kernel.
        widths: the widths of the blocks of a row.
        parameters: the log-parameters of the kernel.
        noise: the noise variance of the targets, on their own scale.
        inducing: points x features.
        whitening: L^-1, points x points.
        mean: a, one value per point.
        root: R, points x points.
        centre: the mean of the targets.
        spread: the standard deviation of the targets; internally they are (target - centre) / spread.
    """

    form: KernelForm
    widths: tuple[int, ...]
    parameters: Array
    noise: float
    inducing: Array
    whitening: Array
    mean: Array
    root: Array
    centre: float
    spread: float

    def predict(self, rows: Array) -> PosteriorMoments:
        """Mean and variance of the function at each row, on the scale of the targets.

        No row depends on the other rows, not even in its last bits.
        """
        filled = np.concatenate([rows, np.zeros((-len(rows) % ROWS_AT_A_TIME, rows.shape[1]))])
        blocks = [
            self._block(filled[start : start + ROWS_AT_A_TIME]) for start in range(0, len(filled), ROWS_AT_A_TIME)
        ]
        means, variances = np.concatenate([np.zeros((2, 0)), *blocks], axis=1)[:, : len(rows)]
        return PosteriorMoments(self.centre + self.spread * means, self.spread**2 * variances)

    def _block(self, rows: Array) -> Array:
        parts, points = blocks_of(rows, self.widths), blocks_of(self.inducing, self.widths)
        distances = [squared_distances(part, point) for part, point in zip(parts, points, strict=True)]
        products = products_of(parts, points) if has_linear_part(self.form) else []
        with_points = covariance(np, self.form, self.parameters, distances, products)
        own = own_covariance(np, self.form, self.parameters, [np.einsum("ij,ij->i", part, part) for part in parts])
        whitened = with_points @ self.whitening.T
        rooted = whitened @ self.root.T
        variances = own - np.einsum("ij,ij->i", whitened, whitened) + np.einsum("ij,ij->i", rooted, rooted)
        return np.stack([whitened @ self.mean, np.maximum(variances, 0.0)])

    def arrays(self) -> dict[str, Array]:
        """The learned arrays by name."""
        return {name: getattr(self, name) for name in _ARRAYS}

    def record(self) -> dict[str, Any]:
        """Everything but the arrays, ready for JSON."""
        return {
            "kernel": self.form,
            "widths": list(self.widths),
            "noise": self.noise,
            "centre": self.centre,
            "spread": self.spread,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], arrays: Mapping[str, Array]) -> Posterior:
        """Rebuild from `record` and `arrays`."""
        return cls(
            form=record["kernel"],
            widths=tuple(record["widths"]),
            noise=record["noise"],
            centre=record["centre"],
            spread=record["spread"],
            **{name: arrays[name] for name in _ARRAYS},
        )


def blocks_of(rows: Array, widths: tuple[int, ...]) -> list[Array]:
    """Split rows into blocks."""
    return np.split(rows, np.cumsum(widths)[:-1], axis=1)


def squared_distances(rows: Array, points: Array) -> Array:
    """Squared distances, rows x points; never negative.

    >>> squared_distances(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[25.,  0.]])
    """
    lengths = np.einsum("ij,ij->i", rows, rows)[:, None] + np.einsum("ij,ij->i", points, points)
    return np.asarray(np.maximum(lengths - 2.0 * (rows @ points.T), 0.0))


def products_of(parts: list[Array], points: list[Array]) -> list[Array]:
    """Dot products in each block, rows x points."""
    return [part @ point.T for part, point in zip(parts, points, strict=True)]
