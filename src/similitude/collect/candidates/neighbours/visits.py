"""Visits: which cells a row is compared with, and how many are needed for the recall that is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.neighbours.directed_pairs import Pairs
from similitude.collect.candidates.neighbours.index import save_array

__all__ = ["Visits", "nearest_centroids", "needed_visits"]

BLOCK = 4_096


def nearest_centroids(vectors: NDArray[np.float32], centroids: NDArray[np.float32], count: int) -> NDArray[np.int32]:
    """The ``count`` nearest centroids of each vector, the nearest first, the rest in no order."""
    nearest = np.empty((len(vectors), count), np.int32)
    for start in range(0, len(vectors), BLOCK):
        cosines = vectors[start : start + BLOCK] @ centroids.T
        chosen = nearest[start : start + BLOCK]
        chosen[:] = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
        best = np.take_along_axis(cosines, chosen, axis=1).argmax(axis=1)[:, None]
        first = np.take_along_axis(chosen, best, axis=1)
        np.put_along_axis(chosen, best, chosen[:, :1], axis=1)
        chosen[:, :1] = first
    return nearest


def needed_visits(vectors: NDArray[np.float32], centroids: NDArray[np.float32], exact: Pairs, recall: float) -> int:
    """To how many nearest centroids each row must go, so that enough of the exact pairs meet.

    The two rows of a pair meet if one of them visits the cell of the other.

    Args:
        vectors: unit vectors.
        centroids: of the cells.
        exact: nearest neighbours of a sample of rows.
        recall: the share of these pairs that is to be found.
    """
    texts, place = np.unique(exact["text"], return_inverse=True)
    others, other_place = np.unique(exact["other"], return_inverse=True)
    near_texts, near_others = vectors[texts] @ centroids.T, vectors[others] @ centroids.T
    there = _ranks(near_texts, place, near_others.argmax(axis=1)[other_place])
    back = _ranks(near_others, other_place, near_texts.argmax(axis=1)[place])
    ranks = np.sort(np.minimum(there, back))
    return int(ranks[min(len(ranks) - 1, int(np.ceil(recall * len(ranks))) - 1)]) + 1


def _ranks(cosines: NDArray[np.float32], rows: NDArray[np.intp], cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """How many centroids are nearer to each row than the one of the cell."""
    ranks = np.empty(len(rows), np.intp)
    for start in range(0, len(rows), BLOCK):
        part, cell = rows[start : start + BLOCK], cells[start : start + BLOCK]
        ranks[start : start + BLOCK] = (cosines[part] > cosines[part, cell][:, None]).sum(axis=1)
    return ranks


@dataclass(frozen=True, slots=True)
class Visits:
    """The task of one piece: the visits of a range of rows, written to a file.

    Attributes:
        vectors: a .npy file.
        folder: where ``rows.npy``, ``centroids.npy`` and the results lie.
        count: how many centroids each row visits.
    """

    vectors: Path
    folder: Path
    count: int

    def __call__(self, piece: range) -> None:
        """Write the visits of the rows at these places of ``rows.npy``."""
        rows = np.load(self.folder / "rows.npy", mmap_mode="r")[piece.start : piece.stop]
        vectors = np.load(self.vectors, mmap_mode="r")
        centroids = np.load(self.folder / "centroids.npy")
        chosen = np.empty((len(rows), self.count), np.int32)
        for start in range(0, len(rows), BLOCK):
            block = slice(start, start + BLOCK)
            chosen[block] = nearest_centroids(vectors[rows[block]], centroids, self.count)
        save_array(self.path(piece), chosen)

    def path(self, piece: range) -> Path:
        """The file of a piece."""
        return self.folder / f"visits-{piece.start}.npy"
