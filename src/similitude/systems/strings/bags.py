"""Bags of n-grams of many texts, and the n-grams that two bags share.

All bags are in one sorted array of keys, ``text * span + gram``. A bag is a slice of it, the count of a gram is the
length of a run before duplicates are removed, and a binary search finds whether a gram of one text occurs in another.
There is no loop over texts, pairs or grams.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.systems.strings.symbols import Symbols

__all__ = ["Bags", "Shared", "ngram_bags", "positions_within", "shared_entries", "sums_by"]

_MOST = 2**62


@dataclass(frozen=True, slots=True)
class Bags:
    """The distinct n-grams of each text and their counts.

    Attributes:
        keys: ``text * span + gram``, ascending; one entry per distinct gram of each text.
        counts: how often the gram of each entry occurs in its text.
        starts: the index of the first entry of each text, and finally the number of entries.
        span: an upper bound of all grams.
    """

    keys: NDArray[np.int64]
    counts: NDArray[np.int64]
    starts: NDArray[np.int64]
    span: int

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of distinct grams of each text."""
        return np.diff(self.starts)

    @property
    def owners(self) -> NDArray[np.int64]:
        """The text of each entry."""
        return np.repeat(np.arange(len(self.starts) - 1), self.sizes)

    @property
    def grams(self) -> NDArray[np.int64]:
        """The gram of each entry; for n = 1 its symbol."""
        return self.keys - self.owners * self.span

    def sums(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum one weight per entry over each text, in the order of its grams."""
        return sums_by(self.owners, weights, len(self.starts) - 1)


class Shared(NamedTuple):
    """Grams that both texts of a pair contain: the pair, and the entries of the left and the right text."""

    pair: NDArray[np.int64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]


def ngram_bags(symbols: Symbols, n: int, *, short_texts: bool = True) -> Bags:
    """The n-grams of each text. A text shorter than n, unless empty, counts as one gram, itself, or has none.

    >>> from similitude.systems.strings.symbols import read_symbols
    >>> bags = ngram_bags(read_symbols(["to be or not to be", "to be", "be"], "word"), 2)
    >>> bags.sizes, bags.counts
    (array([4, 1, 1]), array([1, 1, 1, 2, 1, 1]))
    """
    padded, lengths = _padded(symbols, n) if short_texts else (symbols.flat, symbols.lengths)
    grams, span = _coded(padded, len(symbols.names), n)
    grams = grams[_inside_one_text(lengths, n)]
    if span * len(lengths) > _MOST:
        grams, span = _compacted(grams)
    per_text = np.maximum(lengths - n + 1, 0)
    keys = np.repeat(np.arange(len(lengths)) * span, per_text) + grams
    keys.sort()
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    starts = np.searchsorted(keys[first], np.arange(len(lengths) + 1) * span)
    return Bags(keys[first], np.diff(first, append=len(keys)), starts, span)


def shared_entries(bags: Bags, left: NDArray[np.intp], right: NDArray[np.intp]) -> Shared:
    """The grams that the left and the right text of each pair share, sorted by pair and gram."""
    if len(bags.keys) == 0:
        return Shared(*np.empty((3, 0), np.int64))
    sizes = bags.sizes[left]
    entries = np.repeat(bags.starts[left], sizes) + positions_within(sizes)
    wanted = bags.keys[entries] + np.repeat((right - left) * bags.span, sizes)
    found = np.minimum(np.searchsorted(bags.keys, wanted), len(bags.keys) - 1)
    hits = np.flatnonzero(bags.keys[found] == wanted)
    return Shared(np.repeat(np.arange(len(left)), sizes)[hits], entries[hits], found[hits])


def positions_within(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions 0, 1, 2, ... within each segment.

    >>> positions_within(np.array([2, 0, 3]))
    array([0, 1, 0, 1, 2])
    """
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def sums_by(groups: NDArray[np.int64], weights: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Sum the weights of each group 0 .. size - 1, in the order given.

    >>> sums_by(np.array([0, 2, 2]), np.array([0.5, 1.0, 2.0]), 3)
    array([0.5, 0. , 3. ])
    """
    return np.bincount(groups, weights, minlength=size).astype(np.float64, copy=False)


def _padded(symbols: Symbols, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pad texts shorter than n with 0, a symbol that no text contains; empty texts stay empty."""
    missing = np.where(symbols.lengths > 0, np.maximum(n - symbols.lengths, 0), 0)
    return np.insert(symbols.flat, np.repeat(symbols.ends, missing), 0), symbols.lengths + missing


def _coded(flat: NDArray[np.int64], size: int, n: int) -> tuple[NDArray[np.int64], int]:
    """Encode every n consecutive symbols as one number; return the numbers and an upper bound."""
    windows = max(len(flat) - n + 1, 0)
    grams, span = flat[:windows], size
    for step in range(1, n):
        if span * size > _MOST:
            grams, span = _compacted(grams)
        grams, span = grams * size + flat[step : windows + step], span * size
    return grams, span


def _compacted(grams: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    distinct, ranks = np.unique(grams, return_inverse=True)
    return ranks.astype(np.int64), max(len(distinct), 1)


def _inside_one_text(lengths: NDArray[np.int64], n: int) -> NDArray[np.bool_]:
    """Which windows of n symbols stay within one text."""
    ends = np.cumsum(lengths)[lengths > 0]
    inside = np.ones(int(lengths.sum()), np.bool_)
    for step in range(1, n):
        inside[ends[ends >= step] - step] = False
    return inside[: max(len(inside) - n + 1, 0)]
