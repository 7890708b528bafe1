"""The search for neighbours of all texts: an index, floors, near pairs by cells, and the nearest of each text."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.array_file import mapped_array, save_array
from similitude.collect.candidates.neighbours.cell_pairs import cell_floors, cell_pairs
from similitude.collect.candidates.neighbours.device_search import device_pairs
from similitude.collect.candidates.neighbours.directed_pairs import Pairs, best_pairs, joined, ranks_of
from similitude.collect.candidates.neighbours.exact_lists import exact_pairs
from similitude.collect.candidates.neighbours.index import NeighbourIndex, open_index
from similitude.collect.candidates.neighbours.index_build import BuiltIndex, build_index
from similitude.collect.candidates.neighbours.neighbour_lists import NeighbourLists, listed, search_notes, write_lists
from similitude.collect.candidates.neighbours.pieces import OneAfterAnother, Progress, RunsPieces, ranges, results_of
from similitude.collect.candidates.neighbours.recall import pair_recall
from similitude.collect.candidates.neighbours.restrictions import Restrictions
from similitude.collect.candidates.neighbours.settings import SearchSettings
from similitude.collect.candidates.neighbours.unit_vectors import check_unit_vectors, pair_cosines

__all__ = ["find_neighbours"]

SPARE = 3
"""So many more than k pairs of each text are kept until their cosines are computed pair by pair."""

WORK = "work"
LISTED = 16_384
FEW = 512
MISSED = 0.03


def find_neighbours(
    vectors: Path,
    folder: Path,
    restrictions: Restrictions,
    settings: SearchSettings,
    *,
    engine: RunsPieces | None = None,
    progress: Progress = lambda stage, done, total: None,
) -> NeighbourLists:
    """The nearest neighbours of each text by cosine.

    The result depends on the vectors, the restrictions and the settings, not on the engine. Pieces whose files are in
    the folder are not computed again, so a search that was killed goes on; the folder must belong to this search alone.

    Args:
        vectors: a .npy file with one unit vector for each text.
        folder: for files of the search; it exists, and workers of the engine see it.
        restrictions: which texts may be paired.
        settings: how many neighbours, and how they are searched.
        engine: runs the pieces; by default one after another.
        progress: is told about them.
    """
    check_unit_vectors(vectors, len(restrictions))
    wanted, settings = settings.k, replace(settings, k=restrictions.most_partners(settings.k))
    if settings.device not in (None, "cpu"):
        lists = _device_lists(vectors, restrictions, settings)
    else:
        lists = _cell_lists(vectors, folder, restrictions, settings, engine or OneAfterAnother(), progress)
    lists = replace(lists, notes=(*search_notes(lists.others, restrictions, wanted), *lists.notes))
    write_lists(folder, lists)
    shutil.rmtree(folder / WORK, ignore_errors=True)
    return lists


def _device_lists(vectors: Path, restrictions: Restrictions, settings: SearchSettings) -> NeighbourLists:
    """Lists by exact search on a device."""
    found = device_pairs(mapped_array(vectors), restrictions, settings)
    others, cosines = listed([found], len(restrictions), settings.k)
    facts = {"search": "exact", "device": settings.device}
    return NeighbourLists(others, cosines, facts)


def _cell_lists(
    vectors: Path,
    folder: Path,
    restrictions: Restrictions,
    settings: SearchSettings,
    engine: RunsPieces,
    progress: Progress,
) -> NeighbourLists:
    """Lists by an index of cells; texts that met too few others there are searched exactly."""
    work = folder / WORK
    work.mkdir(exist_ok=True)
    built = build_index(vectors, work, restrictions, settings, engine, progress)
    index = open_index(work)
    _run_floors(index, work, settings, engine, progress)
    others, cosines = _lists(index, work, len(restrictions), settings, engine, progress)
    if built.approximate:
        _complete(others, cosines, vectors, restrictions, settings, engine, progress)
    recall = pair_recall(built.sample, others)
    return NeighbourLists(others, cosines, _facts(built, recall), _recall_notes(recall, settings))


def _recall_notes(recall: float, settings: SearchSettings) -> tuple[str, ...]:
    """A sentence if clearly fewer of the nearest pairs were found than was asked for."""
    if not recall < settings.recall - MISSED:
        return ()
    return (
        f"only {recall:.1%} of the nearest pairs of a sample were found, not {settings.recall:.0%}; exact = true finds "
        "all, and a higher recall more",
    )


def _facts(built: BuiltIndex, recall: float) -> dict[str, object]:
    if not built.approximate:
        return {"search": "exact"}
    return {
        "search": "approximate",
        "texts in cells": built.approximate,
        "cells": built.cells,
        "cells visited": max(built.visits),
        "recall": round(recall, 4),
        "sample": len(np.unique(built.sample["text"])),
    }


@dataclass(frozen=True, slots=True)
class _FloorTask:
    """Floors of a range of cells, in a file."""

    folder: Path
    k: int

    def __call__(self, cells: range) -> None:
        save_array(self.path(cells), cell_floors(open_index(self.folder), cells, self.k))

    def path(self, cells: range) -> Path:
        return self.folder / f"floors-{cells.start}.npy"


@dataclass(frozen=True, slots=True)
class _PairTask:
    """Near pairs of a range of cells, in a file."""

    folder: Path
    k: int

    def __call__(self, cells: range) -> None:
        save_array(self.path(cells), cell_pairs(open_index(self.folder), cells, self.k))

    def path(self, cells: range) -> Path:
        return self.folder / f"pairs-{cells.start}.npy"


@dataclass(frozen=True, slots=True)
class _ListTask:
    """The nearest neighbours of a range of positions, from the pairs of all cells, in a file."""

    folder: Path
    found: tuple[Path, ...]
    k: int

    def __call__(self, positions: range) -> None:
        index = open_index(self.folder)
        parts = [_of_positions(mapped_array(path), positions) for path in self.found]
        pairs = best_pairs(joined(parts), self.k + SPARE)
        pairs["cosine"] = pair_cosines(index.vectors, pairs["text"], pairs["other"])
        pairs["text"], pairs["other"] = (index.cells.rows[pairs[name]] for name in ("text", "other"))
        pairs = pairs[np.argsort(pairs["other"], kind="stable")]
        save_array(self.path(positions), best_pairs(pairs, self.k))

    def path(self, positions: range) -> Path:
        return self.folder / f"lists-{positions.start}.npy"


def _of_positions(pairs: Pairs, positions: range) -> Pairs:
    """The pairs of a range of positions, of an array that is sorted by position."""
    first, last = np.searchsorted(pairs["text"], (positions.start, positions.stop))
    return pairs[first:last]


def _run_floors(
    index: NeighbourIndex, folder: Path, settings: SearchSettings, engine: RunsPieces, progress: Progress
) -> None:
    """Compute the floors of all positions and put them beside the index."""
    if (folder / "floors.npy").exists():
        return
    pieces, task = index.pieces(), _FloorTask(folder, settings.k)
    _run_missing(engine, task, pieces, "floors", progress)
    floors = [np.load(task.path(piece)) for piece in pieces]
    save_array(folder / "floors.npy", np.concatenate([np.empty(0, np.float32), *floors]))


def _lists(
    index: NeighbourIndex, folder: Path, count: int, settings: SearchSettings, engine: RunsPieces, progress: Progress
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The neighbours of all rows and their cosines."""
    near = _PairTask(folder, settings.k + SPARE)
    _run_missing(engine, near, index.pieces(), "pairs", progress)
    listing = _ListTask(folder, tuple(near.path(piece) for piece in index.pieces()), settings.k)
    pieces = ranges(len(index.cells.rows), LISTED)
    _run_missing(engine, listing, pieces, "lists", progress)
    return listed((np.load(listing.path(piece)) for piece in pieces), count, settings.k)


