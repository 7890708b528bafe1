"""What encoders share: each distinct text is turned into a vector once, and a pair scores the cosine of its two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.systems.pairwise import PairwiseSystem, TextPairs, settle_empty

__all__ = ["EmbeddingSystem", "length_batches", "paired_cosines"]

_BLOCK_PAIRS = 4096


@dataclass(frozen=True)
class EmbeddingSystem(PairwiseSystem):
    """Cosine of two embeddings; 0 is orthogonal and 1 the same direction. Cosines below 0 are left as they are.

    A subclass writes ``embed``. Symmetric; the same text twice gives exactly 1, two blank texts 1, one blank text 0.
    """

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector a text. No text is blank, none occurs twice, and they come shortest first."""
        raise NotImplementedError

    def score(self, items: Items) -> Predictions:
        """One cosine an item, in order; each distinct text of the call is embedded once."""
        return Predictions(self.similarities(items.lefts, items.rights))

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One cosine for each pair of texts."""
        pairs = TextPairs.of(lefts, rights)
        filled = np.array([len(text.strip()) for text in pairs.texts], np.int64)
        cosines = paired_cosines(self._vectors(pairs.texts), pairs.left, pairs.right)
        return settle_empty(cosines, filled[pairs.left], filled[pairs.right])

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector a text, zeros for a blank one.

        Always shortest first, so that the last bits, which depend on a text's neighbours in its batch, do not depend on
        the order of the items.
        """
        order = [i for i, text in enumerate(texts) if text.strip()]
        order.sort(key=lambda i: (len(texts[i]), texts[i]))
        if not order:
            return np.zeros((len(texts), 1), np.float32)
        # Lone surrogates, which broken files hold, are no Unicode and would stop a tokeniser.
        embedded = self.embed([texts[i].encode("utf-8", "replace").decode("utf-8") for i in order])
        vectors = np.zeros((len(texts), embedded.shape[1]), embedded.dtype)
        vectors[order] = embedded
        return vectors


def length_batches(texts: Sequence[str], *, most: int, characters: int) -> Iterator[Sequence[str]]:
    """Consecutive texts, shortest first, for a model that pads each batch to its longest text.

    Args:
        texts: in order of length.
        most: texts in a batch at most.
        characters: in a padded batch at most; a longer text is a batch of its own.

    >>> list(length_batches(["a", "b", "cd", "efghij"], most=2, characters=6))
    [['a', 'b'], ['cd'], ['efghij']]
    """
    start = 0
    for position, text in enumerate(texts):
        size = position - start
        if size == most or (size and (size + 1) * len(text) > characters):
            yield texts[start:position]
            start = position
    if start < len(texts):
        yield texts[start:]


def paired_cosines(
    vectors: NDArray[np.float32], left: NDArray[np.intp], right: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Cosine, in double precision, of the vectors at each pair of positions; 0 where one is all zeros.

    >>> paired_cosines(np.array([[3, 4], [4, 3]], np.float32), np.array([0, 0]), np.array([0, 1]))
    array([1.  , 0.96])
    """
    blocks = [slice(start, start + _BLOCK_PAIRS) for start in range(0, len(left), _BLOCK_PAIRS)]
    parts = [_cosines(vectors[left[block]], vectors[right[block]]) for block in blocks]
    return np.concatenate([np.empty(0), *parts])


def _cosines(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float64]:
    dots = _dots(left, right)
    # One root of the product, not a product of roots: for equal vectors it is their dot product to the last bit.
    norms = np.sqrt(_dots(left, left) * _dots(right, right))
    return np.clip(np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0), -1.0, 1.0)


def _dots(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.asarray(np.einsum("ij,ij->i", left.astype(np.float64), right.astype(np.float64)))
