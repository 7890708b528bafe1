"""Visits: which cells a row is compared with, and how many are needed for the recall that is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.array_file import mapped_array, save_array
from similitude.collect.candidates.neighbours.directed_pairs import Pairs, ranks_of

__all__ = ["Visits", "nearest_centroids", "needed_visits"]

BLOCK = 4_096


def nearest_centroids(vectors: NDArray[np.float32], centroids: NDArray[np.float32], count: int) -> NDArray[np.int32]:
    """The ``count`` nearest centroids of each vector: the nearest first, the others in ascending order."""
    cosines = vectors @ centroids.T
    nearest = cosines.argmax(axis=1).astype(np.int32)
    cosines[np.arange(len(vectors)), nearest] = np.inf
    last = np.partition(cosines, len(centroids) - count, axis=1)[:, len(centroids) - count, None]
    row, column = np.nonzero(cosines >= last)
    is_other = column != nearest[row]
    row, column = row[is_other], column[is_other]
    is_kept = ranks_of(row) < count - 1  # More than wanted are as near if centroids are equal.
    others = column[is_kept].reshape(len(vectors), count - 1)
    return np.column_stack([nearest, others]).astype(np.int32)


def needed_visits(vectors: NDArray[np.float32], centroids: NDArray[np.float32], exact: Pairs, recall: float) -> int:
    """To how many nearest centroids each row must go, so that enough of the exact pairs meet.

    The two rows of a pair meet if one of them visits the cell of the other.

    Args:
        vectors: unit vectors.
        centroids: of the cells.
        exact: nearest neighbours of a sample of rows.
        recall: the share of these pairs that is to be found, and some more: one standard error.
    """
    texts, place = np.unique(exact["text"], return_inverse=True)
    others, other_place = np.unique(exact["other"], return_inverse=True)
    near_texts, near_others = vectors[texts] @ centroids.T, vectors[others] @ centroids.T
    there = _ranks(near_texts, place, near_others.argmax(axis=1)[other_place])
    back = _ranks(near_others, other_place, near_texts.argmax(axis=1)[place])
    return _enough(np.minimum(there, back), place, recall)


def _enough(ranks: NDArray[np.intp], texts: NDArray[np.intp], recall: float) -> int:
    """The fewest visits at which the share of pairs that meet, less its standard error over texts, reaches the recall.

    Args:
        ranks: how many visits each pair needs, less one.
        texts: the text of each pair, numbered from 0.
        recall: the share that is wanted.
    """
    pairs = np.bincount(texts)
    for visits in np.unique(ranks) + 1:
        shares = np.bincount(texts, ranks < visits) / pairs
        error = shares.std() / np.sqrt(len(shares))
        if np.average(shares, weights=pairs) - error >= recall:
            break
    return int(visits)


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
        rows = mapped_array(self.folder / "rows.npy")[piece.start : piece.stop]
        vectors = mapped_array(self.vectors)
        centroids = np.load(self.folder / "centroids.npy")
        chosen = np.empty((len(rows), self.count), np.int32)
        for start in range(0, len(rows), BLOCK):
            block = slice(start, start + BLOCK)
            chosen[block] = nearest_centroids(vectors[rows[block]], centroids, self.count)
        save_array(self.path(piece), chosen)

    def path(self, piece: range) -> Path:
        """The file of a piece."""
        return self.folder / f"visits-{piece.start}.npy"
