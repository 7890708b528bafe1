"""How an index is made: which rows are searched exactly, cells for the others, and how many cells a row visits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.array_file import mapped_array, save_array
from similitude.collect.candidates.neighbours.cells import Cells, clustered_cells, exact_cells, joined_cells
from similitude.collect.candidates.neighbours.directed_pairs import Pairs, joined
from similitude.collect.candidates.neighbours.exact_lists import exact_pairs
from similitude.collect.candidates.neighbours.index import write_index
from similitude.collect.candidates.neighbours.kmeans import kmeans_centroids
from similitude.collect.candidates.neighbours.pieces import Progress, RunsPieces, one_thread, ranges, results_of
from similitude.collect.candidates.neighbours.restrictions import Restrictions
from similitude.collect.candidates.neighbours.settings import SearchSettings
from similitude.collect.candidates.neighbours.visits import Visits, needed_visits

__all__ = ["BuiltIndex", "build_index"]

FEWEST = 2_000
"""Parts with fewer rows get no cells, even if an approximate search is wanted."""

HELD_OUT = 3
"""One text in so many of the sample does not help to build the index, but says what recall it has."""

TRAINED = 20
CENTROIDS = 3.0
PIECE = 16_384
SAMPLE_PIECE = 512


@dataclass(frozen=True, slots=True, eq=False)
class BuiltIndex:
    """What is known of an index besides its files.

    Attributes:
        sample: exact nearest neighbours of a sample of rows that did not help to build it; empty if all is exact.
        visits: to how many cells each row goes, for each part that has cells.
        cells: how many cells those parts have.
        approximate: how many rows lie in such cells; the others are searched exactly.
    """

    sample: Pairs
    visits: tuple[int, ...]
    cells: int
    approximate: int


def build_index(
    vectors: Path,
    folder: Path,
    restrictions: Restrictions,
    settings: SearchSettings,
    engine: RunsPieces,
    progress: Progress,
) -> BuiltIndex:
    """Write an index for the neighbours of all rows.

    Args:
        vectors: a .npy file of unit vectors.
        folder: where the index is written; it exists.
        restrictions: which rows may be paired.
        settings: of the search.
        engine: runs the pieces.
        progress: is told about them.
    """
    rows = np.flatnonzero(restrictions.is_usable)
    rows = rows[np.argsort(restrictions.parts[rows], kind="stable")]
    _, firsts, counts = np.unique(restrictions.parts[rows], return_index=True, return_counts=True)
    is_large = counts > max(settings.exact_rows(FEWEST, len(rows)), settings.k + 1)
    small = rows[np.repeat(~is_large, counts)]
    large = [rows[first : first + count] for first, count in zip(firsts[is_large], counts[is_large], strict=True)]
    built = [_clustered_part(vectors, folder, part, restrictions, settings, engine, progress) for part in large]
    cells = joined_cells([exact_cells(small, restrictions.parts[small]), *(part.cells for part in built)])
    write_index(folder, cells, mapped_array(vectors), restrictions)
    return BuiltIndex(
        joined(part.sample for part in built),
        tuple(part.visits for part in built),
        sum(len(part.cells) for part in built),
        sum(len(part.cells.rows) for part in built),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Cells of some rows, exact neighbours of a few, and to how many cells each goes."""

    cells: Cells
    sample: Pairs
    visits: int


def _clustered_part(
    vectors: Path,
    folder: Path,
    rows: NDArray[np.int64],
    restrictions: Restrictions,
    settings: SearchSettings,
    engine: RunsPieces,
    progress: Progress,
) -> _Part:
    """Cells around centroids; as many are visited as two thirds of the sample need, one third is held out."""
    folder = folder / f"part-{rows[0]}"
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng([settings.seed, int(rows[0])])
    sample = rng.choice(rows, min(len(rows), settings.sample), replace=False)
    save_array(folder / "rows.npy", np.sort(rows))
    save_array(folder / "sample.npy", sample)
    search = _SampleSearch(vectors, folder, settings.k, restrictions)
    exact = joined(results_of(engine, search, ranges(len(sample), SAMPLE_PIECE), "exact sample", progress))
    is_held_out = np.isin(exact["text"], sample[: -(-len(sample) // HELD_OUT)])
    unit = mapped_array(vectors)
    count = int(CENTROIDS * np.sqrt(len(rows)))
    drawn = np.sort(rng.choice(rows, min(len(rows), TRAINED * count), replace=False))
    centroids = kmeans_centroids(unit[drawn], count, rng, folder, engine, progress)
    with one_thread():
        visits = needed_visits(unit, centroids, exact[~is_held_out], settings.recall)
    visited = _visited(Visits(vectors, folder, visits), len(rows), engine, progress)
    return _Part(clustered_cells(np.sort(rows), visited, len(centroids)), exact[is_held_out], visits)


@dataclass(frozen=True, slots=True)
class _SampleSearch:
    """The task of one piece: exact neighbours of some of the sample."""

    vectors: Path
    folder: Path
    k: int
    restrictions: Restrictions

    def __call__(self, piece: range) -> Pairs:
        sample = np.load(self.folder / "sample.npy")[piece.start : piece.stop]
        rows = np.load(self.folder / "rows.npy")
        return exact_pairs(mapped_array(self.vectors), sample, self.k, self.restrictions, rows)


def _visited(task: Visits, count: int, engine: RunsPieces, progress: Progress) -> NDArray[np.int32]:
    """The cells that each row visits."""
    pieces = ranges(count, PIECE)
    results_of(engine, task, [piece for piece in pieces if not task.path(piece).exists()], "cells", progress)
    return np.concatenate([np.load(task.path(piece)) for piece in pieces])
