"""Rare n-grams: which texts hold which, what each weighs, and what two texts share of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from similitude.collect.candidates.array_file import mapped_array, save_array
from similitude.collect.candidates.neighbours.directed_pairs import Pairs, best_pairs, pair_array
from similitude.collect.candidates.neighbours.restrictions import Restrictions
from similitude.collect.candidates.shared_words.ngrams import NGrams

__all__ = ["MOST_TEXTS", "RareNGrams", "open_rare_ngrams", "rare_ngrams", "sharing_pairs", "write_rare_ngrams"]

MOST_TEXTS = 50
"""An n-gram in more texts than this is not rare."""


@dataclass(frozen=True, slots=True, eq=False)
class RareNGrams:
    """The rare n-grams of texts.

    Attributes:
        starts: where the texts of each n-gram start in ``texts``, and the end of the last; only n-grams that at least
            two texts hold.
        texts: the rows that hold each n-gram, ascending.
        weights: of each n-gram: log(1 + texts / texts that hold it).
        totals: for each text, the weight of all its rare n-grams, those that no other text holds included.
    """

    starts: NDArray[np.int64]
    texts: NDArray[np.int32]
    weights: NDArray[np.float64]
    totals: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.totals)

    def by_ngram(self) -> csr_array:
        """A row for each n-gram, a column for each text; the square of an entry is the n-gram's weight."""
        entries = np.repeat(np.sqrt(self.weights), np.diff(self.starts))
        return csr_array((entries, self.texts, self.starts), shape=(len(self.weights), len(self)))


def rare_ngrams(parts: Iterable[NGrams], count: int, most_texts: int = MOST_TEXTS) -> RareNGrams:
    """The rare n-grams of all texts.

    Args:
        parts: the n-grams of consecutive parts of the texts, their rows counted from the first of all texts.
        count: how many texts there are.
        most_texts: an n-gram in more texts than this is not rare.
    """
    found = list(parts)
    rows = np.concatenate([np.empty(0, np.int32), *(part.rows for part in found)])
    keys = np.concatenate([np.empty(0, np.uint64), *(part.keys for part in found)])
    order = np.argsort(keys, kind="stable")
    rows = rows[order]
    _, holders = np.unique(keys[order], return_counts=True)
    weights = np.log1p(count / holders)
    is_rare = holders <= most_texts
    totals = np.bincount(rows, np.repeat(weights * is_rare, holders), minlength=count).astype(np.float64)
    is_kept = is_rare & (holders > 1)
    starts = np.append(0, np.cumsum(holders[is_kept]))
    return RareNGrams(starts, rows[np.repeat(is_kept, holders)], weights[is_kept], totals)


def sharing_pairs(ngrams: RareNGrams, rows: range, k: int, restrictions: Restrictions) -> Pairs:
    """The texts that share most with each of a range of texts, as directed pairs.

    What two texts share is the weight of their common rare n-grams, divided by the weight of all that either holds: 0
    to 1, rounded to 6 decimals. It stands in the field "cosine".

    Args:
        ngrams: of all texts.
        rows: whose partners are wanted.
        k: how many; a text has fewer if it shares rare n-grams with fewer.
        restrictions: which texts may be paired.
    """
    by_ngram = ngrams.by_ngram()
    by_text = by_ngram[:, rows.start : rows.stop].T.tocsr()
    product = by_text @ by_ngram
    product.sort_indices()
    shared = product.tocoo()
    left, right = shared.row.astype(np.int64) + rows.start, shared.col.astype(np.int64)
    is_allowed = restrictions.allow(left, right)
    left, right, weight = left[is_allowed], right[is_allowed], shared.data[is_allowed]
    share = weight / (ngrams.totals[left] + ngrams.totals[right] - weight)
    return best_pairs(pair_array(left, right, np.round(share, 6).astype(np.float32)), k)


def write_rare_ngrams(folder: Path, ngrams: RareNGrams) -> None:
    """Write the arrays into a folder."""
    for field in fields(ngrams):
        save_array(folder / f"{field.name}.npy", getattr(ngrams, field.name))


def open_rare_ngrams(folder: Path) -> RareNGrams:
    """Rare n-grams that were written, mapped into memory."""
    return RareNGrams(*(mapped_array(folder / f"{field.name}.npy") for field in fields(RareNGrams)))
