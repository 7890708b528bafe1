"""The feature rows of a Gaussian process, from the two vectors of each pair.

A row consists of blocks, each with a length scale of its own in the kernel.

``symmetric``, the default
    u + v, |u - v|, u * v and the cosine of u and v, which do not depend on the order of the texts. Each wide block is
    reduced to its principal components, since in hundreds of dimensions all pairs are about equally far apart.
``paper``
    u, v, |u - v|, u * v, with every feature standardised, as in USTS (Wang et al., 2023, section 5.1). Order matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.stats.principal_components import principal_components, rows_times

__all__ = ["BLOCKS", "FeatureKind", "PairFeatures", "fit_features"]

Array = NDArray[np.float64]
FeatureKind = Literal["symmetric", "paper"]

BLOCKS: Mapping[FeatureKind, tuple[str, ...]] = {
    "symmetric": ("sum", "difference", "product", "cosine"),
    "paper": ("left", "right", "difference", "product"),
}
"""The blocks of each kind, in order."""

_CONSTANT = 1e-12
"""A feature with a smaller share of the largest variance is constant up to rounding."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PairFeatures:
    """Maps two vectors to a row of features.

    Attributes:
        kind: the kind of blocks.
        centres: the means of each block, which are subtracted first.
        scales: the factors of each block: one per feature, or a matrix whose columns are principal components.
    """

    kind: FeatureKind
    centres: tuple[Array, ...]
    scales: tuple[Array, ...]

    @property
    def widths(self) -> tuple[int, ...]:
        """The width of each block in a row."""
        return tuple(scale.shape[-1] for scale in self.scales)

    @property
    def vector_width(self) -> int:
        """The width of a text's vector."""
        return len(self.centres[0])

    def apply(self, left: NDArray[np.float32], right: NDArray[np.float32]) -> Array:
        """One row per pair.

        Raises:
            ArgumentError: the vectors have another width than in training.
        """
        if left.shape[1] != self.vector_width:
            raise ArgumentError(
                f"the encoder's vectors have {left.shape[1]:,} dimensions, not {self.vector_width:,} as in training",
                remedy="use the encoder that the process was trained with",
            )
        blocks = zip(_blocks(left, right, self.kind), self.centres, self.scales, strict=True)
        rows = [_scaled(block - centre, scale) for block, centre, scale in blocks]
        return np.concatenate(rows, axis=1)

    def arrays(self) -> dict[str, Array]:
        """The learned arrays by name."""
        names = BLOCKS[self.kind]
        parts = (("centre", self.centres), ("scale", self.scales))
        return {f"{part}_{name}": value for part, values in parts for name, value in zip(names, values, strict=True)}

    @classmethod
    def from_arrays(cls, kind: FeatureKind, arrays: Mapping[str, Array]) -> PairFeatures:
        """Rebuild from `arrays`."""
        centres, scales = (tuple(arrays[f"{part}_{name}"] for name in BLOCKS[kind]) for part in ("centre", "scale"))
        return cls(kind=kind, centres=centres, scales=scales)


def fit_features(
    left: NDArray[np.float32],
    right: NDArray[np.float32],
    *,
    kind: FeatureKind = "symmetric",
    components: int = 64,
) -> PairFeatures:
    """Fit means, scales and principal components to these pairs.

    A reduced block is scaled as a whole, so that its total variance is 1 before components are dropped; in any other
    block, each feature has variance 1 / width. Either way, two random pairs have a squared distance of up to 2 in each
    block. Constant features are ignored.

    Args:
        left: the vectors of the left texts.
        right: the vectors of the right texts.
        kind: the kind of blocks.
        components: components kept of each wider block; 0 to keep all features.

    >>> rng = np.random.default_rng(0)
    >>> made = fit_features(*rng.normal(size=(2, 50, 8)), components=3)
    >>> made.widths
    (3, 3, 3, 1)
    """
    blocks = _blocks(left, right, kind)
    centres = [block.mean(axis=0) for block in blocks]
    scales = [_scale(block - centre, components) for block, centre in zip(blocks, centres, strict=True)]
    return PairFeatures(kind=kind, centres=tuple(centres), scales=tuple(scales))


def _blocks(left: NDArray[np.float32], right: NDArray[np.float32], kind: FeatureKind) -> Sequence[Array]:
    u, v = np.asarray(left, np.float64), np.asarray(right, np.float64)
    made = {"left": u, "right": v, "sum": u + v, "difference": np.abs(u - v), "product": u * v}
    if "cosine" in BLOCKS[kind]:
        norms = np.sqrt(np.einsum("ij,ij->i", u, u) * np.einsum("ij,ij->i", v, v))
        dots = np.einsum("ij,ij->i", u, v)
        made["cosine"] = np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0)[:, None]
    return [made[name] for name in BLOCKS[kind]]


def _scale(centred: Array, components: int) -> Array:
    variances = np.mean(centred**2, axis=0)
    width = len(variances)
    if not components or width <= components:
        changes = variances > _CONSTANT * variances.max()
        return np.asarray(np.divide(1.0, np.sqrt(width * variances), out=np.zeros(width), where=changes))
    directions = principal_components(centred, components).directions
    total = np.sqrt(variances.sum())
    return np.asarray(directions / total if total > 0 else np.zeros_like(directions))


def _scaled(centred: Array, scale: Array) -> Array:
    return centred * scale if scale.ndim == 1 else rows_times(centred, scale)
