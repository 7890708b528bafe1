"""Cells: rows in an order in which those with near vectors lie together, and who visits which cell.

A row is compared with the rows of its own cell, with those of the cells that it visits, and with those that visit its
cell. Small sets of rows are searched exactly: they are cut into cells as they come, and all rows behind a cell visit
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cells", "clustered_cells", "exact_cells", "joined_cells"]

EXACT_CELL = 512
CROWD = 8
VISITED_CHUNKS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Rows sorted into cells.

    Attributes:
        rows: the rows, cell by cell; a position is a place in this array.
        starts: the first position of each cell, and the end of the last.
        ends: for a cell that is searched exactly, the position up to which all behind it visit it; else 0.
        visitor_starts: the first visitor of each cell, and the end of the last.
        visitors: the positions of rows that visit each cell, ascending.
    """

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    visitor_starts: NDArray[np.int64]
    visitors: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def comparisons(self) -> NDArray[np.int64]:
        """How many cosines each cell takes."""
        sizes = np.diff(self.starts)
        behind = np.maximum(self.ends - self.starts[1:], 0)
        comparisons: NDArray[np.int64] = sizes * (sizes + behind + np.diff(self.visitor_starts))
        return comparisons


def exact_cells(rows: NDArray[np.int64], parts: NDArray[np.int64]) -> Cells:
    """Cells of rows that are compared with all others of their part.

    Args:
        rows: sorted by part.
        parts: the part of each.
    """
    _, firsts, counts = np.unique(parts, return_index=True, return_counts=True)
    chunks = -(-counts // EXACT_CELL)
    number = np.arange(chunks.sum()) - np.repeat(np.cumsum(chunks) - chunks, chunks)
    starts = np.append(np.repeat(firsts, chunks) + number * EXACT_CELL, len(rows)).astype(np.int64)
    ends = np.repeat(firsts + counts, chunks).astype(np.int64)
    return Cells(rows, starts, ends, np.zeros(len(starts), np.int64), np.empty(0, np.int32))


def clustered_cells(rows: NDArray[np.int64], visits: NDArray[np.int32], count: int) -> Cells:
    """Cells around centroids.

    A crowded cell (of many equal vectors, for example) is cut into chunks; others visit only the first few of them.

    Args:
        rows: in any order.
        visits: for each row, the centroids that it visits: its own first.
        count: how many centroids there are.
    """
    own = visits[:, 0]
    order = np.argsort(own, kind="stable")
    sizes = np.bincount(own, minlength=count)
    largest = CROWD * max(1, len(rows) // count)
    chunks = np.maximum(1, -(-sizes // largest))
    centroid = np.repeat(np.arange(count), chunks)
    number = np.arange(len(centroid)) - np.repeat(np.cumsum(chunks) - chunks, chunks)
    firsts = np.cumsum(sizes) - sizes
    starts = np.append(firsts[centroid] + number * largest, len(rows)).astype(np.int64)
    by_centroid = _transposed(visits[order], count)
    return Cells(
        rows[order], starts, np.zeros(len(centroid), np.int64), *_visitors(by_centroid, centroid, number, starts)
    )


def _transposed(visits: NDArray[np.int32], count: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The positions that visit each centroid, ascending: where each list starts, and all lists."""
    from scipy.sparse import csr_array

    marks = np.ones(visits.size, np.int8)
    places = np.arange(0, visits.size + 1, visits.shape[1], dtype=np.int64)
    turned = csr_array((marks, visits.ravel(), places), shape=(len(visits), count)).tocsc()
    turned.sort_indices()
    return turned.indptr.astype(np.int64), turned.indices.astype(np.int32)


def _visitors(
    by_centroid: tuple[NDArray[np.int64], NDArray[np.int32]],
    centroid: NDArray[np.int64],
    number: NDArray[np.int64],
    starts: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The visitors of each cell: those of its centroid that are not its own members; none beyond the first chunks."""
    firsts, positions = by_centroid
    lists = []
    for cell, (of, chunk) in enumerate(zip(centroid, number, strict=True)):
        listed = positions[firsts[of] : firsts[of + 1]] if chunk < VISITED_CHUNKS else positions[:0]
        low, high = np.searchsorted(listed, (starts[cell], starts[cell + 1]))
        lists.append(np.concatenate([listed[:low], listed[high:]]))
    lengths = np.fromiter(map(len, lists), np.int64, len(lists))
    return np.append(0, np.cumsum(lengths)), np.concatenate([positions[:0], *lists])


def joined_cells(parts: Sequence[Cells]) -> Cells:
    """Cells of several sets of rows as one."""
    shifts = np.cumsum([0, *(len(part.rows) for part in parts)])[:-1]
    visits = np.cumsum([0, *(len(part.visitors) for part in parts)])[:-1]
    none = np.empty(0, np.int64)
    return Cells(
        np.concatenate([none, *(part.rows for part in parts)]),
        np.append(
            np.concatenate([none, *(part.starts[:-1] + shift for part, shift in zip(parts, shifts, strict=True))]),
            sum(len(part.rows) for part in parts),
        ),
        np.concatenate(
            [none, *(np.where(part.ends > 0, part.ends + s, 0) for part, s in zip(parts, shifts, strict=True))]
        ),
        np.append(
            np.concatenate([none, *(part.visitor_starts[:-1] + v for part, v in zip(parts, visits, strict=True))]),
            sum(len(part.visitors) for part in parts),
        ),
        np.concatenate(
            [
                np.empty(0, np.int32),
                *((part.visitors + s).astype(np.int32) for part, s in zip(parts, shifts, strict=True)),
            ]
        ),
    )
