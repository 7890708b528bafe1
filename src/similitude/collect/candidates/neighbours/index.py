"""The index: vectors in the order of their cells, in a folder that any worker can map into memory."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.array_file import mapped_array, save_array
from similitude.collect.candidates.neighbours.cells import Cells
from similitude.collect.candidates.neighbours.restrictions import Restrictions
from similitude.data.writing.atomic import draft_beside

__all__ = ["NeighbourIndex", "open_index", "write_index"]

WORK = 100_000_000
"""About how many cosines one piece takes."""

COPIED = 65_536


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourIndex:
    """Vectors by cell; positions count in the order of ``cells.rows``.

    Attributes:
        cells: which row lies where, and who visits which cell.
        vectors: one unit vector for each position.
        apart: numbers that must differ between two texts of a pair; one row for each restriction.
        floors: for each position the cosine that a neighbour must reach, since as many as are wanted reach it in the
            cells closest by. Empty until `floor_pieces` were computed.
    """

    cells: Cells
    vectors: NDArray[np.float32]
    apart: NDArray[np.int64]
    floors: NDArray[np.float32]

    def allow(self, left: NDArray[np.integer], right: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether the texts at two positions may be paired; they are of the same part."""
        allowed: NDArray[np.bool_] = left != right
        for numbers in self.apart:
            allowed &= numbers[left] != numbers[right]
        return allowed

    def pieces(self) -> list[range]:
        """Ranges of cells with about the same work each; they depend on the cells alone."""
        done = np.cumsum(self.cells.comparisons())
        if not len(done):
            return []
        count = int(-(-done[-1] // WORK)) or 1
        borders = np.searchsorted(done, done[-1] * np.arange(1, count) / count)
        edges = np.unique([0, *borders.tolist(), len(done)])
        return [range(low, high) for low, high in pairwise(edges.tolist())]


def write_index(folder: Path, cells: Cells, vectors: NDArray[np.float32], restrictions: Restrictions) -> None:
    """Write an index without floors.

    Args:
        folder: exists; files of an earlier index there are replaced.
        cells: of rows of ``vectors``.
        vectors: unit vectors, perhaps mapped from a file.
        restrictions: which rows may be paired.
    """
    for field in fields(cells):
        save_array(folder / f"{field.name}.npy", getattr(cells, field.name))
    apart = np.empty((len(restrictions.apart), len(cells.rows)), np.int64)
    for numbers, of_rows in zip(apart, restrictions.apart, strict=True):
        numbers[:] = of_rows[cells.rows]
    save_array(folder / "apart.npy", apart)
    with draft_beside(folder / "vectors.npy") as draft:
        _save_rows(draft, vectors, cells.rows)
        # Nobody waits until it is on disk: a search that goes on after a power failure writes its index anew.
        draft.replace(folder / "vectors.npy")


def _save_rows(draft: Path, vectors: NDArray[np.float32], rows: NDArray[np.int64]) -> None:
    """Rows of an array as a .npy file, without holding them all in memory."""
    with draft.open("wb") as file:
        shape = {"descr": "<f4", "fortran_order": False, "shape": (len(rows), vectors.shape[1])}
        np.lib.format.write_array_header_1_0(file, shape)
        for start in range(0, len(rows), COPIED):
            np.ascontiguousarray(vectors[rows[start : start + COPIED]], "<f4").tofile(file)


def open_index(folder: Path) -> NeighbourIndex:
    """An index; its arrays are mapped into memory."""
    cells = Cells(*(mapped_array(folder / f"{field.name}.npy") for field in fields(Cells)))
    floors = folder / "floors.npy"
    return NeighbourIndex(
        cells,
        mapped_array(folder / "vectors.npy"),
        mapped_array(folder / "apart.npy"),
        mapped_array(floors) if floors.exists() else np.empty(0, np.float32),
    )
