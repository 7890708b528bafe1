"""Word n-grams of texts as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["NGrams", "ngrams_of"]

UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
WORD = rf"[{UNSPACED}]|[[\p{{L}}\p{{M}}\p{{N}}]--[{UNSPACED}]]+"
"""A word; in scripts without spaces each character counts as one."""

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class NGrams(NamedTuple):
    """The distinct n-grams of some texts.

    Attributes:
        rows: the text of each n-gram, counted from 0, ascending.
        keys: a number for each n-gram, the same for the same words; two n-grams share one by chance alone, with
            a probability of 2 ** -64.
        sizes: how many words each has.
    """

    rows: NDArray[np.int32]
    keys: NDArray[np.uint64]
    sizes: NDArray[np.uint8]


def ngrams_of(texts: Sequence[str] | pl.Series, longest: int = 3) -> NGrams:
    """All n-grams of one to ``longest`` words, without case; each counts once for a text."""
    words = pl.Series("words", texts, pl.String).str.to_lowercase().str.extract_all(WORD)
    rows = np.repeat(np.arange(len(words), dtype=np.int32), words.list.len().to_numpy())
    single = words.filter(words.list.len() > 0).explode().hash(seed=1).to_numpy()
    parts = [_runs(rows, single, size) for size in range(1, longest + 1)]
    return _distinct(NGrams(*(np.concatenate(column) for column in zip(*parts, strict=True))))


def _runs(rows: NDArray[np.int32], words: NDArray[np.uint64], size: int) -> NGrams:
    """All runs of so many words of one text."""
    count = max(0, len(words) - size + 1)
    keys = np.full(count, size, np.uint64)
    for step in range(size):
        keys = (keys ^ words[step : step + count]) * MULTIPLIER
        keys ^= keys >> np.uint64(29)
    is_one_text = rows[:count] == rows[size - 1 : size - 1 + count]
    return NGrams(rows[:count][is_one_text], keys[is_one_text], np.full(is_one_text.sum(), size, np.uint8))


def _distinct(ngrams: NGrams) -> NGrams:
    """Each n-gram of a text once, sorted by text, then by key."""
    order = np.lexsort((ngrams.keys, ngrams.rows))
    rows, keys, sizes = ngrams.rows[order], ngrams.keys[order], ngrams.sizes[order]
    is_first = np.ones(len(rows), bool)
    is_first[1:] = (rows[1:] != rows[:-1]) | (keys[1:] != keys[:-1])
    return NGrams(rows[is_first], keys[is_first], sizes[is_first])
