"""Unit vectors around a few directions, and their neighbours by sorting all cosines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.neighbours import NeighbourLists, Restrictions, SearchSettings, find_neighbours
from similitude.study.engines import LocalEngine

Vectors = NDArray[np.float32]


def unit(vectors: NDArray[np.floating]) -> Vectors:
    """Rows of length 1."""
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def clusters(count: int, width: int = 24, seed: int = 0) -> Vectors:
    """Unit vectors around sixty directions, as texts lie around topics."""
    rng = np.random.default_rng(seed)
    return unit(rng.normal(size=(60, width))[rng.integers(60, size=count)] + 0.7 * rng.normal(size=(count, width)))


def found(
    vectors: Vectors, folder: Path, restrictions: Restrictions | None = None, workers: int = 1, **settings: object
) -> NeighbourLists:
    """The lists of a search in a folder of its own."""
    folder.mkdir(exist_ok=True)
    np.save(folder / "vectors.npy", vectors)
    allowed = restrictions or Restrictions.none(len(vectors))
    return find_neighbours(
        folder / "vectors.npy",
        folder,
        allowed,
        SearchSettings(**settings),  # type: ignore[arg-type]
        engine=LocalEngine(workers),
    )


def by_sorting(vectors: Vectors, k: int, restrictions: Restrictions | None = None) -> NDArray[np.int64]:
    """The k nearest of each row by sorting all cosines; -1 where there are fewer."""
    cosines = vectors.astype(float) @ vectors.astype(float).T
    rows = np.arange(len(vectors))
    allowed = (restrictions or Restrictions.none(len(vectors))).allow(rows[:, None], rows[None, :])
    cosines[~allowed] = -2
    order = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
    return np.where(np.take_along_axis(cosines, order, axis=1) > -2, order, -1)


def assert_same_lists(lists: NeighbourLists, vectors: Vectors, expected: NDArray[np.int64]) -> None:
    """The same neighbours; two of cosines that are equal to 6 decimals may stand in either order."""
    assert np.array_equal(lists.others < 0, expected < 0)
    cosines = np.where(
        expected < 0, np.nan, (vectors.astype(float)[:, None] * vectors.astype(float)[expected]).sum(axis=2)
    )
    assert np.allclose(lists.similarities, cosines, atol=2e-6, equal_nan=True)
