"""Similarity of paired vectors: cosine, dot product, and negated Euclidean and Manhattan distance.

All sums are computed in double precision, and in blocks to bound memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["SIMILARITIES", "Similarity", "paired_cosines", "paired_similarities"]

Similarity = Literal["cosine", "dot", "euclidean", "manhattan"]
Floats = NDArray[np.float64]

_BLOCK_PAIRS = 4096


def paired_similarities(
    vectors: NDArray[np.float32], left: NDArray[np.intp], right: NDArray[np.intp], similarity: Similarity
) -> Floats:
    """Similarity of the vectors at each pair of indices.

    >>> paired_similarities(np.array([[3, 4], [0, 0]], np.float32), np.array([0]), np.array([1]), "euclidean")
    array([-5.])
    """
    compare = SIMILARITIES[similarity]
    blocks = [slice(start, start + _BLOCK_PAIRS) for start in range(0, len(left), _BLOCK_PAIRS)]
    parts = [
        compare(vectors[left[block]].astype(np.float64), vectors[right[block]].astype(np.float64)) for block in blocks
    ]
    return np.concatenate([np.empty(0), *parts])


def paired_cosines(vectors: NDArray[np.float32], left: NDArray[np.intp], right: NDArray[np.intp]) -> Floats:
    """Cosine of the vectors at each pair of indices; 0 if one of them is zero.

    >>> paired_cosines(np.array([[3, 4], [4, 3]], np.float32), np.array([0, 0]), np.array([0, 1]))
    array([1.  , 0.96])
    """
    return paired_similarities(vectors, left, right, "cosine")


def _cosines(left: Floats, right: Floats) -> Floats:
    dots = _dots(left, right)
    # The root of the product, not the product of roots: for equal vectors it equals their dot product exactly.
    norms = np.sqrt(_dots(left, left) * _dots(right, right))
    return np.clip(np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0), -1.0, 1.0)


def _dots(left: Floats, right: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", left, right))


def _euclidean(left: Floats, right: Floats) -> Floats:
    return np.asarray(-np.sqrt(np.sum((left - right) ** 2, axis=1)))


def _manhattan(left: Floats, right: Floats) -> Floats:
    return np.asarray(-np.sum(np.abs(left - right), axis=1))


SIMILARITIES: Mapping[Similarity, Callable[[Floats, Floats], Floats]] = {
    "cosine": _cosines,
    "dot": _dots,
    "euclidean": _euclidean,
    "manhattan": _manhattan,
}
"""Every similarity under its name in sentence-transformers; the two distances are negated, as there."""
