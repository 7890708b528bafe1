"""One unit vector for each pair: the direction between its two texts, which says what the pair is about."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.neighbours.pieces import one_thread
from similitude.collect.candidates.pairs import PairBlock
from similitude.errors import ArgumentError

__all__ = ["BLOCK", "in_blocks", "most_pairs", "one_thread_per_product", "pair_vectors"]

BLOCK = 8192
"""Rows of one matrix product: the same however many cores there are, so that no number depends on them."""
NUMBERS = 80_000_000
"""How many numbers the vectors of all pairs may have: 320 MB."""


def most_pairs(vectors: NDArray[np.float32] | None) -> int:
    """How many pairs a diverse set can be chosen from at a time.

    Raises:
        ArgumentError: there are no vectors.
    """
    if vectors is None:
        raise ArgumentError(
            "a diverse set is chosen by vectors, and the texts have none",
            remedy="name a system that has vectors (--system use), give vectors, or leave diverse out",
        )
    return NUMBERS // int(vectors.shape[1])


def pair_vectors(pairs: PairBlock, positions: NDArray[np.intp]) -> NDArray[np.float32]:
    """The unit vector of the sum of each pair's two vectors; zeros if they cancel out."""
    vectors = pairs.vectors
    assert vectors is not None
    summed = np.empty((len(positions), vectors.shape[1]), np.float32)
    for start in range(0, len(positions), BLOCK):
        here = positions[start : start + BLOCK]
        both = vectors[pairs.left[here]] + vectors[pairs.right[here]]
        norms = np.sqrt(np.einsum("ij,ij->i", both, both))[:, None]
        summed[start : start + BLOCK] = both / np.maximum(norms, 1e-12)
    return summed


@contextmanager
def one_thread_per_product() -> Iterator[ThreadPoolExecutor]:
    """Threads that compute matrix products side by side, each product on one of them.

    Raises:
        MissingExtraError: threadpoolctl is not installed.
    """
    with one_thread(), ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield pool


def in_blocks(pool: ThreadPoolExecutor, work: Callable[[slice], None], rows: int) -> None:
    """Do the work for each block of rows, on all threads."""
    list(pool.map(work, (slice(start, min(start + BLOCK, rows)) for start in range(0, rows, BLOCK))))
