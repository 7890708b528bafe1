"""Neighbours of texts, side by side: ``python benchmarks/candidates_neighbours.py [PART ...] [--rows N]``.

Parts, by default all:

* ``mining``: 100,000 texts, k = 10, against ``sentence_transformers.util.paraphrase_mining_embeddings`` on the same
  vectors, with room for all pairs. Recall is the share of its pairs that we find.
* ``libraries``: the same vectors through faiss (IVF, HNSW) and usearch. Each is built once and searched with more and
  more effort until the recall of pairs on a sample of 500 texts reaches .95; that search counts.
* ``million``: 1,000,000 vectors in a process of its own; its peak memory includes pages of files that it maps.

Vectors: see candidate_vectors.py. Beside the time on the clock stands that of the processors: where other programs use
the machine, compare the latter. All sides may use two threads (``THREADS``).
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from candidate_vectors import CACHE, enlarged, real_vectors
from similitude.collect.candidates.neighbours import (
    NeighbourLists,
    Restrictions,
    SearchSettings,
    exact_pairs,
    find_neighbours,
    pair_recall,
)
from similitude.study.engines import LocalEngine

THREADS = int(os.environ.get("THREADS", "2"))
K = 10
MILLION = 1_000_000
REAL = int(os.environ.get("REAL", "100000"))
"""So many vectors are of real sentences."""

WANTED = 0.95
EFFORTS = (8, 16, 32, 64, 128, 256, 512)


Result = TypeVar("Result")


class Timed(NamedTuple):
    """Seconds on the clock and of the processors."""

    wall: float
    processors: float

    def __add__(self, other: tuple[float, ...]) -> Timed:  # type: ignore[override]
        return Timed(self.wall + other[0], self.processors + other[1])


def timed(run: Callable[[], Result]) -> tuple[Timed, Result]:
    """The result of a call, and what it took."""
    wall, processors = time.perf_counter(), time.process_time()
    result = run()
    return Timed(time.perf_counter() - wall, time.process_time() - processors), result


def vector_file(rows: int) -> Path:
    """A file of so many vectors, the first 100,000 real; those that no earlier run encoded are encoded now."""
    path = CACHE / f"vectors-{rows}.npy"
    if not path.exists():
        np.save(path, enlarged(real_vectors(min(rows, REAL)), rows))
    return path


def ours(path: Path, rows: int) -> NeighbourLists:
    """Our search with its defaults."""
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        engine = LocalEngine(THREADS)
        return find_neighbours(path, Path(folder), Restrictions.none(rows), SearchSettings(k=K), engine=engine)


def show(name: str, taken: Timed, recall: float, note: str = "") -> None:
    """One line of the table."""
    print(f"{name:34} {taken.wall:8.1f} s {taken.processors:8.1f} s of CPU   recall {recall:.4f}  {note}", flush=True)


def show_mining(rows: int) -> None:
    """Our search against paraphrase mining."""
    import torch
    from sentence_transformers.util import paraphrase_mining_embeddings

    torch.set_num_threads(THREADS)
    path = vector_file(rows)
    vectors = torch.from_numpy(np.load(path))
    ours(vector_file(3_000), 3_000)  # Imports count on neither side.
    our_time, lists = timed(lambda: ours(path, rows))
    mined = lambda: paraphrase_mining_embeddings(vectors, top_k=K, max_pairs=rows * K)  # noqa: E731
    their_time, pairs = timed(mined)
    left, right = (np.array([pair[side] for pair in pairs]) for side in (1, 2))
    is_found = (lists.others[left] == right[:, None]).any(1) | (lists.others[right] == left[:, None]).any(1)
    show("paraphrase_mining", their_time, 1.0, f"{len(pairs):,} pairs")
    faster = f"{their_time.wall / our_time.wall:.1f} x, by CPU {their_time.processors / our_time.processors:.1f} x"
    show("similitude", our_time, float(is_found.mean()), f"{faster}; {dict(lists.facts)}")


class Library(NamedTuple):
    """A library: how an index is built, and how it is searched with some effort."""

    name: str
    build: Callable[[np.ndarray], object]
    search: Callable[[object, np.ndarray, int], np.ndarray]


def libraries() -> Iterator[Library]:
    """Faiss and usearch."""
    import faiss
    from usearch.index import Index

    faiss.omp_set_num_threads(THREADS)

    def faiss_ivf(vectors: np.ndarray) -> object:
        cells = int(3 * np.sqrt(len(vectors)))
        coarse = faiss.IndexFlatIP(vectors.shape[1])
        index = faiss.IndexIVFFlat(coarse, vectors.shape[1], cells, faiss.METRIC_INNER_PRODUCT)
        index.train(
            vectors[np.random.default_rng(0).choice(len(vectors), min(len(vectors), 39 * cells), replace=False)]
        )
        index.add(vectors)
        return index

    def faiss_hnsw(vectors: np.ndarray) -> object:
        index = faiss.IndexHNSWFlat(vectors.shape[1], 16, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = 64
        index.add(vectors)
        return index

    def search_faiss(index: object, vectors: np.ndarray, effort: int) -> np.ndarray:
        setattr(*((index, "nprobe") if hasattr(index, "nprobe") else (index.hnsw, "efSearch")), effort)
        return index.search(vectors, K + 1)[1]

    def usearch(vectors: np.ndarray) -> object:
        index = Index(ndim=vectors.shape[1], metric="ip", dtype="f32", connectivity=16, expansion_add=64)
        index.add(np.arange(len(vectors)), vectors, threads=THREADS)
        return index

    def search_usearch(index: object, vectors: np.ndarray, effort: int) -> np.ndarray:
        index.expansion_search = effort
        return index.search(vectors, K + 1, threads=THREADS).keys.astype(np.int64)

    yield Library("faiss IVF", faiss_ivf, search_faiss)
    yield Library("faiss HNSW", faiss_hnsw, search_faiss)
    yield Library("usearch", usearch, search_usearch)


def without_self(found: np.ndarray) -> np.ndarray:
    """Lists of k others, of lists of k + 1 that may hold the text itself."""
    is_self = found == np.arange(len(found))[:, None]
    order = np.argsort(is_self, axis=1, kind="stable")
    return np.take_along_axis(found, order, axis=1)[:, :K].astype(np.int32)


def show_libraries(rows: int) -> None:
    """Our search and the libraries at the same recall."""
    path = vector_file(rows)
    vectors = np.load(path)
    sample = np.random.default_rng(5).choice(rows, 500, replace=False)
    exact = exact_pairs(vectors, sample, K, Restrictions.none(rows))
    ours(vector_file(3_000), 3_000)  # Imports count on neither side.
    taken, lists = timed(lambda: ours(path, rows))
    show("similitude", taken, pair_recall(exact, lists.others))
    for library in libraries():
        show_library(library, vectors, exact)


def show_library(library: Library, vectors: np.ndarray, exact: np.ndarray) -> None:
    """One library at the least effort that reaches the recall, or at the most."""
    built, index = timed(lambda: library.build(vectors))
    for effort in EFFORTS:
        searched, found = timed(partial(library.search, index, vectors, effort))
        recall = pair_recall(exact, without_self(found))
        if recall >= WANTED:
            break
    show(library.name, built + searched, recall, f"effort {effort}, built in {built.processors:.1f} s of CPU")


def run_million(rows: int) -> None:
    """The search of a million, in a process of its own."""
    taken, lists = timed(lambda: ours(vector_file(rows), rows))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    show(
        f"similitude, {rows:,}",
        taken,
        float(str(lists.facts.get("recall", 1))),
        f"peak {peak:.2f} GB; {dict(lists.facts)}",
    )


def show_million(rows: int) -> None:
    """Time and memory of a million vectors."""
    vector_file(rows)
    process = multiprocessing.get_context("spawn").Process(target=run_million, args=(rows,))
    process.start()
    process.join()


PARTS: dict[str, Callable[[int], None]] = {
    "mining": show_mining,
    "libraries": show_libraries,
    "million": show_million,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", default=list(PARTS))
    parser.add_argument("--rows", type=int)
    chosen = parser.parse_args()
    for part in chosen.parts:
        PARTS[part](chosen.rows or (MILLION if part == "million" else 100_000))
