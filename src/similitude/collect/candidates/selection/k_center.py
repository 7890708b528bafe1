"""k-center: each pair that is taken is the one farthest from all that were taken before (Gonzalez 1985)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.selection.pair_vectors import in_blocks, one_thread_per_product
from similitude.collect.candidates.selection.pool import Pool
from similitude.data.listeners import OptionalListener

__all__ = ["take_k_centers"]

FARTHEST = 2048
"""So many of the farthest pairs are looked at between two passes over all pairs."""
PANEL = 64
"""Pairs that were taken, in one matrix product."""


def take_k_centers(
    pool: Pool,
    pairs: NDArray[np.intp],
    vectors: NDArray[np.float32],
    rng: np.random.Generator,
    listener: OptionalListener,
) -> None:
    """Fill the quotas of the pool with pairs that are far from each other.

    The largest distance from any pair to the nearest taken one is at most twice the smallest possible, if nothing but
    the number of pairs is asked for. The first pair is random. The result is that of one pass over all pairs for each
    pair taken; far fewer passes are made, because a pair of the farthest few is certainly the farthest of all as long
    as it is farther than all others were at the last pass.

    Args:
        pool: the pairs that can be taken.
        pairs: those of the pool that are looked at.
        vectors: a unit vector for each of ``pairs``.
        rng: draws the first pair.
        listener: hears how many were taken.
    """
    total, nearest = int(pool.quotas.sum()), np.full(len(pairs), -np.inf, np.float32)
    first = np.flatnonzero(np.isin(pairs, pool.all_taken())).tolist() or _one_at_random(pool, pairs, rng)
    with one_thread_per_product() as threads:
        while first:
            _approach(nearest, vectors, first, threads)
            listener.progress("diverse pairs", total - int(pool.quotas.sum()), total)
            pool.drop_used_up()
            first = _farthest(pool, pairs, vectors, nearest)


def _one_at_random(pool: Pool, pairs: NDArray[np.intp], rng: np.random.Generator) -> list[int]:
    candidates = _open(pool, pairs)
    if not len(candidates):
        return []
    first = int(candidates[rng.integers(len(candidates))])
    pool.take(pairs[[first]])
    return [first]


def _open(pool: Pool, pairs: NDArray[np.intp]) -> NDArray[np.intp]:
    """Which of the pairs can be taken now."""
    return np.flatnonzero(pool.can_be_taken[pairs] & (pool.quotas > 0)[pool.of[pairs]])


def _farthest(
    pool: Pool, pairs: NDArray[np.intp], vectors: NDArray[np.float32], nearest: NDArray[np.float32]
) -> list[int]:
    """Take pairs as long as each is certainly the farthest of all; at least one, if there is any."""
    candidates = _open(pool, pairs)
    if len(candidates) > FARTHEST:
        candidates = candidates[np.argpartition(nearest[candidates], FARTHEST)[: FARTHEST + 1]]
        border = nearest[candidates[-1]]
    else:
        border = np.float32(np.inf)
    candidates = np.sort(candidates)
    close, found = nearest[candidates], vectors[candidates]
    taken: list[int] = []
    while len(close) and (least := close[place := int(np.argmin(close))]) <= border and least < np.inf:
        row = int(candidates[place])
        if pool.accepts(int(pairs[row])):
            pool.take(pairs[[row]])
            taken.append(row)
            np.maximum(close, np.round(found @ found[place], 6), out=close)
        close[place] = np.inf
    return taken


def _approach(
    nearest: NDArray[np.float32], vectors: NDArray[np.float32], taken: list[int], threads: ThreadPoolExecutor
) -> None:
    """Raise the cosine of each pair to its nearest taken one by those taken since the last pass."""
    panels = [vectors[taken[start : start + PANEL]].T.copy() for start in range(0, len(taken), PANEL)]

    def work(rows: slice) -> None:
        for panel in panels:
            np.maximum(nearest[rows], np.round((vectors[rows] @ panel).max(axis=1), 6), out=nearest[rows])

    in_blocks(threads, work, len(vectors))
