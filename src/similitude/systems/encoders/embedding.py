"""The base of light encoders: each distinct text is embedded once, and a pair scores the cosine of its two vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.systems.encoders.input_text import PairTextSystem, input_texts
from similitude.systems.encoders.pair_features import PairVectors
from similitude.systems.encoders.similarity import paired_cosines
from similitude.systems.pairwise import TextPairs, settle_empty

__all__ = ["EmbeddingSystem", "clean"]


@dataclass(frozen=True)
class EmbeddingSystem(PairTextSystem):
    """Cosine of two embeddings: 0 is orthogonal, 1 the same direction. Negative cosines are not clipped.

    A subclass defines ``embed``. Symmetric; equal texts give exactly 1, two blank texts 1, one blank text 0.
    """

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text. The texts are distinct, not blank, and sorted by length."""
        raise NotImplementedError

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One cosine per pair of texts; each distinct text is embedded once."""
        pairs = TextPairs.of(lefts, rights)
        filled = np.array([len(text.strip()) for text in pairs.texts], np.int64)
        cosines = paired_cosines(self._vectors(pairs.texts), pairs.left, pairs.right)
        return settle_empty(cosines, filled[pairs.left], filled[pairs.right])

    def pair_vectors(self, items: Items) -> PairVectors:
        """The vectors of each item's two texts, in order; zeros for a blank text."""
        pairs = TextPairs.of(*input_texts(items, context=self.context, condition=self.condition))
        vectors = self._vectors(pairs.texts)
        return PairVectors(vectors[pairs.left], vectors[pairs.right])

    def text_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text, in order; zeros for a blank one."""
        distinct = TextPairs.of(texts, ())
        return self._vectors(distinct.texts)[distinct.left]

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text; zeros for a blank one.

        Texts are sorted by length, because the last bits depend on the other texts of a batch and must not depend on
        the order of the items.
        """
        order = [i for i, text in enumerate(texts) if text.strip()]
        order.sort(key=lambda i: (len(texts[i]), texts[i]))
        if not order:
            return np.zeros((len(texts), 1), np.float32)
        embedded = self.embed([clean(texts[i]) for i in order])
        vectors = np.zeros((len(texts), embedded.shape[1]), embedded.dtype)
        vectors[order] = embedded
        return vectors


def clean(text: str) -> str:
    """Replace lone surrogates by question marks: they occur in broken files, and tokenisers reject them."""
    return text.encode("utf-8", "replace").decode("utf-8")
