"""Objects with ``encode``: similarity of the vectors of the two texts, each distinct text encoded once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.protocols import ModelKey
from similitude.systems.encoders.embedding import clean
from similitude.systems.encoders.pair_features import PairVectors
from similitude.systems.encoders.similarity import Similarity, paired_similarities
from similitude.systems.objects.model_object import ModelObject
from similitude.systems.objects.vector_lookup import HeldCache, cached_rows
from similitude.systems.pairwise import TextPairs
from similitude.systems.score_numbers import NotNumbersError, array_of

__all__ = ["EncodingObject"]


@dataclass(frozen=True, kw_only=True, eq=False)
class EncodingObject(ModelObject):
    """An object with ``encode(texts)``, which gives one vector per text.

    All distinct texts go into one call. Blank texts are encoded like any other; a vector of zeros has the cosine 0.

    Attributes:
        similarity: of two vectors; the cosine, unless the object says otherwise.
    """

    similarity: Similarity = "cosine"

    summary: ClassVar[str] = "similarity of the vectors of an object in Python"

    def similarities(self, items: Items, key: ModelKey, cache: HeldCache | None) -> NDArray[np.float64]:
        """One similarity per item; each distinct text is encoded once."""
        pairs = TextPairs.of([clean(text) for text in items.lefts], [clean(text) for text in items.rights])
        return paired_similarities(self.vectors(pairs.texts, key, cache), pairs.left, pairs.right, self.similarity)

    def pair_vectors(self, items: Items) -> PairVectors:
        """The vectors of each item's two texts, in order."""
        pairs = TextPairs.of([clean(text) for text in items.lefts], [clean(text) for text in items.rights])
        vectors = self.vectors(pairs.texts, ModelKey(self.called, ""), None)
        return PairVectors(vectors[pairs.left], vectors[pairs.right])

    def text_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text, in order."""
        distinct = TextPairs.of([clean(text) for text in texts], ())
        return self.guarded(lambda: self.vectors(distinct.texts, ModelKey(self.called, ""), None))[distinct.left]

    def vectors(self, texts: Sequence[str], key: ModelKey, cache: HeldCache | None) -> NDArray[np.float32]:
        """One vector for each distinct text."""
        return cached_rows(texts, key, cache, self._encode)

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        """One vector per text, from one call of ``encode``.

        Raises:
            PredictionError: it gives something else.
        """
        said = self.thing.encode(texts)
        try:
            found = _table(said)
        except NotNumbersError as error:
            raise self._no_vectors(f"encode() gave {error}") from None
        if found.ndim != 2 or len(found) != len(texts):
            shape = " x ".join(map(str, found.shape)) or "one number"
            raise self._no_vectors(f"encode() gave {shape} for {len(texts):,} texts")
        if not np.isfinite(found).all():
            text = texts[int(np.flatnonzero(~np.isfinite(found).all(axis=1))[0])]
            raise self._no_vectors(f"encode() gave a vector with nan or infinite numbers for {text[:60]!r}")
        return found.astype(np.float32)

    def _no_vectors(self, what: str) -> Exception:
        return self.refusal(what, "encode(list of texts) must return one vector of the same length for each text")


def _table(said: Any) -> NDArray[np.float64]:
    """Vectors as an array: a table, or a list of arrays or tensors.

    Raises:
        NotNumbersError: they are not numbers, or differ in length.
    """
    if not isinstance(said, list | tuple):
        return array_of(said)
    rows = [array_of(row) for row in said]
    if len({row.shape for row in rows}) > 1:
        raise NotNumbersError(f"vectors of different lengths ({rows[0].size}, ...)")
    return np.stack(rows) if rows else np.empty((0, 0))
