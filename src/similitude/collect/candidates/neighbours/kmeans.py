"""Spherical k-means: unit vectors in cells around unit centroids."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.array_file import mapped_array, save_array
from similitude.collect.candidates.neighbours.pieces import Progress, RunsPieces, ranges, results_of

__all__ = ["kmeans_centroids"]

ROUNDS = 5
PIECE = 8_192
BLOCK = 4_096


class _Sums(NamedTuple):
    """Cells that some vectors lie in, and the sum of the vectors in each."""

    cells: NDArray[np.intp]
    sums: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _SumTask:
    """The task of one piece: the cells of some vectors of a file, summed.

    Attributes:
        folder: where ``training.npy``, the vectors, and ``centroids.npy`` lie.
    """

    folder: Path

    def __call__(self, piece: range) -> _Sums:
        vectors = mapped_array(self.folder / "training.npy")[piece.start : piece.stop]
        centroids = np.load(self.folder / "centroids.npy")
        blocks = [vectors[start : start + BLOCK] for start in range(0, len(vectors), BLOCK)]
        nearest = np.concatenate([(block @ centroids.T).argmax(axis=1) for block in blocks])
        order = np.argsort(nearest, kind="stable")
        cells, starts = np.unique(nearest[order], return_index=True)
        return _Sums(cells, np.add.reduceat(vectors[order], starts, axis=0))


def kmeans_centroids(
    vectors: NDArray[np.float32],
    count: int,
    rng: np.random.Generator,
    folder: Path,
    engine: RunsPieces,
    progress: Progress,
) -> NDArray[np.float32]:
    """Centroids of unit vectors, of unit length; they also lie in ``centroids.npy``.

    It starts from distinct rows drawn at random and stops after a few rounds: the cells of an index need not be the
    best ones. A centroid that no vector is nearest to stays where it is.

    Args:
        vectors: one per row, at least ``count``.
        count: how many centroids.
        rng: draws the start.
        folder: for files that the workers read.
        engine: runs the pieces.
        progress: is told about them.
    """
    centroids = vectors[np.sort(rng.choice(len(vectors), count, replace=False))]
    save_array(folder / "training.npy", vectors)
    save_array(folder / "centroids.npy", centroids)
    for number in range(1, ROUNDS + 1):
        stage = f"cells, round {number} of {ROUNDS}"
        parts = results_of(engine, _SumTask(folder), ranges(len(vectors), PIECE), stage, progress)
        centroids = _moved(centroids, parts)
        save_array(folder / "centroids.npy", centroids)
    return centroids


def _moved(centroids: NDArray[np.float32], parts: list[_Sums]) -> NDArray[np.float32]:
    """Each centroid in the direction of the sum of its vectors."""
    sums = np.zeros_like(centroids)
    for part in parts:
        sums[part.cells] += part.sums
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.where(lengths > 0, sums / np.maximum(lengths, 1e-12), centroids).astype(np.float32)
