"""Hard negatives: pairs that are near by vectors and far by words, or the reverse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.array_file import mapped_array
from similitude.collect.candidates.neighbours.neighbour_lists import NeighbourLists, RowPairs
from similitude.collect.candidates.neighbours.unit_vectors import pair_cosines
from similitude.collect.candidates.shared_words.ngrams import ngrams_of
from similitude.data.texts import Texts

__all__ = ["near_but_other_words", "same_words_but_far"]


def near_but_other_words(near: NeighbourLists, texts: Texts, rows: range, *, skip: int = 0) -> RowPairs:
    """For each text of a range, the one of its neighbours with which it shares the smallest part of its words.

    What two texts share is the number of their common words, divided by that of all words of either. Of several
    neighbours that share as little, the nearest counts.

    Args:
        near: neighbours by vectors.
        texts: the table.
        rows: the texts.
        skip: how many of the nearest are left out, because they are pairs of another stratum.
    """
    left, right = near.pairs(rows, ranks=range(skip, near.others.shape[1]))
    return _lowest(left, right, word_shares(texts, left, right))


def same_words_but_far(words: NeighbourLists, vectors: Path, rows: range, *, skip: int = 0) -> RowPairs:
    """For each text of a range, the one of lowest cosine among those that share rare words with it.

    Args:
        words: partners by shared words.
        vectors: a .npy file with one unit vector for each text.
        rows: the texts.
        skip: how many of the first partners are left out, because they are pairs of another stratum.
    """
    left, right = words.pairs(rows, ranks=range(skip, words.others.shape[1]))
    return _lowest(left, right, pair_cosines(mapped_array(vectors), left, right))


def word_shares(texts: Texts, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.float64]:
    """Common words of each pair, divided by all words of either; 1 if neither has any."""
    rows, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    found = ngrams_of(texts.frame["text"].gather(rows).fill_null(""), longest=1)
    counts = np.bincount(found.rows, minlength=len(rows))
    first, second = places[: len(left)], places[len(left) :]
    common = _common(found.rows, found.keys, first, second)
    either = counts[first] + counts[second] - common
    return np.where(either > 0, common / np.maximum(either, 1), 1.0)


def _common(
    rows: NDArray[np.int32], keys: NDArray[np.uint64], first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.int64]:
    """How many words the two texts of each pair have in common."""
    from scipy.sparse import csr_array

    _, words = np.unique(keys, return_inverse=True)
    count = int(max(first.max(initial=-1), second.max(initial=-1))) + 1
    starts = np.searchsorted(rows, np.arange(count + 1))
    held = csr_array((np.ones(len(words), np.int32), words, starts), shape=(count, int(words.max(initial=-1)) + 1))
    return np.asarray(held[first].multiply(held[second]).sum(axis=1)).ravel().astype(np.int64)


def _lowest(left: NDArray[np.int64], right: NDArray[np.int64], values: NDArray[np.floating]) -> RowPairs:
    """The pair of lowest value of each left row; of equal ones the first."""
    order = np.lexsort((np.arange(len(left)), values, left))
    _, first = np.unique(left[order], return_index=True)
    chosen = order[first]
    return RowPairs(left[chosen], right[chosen])
