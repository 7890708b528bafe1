"""Static embeddings: a text's vector is the mean of the vectors of its tokens, looked up in a table.

The mean is a product of a sparse matrix (texts x tokens) with the table, so nothing is padded and no token vector is
copied. Each row is summed by itself: a text's vector does not depend on the other texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["MeanVectors", "StaticTable"]

_CHUNK = 4096
"""Texts tokenised at a time."""


class MeanVectors(NamedTuple):
    """Vectors of texts.

    Attributes:
        values: one row per text; zeros for a text without known tokens.
        cut: whether each text was cut to the model's maximum.
    """

    values: NDArray[np.float32]
    cut: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class StaticTable:
    """Vectors of tokens and the tokeniser that finds them.

    Attributes:
        tokenizer: a tokeniser of the library tokenizers; it is set to neither cut nor pad.
        vectors: one vector per token or, with ``rows``, per group of tokens.
        rows: for each token, the row of its vector; None if the token's number is its row.
        weights: for each token, its weight in the mean; None if all have the same.
        unknown: the token that stands for what the tokeniser does not know, which is left out; None to leave out none.
        longest: maximum tokens per text; None for no limit.
        characters: maximum characters per text; what follows is not even tokenised.
        is_normalized: whether vectors are scaled to unit length.
    """

    tokenizer: Any
    vectors: NDArray[np.float32]
    rows: NDArray[np.int64] | None = None
    weights: NDArray[np.float32] | None = None
    unknown: int | None = None
    longest: int | None = None
    characters: int | None = None
    is_normalized: bool = False

    def __post_init__(self) -> None:
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()

    def embed(self, texts: Sequence[str]) -> MeanVectors:
        """The mean token vector of each text."""
        values = np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        cut = np.zeros(len(texts), np.bool_)
        for start in range(0, len(texts), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            values[chunk], cut[chunk] = self._embed_chunk(texts[chunk])
        return MeanVectors(values, cut)

    def _embed_chunk(self, texts: Sequence[str]) -> MeanVectors:
        read = [text[: self.characters] for text in texts]
        encodings = self.tokenizer.encode_batch_fast(read, add_special_tokens=False)
        lists = [encoding.ids for encoding in encodings]
        sizes = np.fromiter(map(len, lists), np.int64, len(lists))
        cut = np.array([len(some) < len(text) for some, text in zip(read, texts, strict=True)])
        if self.longest is not None and sizes.max(initial=0) > self.longest:
            cut |= sizes > self.longest
            lists = [tokens[: self.longest] for tokens in lists]
            sizes = np.minimum(sizes, self.longest)
        tokens = np.fromiter(chain.from_iterable(lists), np.int64, int(sizes.sum()))
        return MeanVectors(self._means(tokens, sizes), cut)

    def _means(self, tokens: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.float32]:
        """Means of consecutive runs of tokens."""
        from scipy.sparse import csr_array

        if self.unknown is not None and (is_known := tokens != self.unknown).sum() < len(tokens):
            texts = np.repeat(np.arange(len(sizes)), sizes)
            sizes = np.bincount(texts[is_known], minlength=len(sizes))
            tokens = tokens[is_known]
        shares = np.repeat((1 / np.maximum(sizes, 1)).astype(np.float32), sizes)
        if self.weights is not None:
            shares *= self.weights[tokens]
        columns = tokens if self.rows is None else self.rows[tokens]
        ends = np.concatenate([[0], np.cumsum(sizes)])
        means = csr_array((shares, columns, ends), shape=(len(sizes), len(self.vectors))) @ self.vectors
        return self._normalized(np.asarray(means, np.float32))

    def _normalized(self, means: NDArray[np.float32]) -> NDArray[np.float32]:
        if not self.is_normalized:
            return means
        norms = np.linalg.norm(means, axis=1, keepdims=True)
        return np.asarray(np.divide(means, norms, out=np.zeros_like(means), where=norms > 0), np.float32)
