"""Bags of words: for each text its distinct words as numbers, in arrays that can be mapped from files."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["Bags", "hashed_texts", "listed_words"]

KEY_BITS = 62
"""The chance that any two of ten million different words share a key is 1 in 90,000."""

WORDS = 1 << 21
"""As many words are compared at a time: they take about 100 MB."""


class Bags(NamedTuple):
    """The bags of many texts, one after the other.

    Attributes:
        offsets: where the bag of each text begins in the other arrays, and where the last one ends.
        keys: for each text its distinct words as hashes, ascending.
        counts: how often the text has that word.
    """

    offsets: NDArray[np.int64]
    keys: NDArray[np.int64]
    counts: NDArray[np.int32]

    @classmethod
    def of_words(cls, words: pl.DataFrame, texts: int) -> Bags:
        """The bags of words.

        Args:
            words: one row for each word of each text, in any order: ``row``, the number of the text, and ``word``.
            texts: how many texts there are.

        >>> bags = Bags.of_words(listed_words(pl.Series([["a", "b", "a"], [], ["b"]])), 3)
        >>> bags.offsets.tolist(), sorted(bags.counts[:2].tolist())
        ([0, 2, 2, 3], [1, 2])
        """
        ordered = words.select("row", key=hashed_texts(words["word"])).sort("row", "key")
        row, key = ordered["row"].to_numpy(), ordered["key"].to_numpy()
        first = np.flatnonzero(np.r_[True, (row[1:] != row[:-1]) | (key[1:] != key[:-1])][: len(row)])
        counts = np.diff(np.r_[first, len(row)])
        sizes = np.bincount(row[first], minlength=texts)
        return cls(np.r_[0, np.cumsum(sizes)].astype(np.int64), key[first], counts.astype(np.int32))

    def distinct(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of different words of these texts."""
        return np.asarray(self.offsets[rows + 1] - self.offsets[rows])

    def totals(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of words of these texts, with repetitions."""
        return self._by_parts(_sums, rows)

    def common_words(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many different words the two texts of each pair share."""
        return self._by_parts(lambda one, other: np.diff(one.multiply(other).indptr), left, right)

    def common_counts(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]:
        """The sum over shared words of the smaller of their two counts."""
        return self._by_parts(lambda one, other: _sums(one.minimum(other)), left, right)

    def found_words(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many words of each first text, with repetitions, occur in the second."""
        return self._by_parts(lambda one, other: _sums(one.multiply(_as_sets(other))), left, right)

    def _by_parts(self, compare: Callable[..., NDArray[Any]], *sides: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compare bags, about `WORDS` words at a time, so that long texts take no more memory than short ones."""
        found = np.empty(len(sides[0]), np.int64)
        part_of = np.cumsum(sum(map(self.distinct, sides))) // WORDS
        starts = np.flatnonzero(np.diff(part_of, prepend=-1))
        for start, stop in itertools.pairwise([*starts.tolist(), len(found)]):
            found[start:stop] = compare(*(self._rows(side[start:stop]) for side in sides))
        return found

    def _rows(self, rows: NDArray[np.int64]) -> Any:
        """The bags of these texts as rows of a sparse matrix with one column for each possible key."""
        shape = (len(self.offsets) - 1, 1 << KEY_BITS)
        taken = sparse.csr_array((self.counts, self.keys, self.offsets), shape=shape)[rows]
        taken.has_canonical_format = True  # keys ascend and differ, so scipy need not look
        return taken


def _as_sets(matrix: Any) -> Any:
    """Every count is 1."""
    matrix.data = np.ones_like(matrix.data)
    return matrix


def _sums(matrix: Any) -> NDArray[np.int64]:
    return np.asarray(matrix.sum(axis=1), dtype=np.int64)


def listed_words(lists: pl.Series) -> pl.DataFrame:
    """The words of lists, one row each: ``row``, the number of the list, and ``word``."""
    rows = pl.int_range(len(lists), eager=True, dtype=pl.Int64)
    return pl.DataFrame({"row": rows, "word": lists}).explode("word", empty_as_null=False)


def hashed_texts(texts: pl.Series) -> pl.Series:
    """The key of each text, the same in every process and on every machine; null stays null."""
    distinct = texts.unique().drop_nulls()
    keys = pl.DataFrame(
        {"text": distinct, "key": pl.Series(list(map(_key, distinct.to_list())), dtype=pl.Int64)},
        schema_overrides={"text": pl.String},
    )
    found = texts.alias("text").cast(pl.String).to_frame().join(keys, on="text", how="left", maintain_order="left")
    return found["key"]


def _key(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - KEY_BITS)
