"""Feature blocks, standardised or reduced by what was learned from other items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.stats.principal_components import principal_components, rows_times
from similitude.systems.encoders.pair_features import PairVectors, as_wide

__all__ = ["COMPONENTS", "PairComponents", "Standardiser"]

Array = NDArray[np.float64]

COMPONENTS = 48
"""Principal components kept of |u - v|, and as many of u * v."""

_PARTS = ("difference", "product")

_CONSTANT = 1e-12
"""A feature whose variance is a smaller share of its mean square is constant up to rounding."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Standardiser:
    """Standardises features one by one.

    Attributes:
        centres: the means of the features.
        factors: the inverse standard deviations; 0 for a constant feature.
    """

    centres: Array
    factors: Array

    @classmethod
    def fit(cls, values: NDArray[np.floating[Any]]) -> Self:
        """Fit to these rows; non-finite values are ignored."""
        known = np.isfinite(values)
        numbers = np.where(known, values, 0.0).astype(np.float64)
        counts = np.maximum(known.sum(axis=0), 1)
        centres = numbers.sum(axis=0) / counts
        variances = np.where(known, (numbers - centres) ** 2, 0.0).sum(axis=0) / counts
        changes = variances > _CONSTANT * (numbers**2).sum(axis=0) / counts
        factors = np.divide(1.0, np.sqrt(variances), out=np.zeros(len(centres)), where=changes)
        return cls(centres=centres, factors=factors)

    @property
    def width(self) -> int:
        """The number of features."""
        return len(self.centres)

    def apply(self, values: NDArray[np.floating[Any]]) -> Array:
        """Standardise rows; non-finite values become the mean."""
        numbers = np.where(np.isfinite(values), values, self.centres)
        return np.asarray((numbers - self.centres) * self.factors)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned arrays by name."""
        return {"centres": self.centres, "factors": self.factors}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], width: int) -> Self:
        """Rebuild from `arrays`.

        Raises:
            KeyError: an array is missing.
            ValueError: they have another width.
        """
        rebuilt = cls(centres=arrays["centres"], factors=arrays["factors"])
        _check(rebuilt.centres.shape == rebuilt.factors.shape == (width,), rebuilt.centres, rebuilt.factors)
        return rebuilt


@dataclass(frozen=True, eq=False, kw_only=True)
class PairComponents:
    """The first principal components of |u - v| and of u * v, where u and v are the unit vectors of two texts.

    In each of the two, the largest component has variance 1, and the others keep their relative size.

    Attributes:
        centres: 2 x width of a vector.
        scales: 2 x width of a vector x components.
    """

    centres: Array
    scales: Array

    @classmethod
    def fit(cls, vectors: PairVectors) -> Self:
        """Fit to these pairs."""
        parts = _parts(vectors)
        centres = [part.mean(axis=0) for part in parts]
        scales = [_scale(part - centre) for part, centre in zip(parts, centres, strict=True)]
        return cls(centres=np.stack(centres), scales=np.stack(scales))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features."""
        return tuple(f"{part} {place}" for part in _PARTS for place in range(1, self.scales.shape[2] + 1))

    def apply(self, vectors: PairVectors) -> Array:
        """One row per pair.

        Raises:
            ArgumentError: the vectors have another width than in training.
        """
        width = self.centres.shape[1]
        wide = PairVectors(*(as_wide(side, width) for side in vectors))
        if wide.left.shape[1] != width:
            raise ArgumentError(
                f"the encoder's vectors have {wide.left.shape[1]:,} dimensions, not {width:,} as in training",
                remedy="use the model of the training, or train again",
            )
        parts = zip(_parts(wide), self.centres, self.scales, strict=True)
        return np.concatenate([rows_times(part - centre, scale) for part, centre, scale in parts], axis=1)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned arrays by name."""
        return {"component_centres": self.centres, "component_scales": self.scales}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild from `arrays`.

        Raises:
            KeyError: an array is missing.
            ValueError: they do not fit together.
        """
        rebuilt = cls(centres=arrays["component_centres"], scales=arrays["component_scales"])
        fits = (
            rebuilt.scales.ndim == 3 and rebuilt.scales.shape[:2] == rebuilt.centres.shape and len(rebuilt.centres) == 2
        )
        _check(fits, rebuilt.centres, rebuilt.scales)
        return rebuilt


def _parts(vectors: PairVectors) -> tuple[Array, Array]:
    u, v = (_unit(side) for side in vectors)
    return np.abs(u - v), u * v


def _unit(vectors: NDArray[np.float32]) -> Array:
    wide = np.asarray(vectors, np.float64)
    norms = np.sqrt(np.einsum("ij,ij->i", wide, wide))[:, None]
    return np.asarray(np.divide(wide, norms, out=np.zeros_like(wide), where=norms > 0))


def _scale(centred: Array) -> Array:
    """Principal directions divided by the first standard deviation; zeros for constant directions."""
    directions, variances = principal_components(centred, min(COMPONENTS, centred.shape[1]))
    # The vectors have length 1, so a smaller variance is rounding.
    if variances[0] < _CONSTANT:
        return np.zeros_like(directions)
    return np.asarray(np.where(variances > _CONSTANT * variances[0], directions / np.sqrt(variances[0]), 0.0))


def _check(fits: bool, *arrays: NDArray[Any]) -> None:
    if not fits or any(array.dtype != np.float64 or not np.isfinite(array).all() for array in arrays):
        raise ValueError("the arrays have an unexpected shape or type")
