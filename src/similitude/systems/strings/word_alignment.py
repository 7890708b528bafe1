"""Finds the most similar word of the other text for each word, for Monge-Elkan and soft tf-idf."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Jaro, JaroWinkler, Levenshtein

from similitude.systems.pairwise import TextPairs
from similitude.systems.strings.affine_alignment import Gaps, alignment_similarities
from similitude.systems.strings.bags import Bags, positions_within

__all__ = ["INNER", "Inner", "Matches", "closest_words"]

Inner = Literal["jaro-winkler", "jaro", "levenshtein", "alignment", "second-string"]
INNER: tuple[Inner, ...] = get_args(Inner)
"""The similarities of two words."""

_SCORERS: dict[Inner, Any] = {
    "jaro-winkler": JaroWinkler.normalized_similarity,
    "jaro": Jaro.normalized_similarity,
    "levenshtein": Levenshtein.normalized_similarity,
}
_GAPS: dict[Inner, Gaps] = {"alignment": "both", "second-string": "left"}

Cells = NDArray[np.float64]
Tables = Callable[[NDArray[np.intp], NDArray[np.intp]], tuple[Cells, Cells]]
"""For the left and the right texts of some pairs: the similarities of all words of each pair, left word by left word,
and right word by right word."""

_BLOCK_CELLS = 1_000_000


class Matches(NamedTuple):
    """The closest word of the other text, for each distinct word of one text of each pair.

    Attributes:
        entry: the word, as an entry of the bags.
        partner: the closest entry of the other text; in a tie the first in sorted order.
        similarity: the similarity of the two words.
    """

    pair: NDArray[np.int64]
    entry: NDArray[np.int64]
    partner: NDArray[np.int64]
    similarity: NDArray[np.float64]


def closest_words(
    bags: Bags, names: Sequence[str], pairs: TextPairs, inner: Inner = "jaro-winkler", cutoff: float = 0.0
) -> tuple[Matches, Matches]:
    """Matches of the left words in the right texts, and of the right words in the left texts.

    Pairs with an empty text have none. Similarities below the cutoff may be reported as 0.
    """
    gaps = _GAPS.get(inner)
    tables = _aligned_tables(bags, names, gaps) if gaps else _scored_tables(bags, names, inner, cutoff)
    parts = [_matches_both_ways(bags, pairs, block, tables) for block in _blocks(bags, pairs)]
    return _joined([left for left, _ in parts]), _joined([right for _, right in parts])


def _blocks(bags: Bags, pairs: TextPairs) -> Iterator[NDArray[np.int64]]:
    """Split pairs without empty texts into blocks whose tables have about `_BLOCK_CELLS` cells."""
    cells = bags.sizes[pairs.left] * bags.sizes[pairs.right]
    filled = np.flatnonzero(cells)
    block_of = np.cumsum(cells[filled]) // _BLOCK_CELLS
    yield from np.split(filled, np.flatnonzero(np.diff(block_of)) + 1)


def _matches_both_ways(
    bags: Bags, pairs: TextPairs, block: NDArray[np.int64], tables: Tables
) -> tuple[Matches, Matches]:
    left, right = pairs.left[block], pairs.right[block]
    rows, columns = tables(left, right)
    return _matches(bags, block, left, right, rows), _matches(bags, block, right, left, columns)


def _scored_tables(bags: Bags, names: Sequence[str], inner: Inner, cutoff: float) -> Tables:
    """Tables by a scorer of rapidfuzz."""
    grams = [names[gram] for gram in bags.grams.tolist()]
    words = [grams[start:end] for start, end in pairwise(bags.starts.tolist())]

    def tables(left: NDArray[np.intp], right: NDArray[np.intp]) -> tuple[Cells, Cells]:
        # One small table per pair: rapidfuzz fills a table nine times as fast as a list of single comparisons.
        filled = [
            process.cdist(words[i], words[j], scorer=_SCORERS[inner], dtype=np.float64, score_cutoff=cutoff)
            for i, j in zip(left.tolist(), right.tolist(), strict=True)
        ]
        return _flat(filled), _flat([table.T for table in filled])

    return tables


def _aligned_tables(bags: Bags, names: Sequence[str], gaps: Gaps) -> Tables:
    """Tables by the alignment of characters; two words that meet in several pairs are aligned once."""
    words = np.split(bags.grams, bags.starts[1:-1])

    def rows(own: NDArray[np.intp], other: NDArray[np.intp]) -> Cells:
        sides = [(words[i], words[j]) for i, j in zip(own.tolist(), other.tolist(), strict=True)]
        none = [np.empty(0, np.int64)]
        repeated = np.concatenate(none + [np.repeat(one, len(two)) for one, two in sides])
        tiled = np.concatenate(none + [np.tile(two, len(one)) for one, two in sides])
        distinct, which = np.unique(repeated * len(names) + tiled, return_inverse=True)
        return alignment_similarities(names, *np.divmod(distinct, len(names)), gaps)[which]

    return lambda left, right: (rows(left, right), rows(right, left))


def _flat(tables: Sequence[Cells]) -> Cells:
    return np.concatenate([np.empty(0), *(table.ravel() for table in tables)])


def _matches(
    bags: Bags, block: NDArray[np.int64], own: NDArray[np.intp], other: NDArray[np.intp], rows: NDArray[np.float64]
) -> Matches:
    """The best match of each row, for the concatenated rows of all tables."""
    heights, widths = bags.sizes[own], bags.sizes[other]
    row_widths = np.repeat(widths, heights)
    best, place = _row_maxima(rows, row_widths)
    entry = np.repeat(bags.starts[own], heights) + positions_within(heights)
    return Matches(np.repeat(block, heights), entry, np.repeat(bags.starts[other], heights) + place, best)


def _row_maxima(rows: NDArray[np.float64], widths: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The maximum of each row and its first position."""
    if len(widths) == 0:
        return np.empty(0), np.empty(0, np.int64)
    starts = np.cumsum(widths) - widths
    best = np.maximum.reduceat(rows, starts)
    peaks = np.flatnonzero(rows == np.repeat(best, widths))
    return best, peaks[np.searchsorted(peaks, starts)] - starts


def _joined(parts: Sequence[Matches]) -> Matches:
    return Matches(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