@dataclass(frozen=True, slots=True)
class _ExactTask:
    """The exact neighbours of a few rows."""

    vectors: Path
    rows: NDArray[np.int64]
    k: int
    restrictions: Restrictions

    def __call__(self, places: range) -> Pairs:
        vectors, rows = mapped_array(self.vectors), self.rows[places.start : places.stop]
        pairs = exact_pairs(vectors, rows, self.k + SPARE, self.restrictions)
        pairs = pairs[np.argsort(pairs["other"], kind="stable")]
        pairs["cosine"] = pair_cosines(vectors, pairs["text"], pairs["other"])
        return best_pairs(pairs, self.k)


def _complete(
    others: NDArray[np.int32],
    cosines: NDArray[np.float32],
    vectors: Path,
    restrictions: Restrictions,
    settings: SearchSettings,
    engine: RunsPieces,
    progress: Progress,
) -> None:
    """Fill the lists of texts that have fewer neighbours than wanted by exact search."""
    rows = np.flatnonzero((others[:, -1] < 0) & restrictions.is_usable)
    task = _ExactTask(vectors, rows, settings.k, restrictions)
    for pairs in results_of(engine, task, ranges(len(rows), FEW), "few neighbours", progress):
        place = pairs["text"], ranks_of(pairs["text"])
        others[place], cosines[place] = pairs["other"], pairs["cosine"]


def _run_missing(
    engine: RunsPieces,
    task: _FloorTask | _PairTask | _ListTask,
    pieces: list[range],
    stage: str,
    progress: Progress,
) -> None:
    """Run the task on pieces whose file is missing."""
    results_of(engine, task, [piece for piece in pieces if not task.path(piece).exists()], stage, progress)
