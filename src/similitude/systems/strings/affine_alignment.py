"""Local alignment of characters with affine gaps: the comparison of two strings inside Monge and Elkan's algorithm.

Two characters that are the same count 5, two that are alike (d t, g j, l r, m n, b p v, the vowels, comma and full
stop) 3, any others -3. A gap costs 5 for its first character and 1 for each further one. The score of two strings is
that of their best aligned parts; divided by 5 times the shorter length it lies in 0..1.

The table is filled row by row, for many pairs at a time: every cell depends only on cells of the row above it, or, for
gaps in the other direction, on a running maximum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["ALIKE", "Gaps", "alignment_similarities"]

Gaps = Literal["both", "left"]
"""Where gaps may be: characters of both texts may be skipped, or only characters of the left one."""

ALIKE = ("dt", "gj", "lr", "mn", "bpv", "aeiou", ",.")
"""Groups of characters that are alike."""

_SAME, _SIMILAR, _OTHER = 5, 3, -3
_OPEN, _EXTEND = 5, 1
_GROUP = {character: number for number, group in enumerate(ALIKE) for character in group}
_BLOCK_CELLS = 100_000
_LONGEST_IN_16_BITS = 6_000

Codes = NDArray[np.int32]


def alignment_similarities(
    texts: Sequence[str], left: NDArray[np.integer[Any]], right: NDArray[np.integer[Any]], gaps: Gaps
) -> NDArray[np.float64]:
    """Score of the best local alignment of each pair / (5 * shorter length); 1 for two empty strings, 0 for one.

    Args:
        texts: the strings.
        left: for each pair, the place of its left string in ``texts``.
        right: for each pair, the place of its right string in ``texts``.
        gaps: where gaps may be.

    >>> pair = np.array([0]), np.array([1])
    >>> alignment_similarities(["marhta", "mar ta"], *pair, "both").round(4)  # mar, ta: 5 * 5; h and blank: -3; 22/30
    array([0.7333])
    """
    characters = _Characters.of(texts)
    left_lengths, right_lengths = characters.lengths[left], characters.lengths[right]
    best = np.zeros(len(left))
    for block in _blocks(left_lengths, right_lengths):
        sides = characters.padded(left[block], -1), characters.padded(right[block], -2)
        best[block] = _best_scores(*sides, gaps)
    shares: NDArray[np.float64] = best / np.maximum(_SAME * np.minimum(left_lengths, right_lengths), 1)
    shares[(left_lengths == 0) & (right_lengths == 0)] = 1.0
    return shares


class _Characters(NamedTuple):
    """The characters of all strings one after another, and where each string begins."""

    codes: Codes
    groups: Codes
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[str]) -> _Characters:
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int32)
        groups = np.full_like(codes, -3)
        for character, number in _GROUP.items():
            groups[codes == ord(character)] = number
        return cls(codes, groups, np.cumsum(lengths) - lengths, lengths)

    def padded(self, which: NDArray[np.integer[Any]], padding: int) -> tuple[Codes, Codes]:
        """Characters and groups of some strings, one row each; nothing equals the padding, nor a missing group."""
        lengths = self.lengths[which]
        columns = np.arange(lengths.max(initial=0))
        inside = columns < lengths[:, None]
        places = np.where(inside, self.starts[which][:, None] + columns, 0)
        groups = np.where(inside, self.groups[places], padding)
        return np.where(inside, self.codes[places], padding), np.where(groups < 0, padding, groups)


def _blocks(left_lengths: NDArray[np.int64], right_lengths: NDArray[np.int64]) -> Iterator[NDArray[np.intp]]:
    """Pairs whose lengths differ by less than a fifth together; a row of a block fits into the processor's cache."""
    filled = np.flatnonzero((left_lengths > 0) & (right_lengths > 0))
    heights, widths = (np.ceil(4.0 * np.log2(lengths[filled])) for lengths in (left_lengths, right_lengths))
    order = np.lexsort((heights, widths))
    changes = np.flatnonzero(np.diff(widths[order]).astype(bool) | np.diff(heights[order]).astype(bool)) + 1
    for alike in np.split(filled[order], changes):
        step = max(_BLOCK_CELLS // int(right_lengths[alike].max(initial=1)), 1)
        yield from (alike[start : start + step] for start in range(0, len(alike), step))


def _best_scores(left: tuple[Codes, Codes], right: tuple[Codes, Codes], gaps: Gaps) -> NDArray[np.int64]:
    (own, own_groups), (other, other_groups) = left, right
    narrow = max(own.shape[1], other.shape[1]) <= _LONGEST_IN_16_BITS
    kind = np.int16 if narrow else np.int32
    columns = np.arange(other.shape[1] + 1, dtype=kind)
    shape = (len(own), other.shape[1] + 1)
    matched, left_gap, right_gap = (np.zeros(shape, kind) for _ in range(3))
    best = np.zeros(len(own), kind)
    for row in range(own.shape[1]):
        alike = np.where(other_groups == own_groups[:, row, None], kind(_SIMILAR), kind(_OTHER))
        alike[other == own[:, row, None]] = _SAME
        before = np.maximum(matched, left_gap)
        if gaps == "both":
            np.maximum(before, right_gap, out=before)
        left_gap = np.maximum(matched - kind(_OPEN), left_gap - kind(_EXTEND))
        left_gap[:, 0] = 0
        np.maximum(left_gap, 0, out=left_gap)
        matched = np.zeros(shape, kind)
        np.maximum(before[:, :-1] + alike, 0, out=matched[:, 1:])
        if gaps == "both":
            right_gap = _gaps_to_the_right(matched, columns)
        np.maximum(best, matched.max(axis=1), out=best)
    return best.astype(np.int64)


def _gaps_to_the_right(matched: NDArray[np.signedinteger], columns: NDArray[np.signedinteger]) -> NDArray:  # type: ignore[type-arg]
    """The best score that ends with skipped characters of the right text, for each cell of a row."""
    reached = np.maximum.accumulate(matched + columns, axis=1)
    gap = np.zeros_like(matched)
    # Skipping columns k + 1 .. j costs 5 for the first and 1 for each further one: matched[k] - 5 - (j - 1 - k).
    gap[:, 1:] = np.maximum(reached[:, :-1] - columns[1:] - (_OPEN - _EXTEND), 0)
    return gap
