"""Facility location: a set of pairs such that every pair has one in it that is like it.

The value of a set is the sum, over the pairs of a sample, of the cosine to the most similar pair in the set. Taking
the pair that adds most, again and again, reaches at least 1 - 1/e of the largest possible value (Nemhauser, Wolsey and
Fisher 1978), and half of it under quotas.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.selection.pair_vectors import one_thread_per_product
from similitude.collect.candidates.selection.pool import Pool
from similitude.data.listeners import OptionalListener

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Likeness", "likeness", "take_facilities"]

REPRESENTED_EACH = 8
"""Pairs of the sample for each pair that is taken, at least."""
COSINES = 2_500_000_000
"""So many cosines are computed if that gives a larger sample: up to 50,000 pairs, all of them are represented."""
ENTRIES = 10_000_000
"""So many cosines are kept, those of each pair of the sample to the pairs most similar to it: 80 MB."""
LOOKED_AT = 4096
"""So many cosines of a pair say where its floor is."""
ROWS = 64
"""Pairs of the sample in one matrix product."""


class Likeness(NamedTuple):
    """How much better than the floor each pair represents the pairs of a sample: only what is above the floor.

    Attributes:
        starts: where the entries of each candidate begin, and at last where they end.
        represented: the pair of the sample, for each entry.
        gains: the cosine above the floor of that pair, for each entry.
    """

    starts: NDArray[np.int64]
    represented: NDArray[np.int32]
    gains: NDArray[np.float32]


def take_facilities(
    pool: Pool,
    pairs: NDArray[np.intp],
    vectors: NDArray[np.float32],
    rng: np.random.Generator,
    listener: OptionalListener,
) -> None:
    """Fill the quotas of the pool with pairs that represent all others.

    Args:
        pool: the pairs that can be taken.
        pairs: those of the pool that are looked at.
        vectors: a unit vector for each of ``pairs``.
        rng: draws the sample of pairs that are to be represented, and decides between equals.
        listener: hears how many were taken.
    """
    count = int(pool.quotas.sum())
    size = min(len(pairs), max(COSINES // max(1, len(pairs)), REPRESENTED_EACH * count))
    sample = np.sort(rng.choice(len(pairs), size, replace=False))
    table = likeness(vectors, sample, listener)
    _take_greedily(pool, pairs, table, rng.permutation(len(pairs)), size, listener)


def likeness(vectors: NDArray[np.float32], sample: NDArray[np.intp], listener: OptionalListener) -> Likeness:
    """The cosines of a sample to all pairs that are above the floor of each pair in the sample.

    The floor is 0, or higher where that would be too many entries: then about as many of the most similar pairs are
    above it as there is room for.
    """
    from scipy.sparse import csr_array

    share = min(1.0, ENTRIES / (len(sample) * len(vectors)))
    blocks: list[csr_array] = []

    def work(start: int) -> csr_array:
        cosines = vectors[sample[start : start + ROWS]] @ vectors.T
        return _above(cosines, _floors(cosines, share))

    with one_thread_per_product() as threads:
        for done, block in enumerate(threads.map(work, range(0, len(sample), ROWS))):
            listener.progress("likeness of pairs", done * ROWS, len(sample))
            blocks.append(block)
    indices, gains = np.concatenate([b.indices for b in blocks]), np.concatenate([b.data for b in blocks])
    ends = np.cumsum(np.concatenate([np.diff(block.indptr) for block in blocks]))
    table = csr_array((gains, indices, np.append(0, ends)), shape=(len(sample), len(vectors))).tocsc()
    return Likeness(table.indptr.astype(np.int64), table.indices, table.data)


def _above(cosines: NDArray[np.float32], floors: NDArray[np.float32]) -> csr_array:
    """What lies above the floor of each row."""
    from scipy.sparse import csr_array

    flat = np.flatnonzero(cosines > floors)
    at, column = np.divmod(flat, cosines.shape[1])
    starts = np.searchsorted(at, np.arange(len(cosines) + 1))
    gains = cosines.ravel()[flat] - floors.ravel()[at]
    return csr_array((gains, column.astype(np.int32), starts), shape=cosines.shape)


def _floors(cosines: NDArray[np.float32], share: float) -> NDArray[np.float32]:
    """The cosine above which about this share of each row lies, judged by every so many columns; at least 0."""
    if share >= 1:
        return np.zeros((len(cosines), 1), np.float32)
    some = cosines[:, :: max(1, cosines.shape[1] // LOOKED_AT)]
    place = int((1 - share) * (some.shape[1] - 1))
    return np.maximum(np.partition(some, place, axis=1)[:, place : place + 1], 0)


def _take_greedily(
    pool: Pool,
    pairs: NDArray[np.intp],
    table: Likeness,
    ties: NDArray[np.int64],
    size: int,
    listener: OptionalListener,
) -> None:
    """Take the pair that adds most, until quotas are full.

    What a pair adds only shrinks as others are taken: if one adds more now than any other did when it was last looked
    at, it adds most (Minoux 1978).
    """
    reached = np.zeros(size, np.float32)
    adds = np.add.reduceat(np.append(table.gains, 0.0), table.starts[:-1]) * (np.diff(table.starts) > 0)
    queue = [
        (-add, tie, row) for row, (add, tie) in enumerate(zip(np.round(adds, 6).tolist(), ties.tolist(), strict=True))
    ]
    heapq.heapify(queue)
    total = int(pool.quotas.sum())
    left = total
    while left and queue:
        _, tie, row = heapq.heappop(queue)
        if not pool.accepts(int(pairs[row])):
            continue
        entries = slice(table.starts[row], table.starts[row + 1])
        who, gains = table.represented[entries], table.gains[entries]
        add = round(float(np.maximum(gains - reached[who], 0).sum(dtype=np.float64)), 6)
        if queue and (-add, tie) > queue[0][:2]:
            heapq.heappush(queue, (-add, tie, row))
            continue
        pool.take(pairs[[row]])
        reached[who] = np.maximum(reached[who], gains)
        left -= 1
        listener.progress("diverse pairs", total - left, total)
