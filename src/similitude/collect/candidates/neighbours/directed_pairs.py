"""Directed pairs: a text, another one near it, and their cosine; the best few of each text are kept."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["PAIR", "BestPairs", "Pairs", "best_pairs", "joined", "pair_array", "ranks_of"]

PAIR = np.dtype([("text", np.int32), ("other", np.int32), ("cosine", np.float32)])
"""One directed pair, as it lies in files."""

HELD = 4_000_000
"""So many pairs are collected before all but the best of each text are dropped."""

Pairs = NDArray[np.void]


def pair_array(text: NDArray[np.integer], other: NDArray[np.integer], cosine: NDArray[np.float32]) -> Pairs:
    """Three columns as one array of pairs."""
    pairs = np.empty(len(text), PAIR)
    pairs["text"], pairs["other"], pairs["cosine"] = text, other, cosine
    return pairs


def best_pairs(pairs: Pairs, k: int) -> Pairs:
    """The pairs of highest cosine, at most ``k`` for each text: sorted by text, then from the highest cosine down.

    A pair may occur twice, with cosines that differ in their last bits; it counts once. Among equal cosines the lower
    other text comes first if the pairs are sorted by other text.
    """
    order = np.argsort(_key(pairs["text"], _falling(pairs["cosine"])), kind="stable")
    order = order[ranks_of(pairs["text"][order]) < 2 * k]
    text, other = pairs["text"][order], pairs["other"][order]
    is_first = np.zeros(len(order), bool)
    is_first[np.unique(_key(text, other.view(np.uint32)), return_index=True)[1]] = True
    order = order[is_first]
    return pairs[order[ranks_of(text[is_first]) < k]]


def ranks_of(text: NDArray[np.integer]) -> NDArray[np.int64]:
    """The place of each pair among those of its text, from 0; the pairs are sorted by text."""
    starts = np.flatnonzero(np.append(True, text[1:] != text[:-1])[: len(text)])
    return np.arange(len(text)) - np.repeat(starts, np.diff(np.append(starts, len(text))))


def _key(text: NDArray[np.int32], second: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """A number that sorts by text first, then by the second number."""
    return (text.astype(np.uint64) << np.uint64(32)) | second


def _falling(cosines: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Whole numbers that sort as the cosines do from the highest down, and are equal only if these are."""
    bits = (cosines + np.float32(0)).view(np.uint32)
    rising = np.where(bits >> 31, ~bits, bits | np.uint32(1 << 31))
    return ~rising


class BestPairs:
    """Collects directed pairs and holds few: the best of each text, and what came since they were chosen."""

    __slots__ = ("_held", "_limit", "_parts", "k")

    def __init__(self, k: int) -> None:
        self.k = k
        self._parts: list[Pairs] = []
        self._held = 0
        self._limit = HELD

    def add(self, text: NDArray[np.integer], other: NDArray[np.integer], cosine: NDArray[np.float32]) -> None:
        """Add pairs, in any order; the same pair may come again."""
        self._parts.append(pair_array(text, other, cosine))
        self._held += len(text)
        if self._held > self._limit:
            self._parts = [self.best()]
            self._held = len(self._parts[0])
            self._limit = max(HELD, 2 * self._held)

    def best(self) -> Pairs:
        """The best pairs of all that were added; see `best_pairs`."""
        return best_pairs(joined(self._parts), self.k)


def joined(parts: Iterable[Pairs]) -> Pairs:
    """All pairs of several arrays."""
    return np.concatenate([np.empty(0, PAIR), *parts])
