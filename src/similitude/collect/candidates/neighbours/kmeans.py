"""Spherical k-means: unit vectors in cells around unit centroids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["kmeans_centroids"]

ROUNDS = 6
BLOCK = 4_096


def kmeans_centroids(vectors: NDArray[np.float32], count: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Centroids of unit vectors, of unit length.

    It starts from distinct rows drawn at random and stops after a few rounds: the cells of an index need not be the
    best ones. A centroid that no vector is nearest to stays where it is.

    Args:
        vectors: one per row, at least ``count``.
        count: how many centroids.
        rng: draws the start.
    """
    drawn = np.sort(rng.choice(len(vectors), count, replace=False))
    centroids = vectors[drawn].copy()
    for _ in range(ROUNDS):
        nearest = _nearest(vectors, centroids)
        order = np.argsort(nearest, kind="stable")
        filled, starts = np.unique(nearest[order], return_index=True)
        sums = np.add.reduceat(vectors[order], starts, axis=0)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centroids[filled] = np.where(lengths > 0, sums / np.maximum(lengths, 1e-12), centroids[filled])
    return centroids


def _nearest(vectors: NDArray[np.float32], centroids: NDArray[np.float32]) -> NDArray[np.intp]:
    blocks = range(0, len(vectors), BLOCK)
    return np.concatenate([(vectors[start : start + BLOCK] @ centroids.T).argmax(axis=1) for start in blocks])
