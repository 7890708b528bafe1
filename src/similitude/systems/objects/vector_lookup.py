"""Vectors of texts by an object in memory, with the cache: stored only after the object proved unchanged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.protocols import ModelKey, VectorCache

__all__ = ["HeldCache", "cached_rows"]

Rows = NDArray[np.float32]


class _Put(NamedTuple):
    model: ModelKey
    texts: list[str]
    rows: Rows


class HeldCache:
    """A cache that stores nothing until `flush`, since the object may change while it encodes."""

    def __init__(self, cache: VectorCache) -> None:
        self.cache = cache
        self.held: list[_Put] = []

    def get(self, model: ModelKey, texts: Sequence[str]) -> list[Rows | None]:
        """The stored vectors."""
        return self.cache.get(model, texts)

    def put(self, model: ModelKey, texts: Sequence[str], rows: Rows) -> None:
        """Hold vectors back."""
        self.held.append(_Put(model, list(texts), rows))

    def recall(self, question: str) -> str | None:
        """A stored fact."""
        return self.cache.recall(question)

    def remember(self, question: str, answer: str) -> None:
        """Store a fact."""
        self.cache.remember(question, answer)

    def flush(self) -> None:
        """Store what was held back."""
        for each in self.held:
            self.cache.put(*each)
        self.held.clear()


def cached_rows(
    texts: Sequence[str], key: ModelKey, cache: VectorCache | None, encode: Callable[[list[str]], Rows]
) -> Rows:
    """One row for each distinct text: those that are stored, and the others from one call.

    Args:
        texts: distinct.
        key: of the object in its state.
        cache: None for none.
        encode: one row for each text.
    """
    known = [None] * len(texts) if cache is None else cache.get(key, texts)
    missing = [place for place, row in enumerate(known) if row is None]
    if not missing:
        return np.stack([row for row in known if row is not None])
    new = encode([texts[place] for place in missing])
    if cache is not None:
        cache.put(key, [texts[place] for place in missing], new)
    if len(missing) == len(texts):
        return new
    rows = np.empty((len(texts), new.shape[1]), np.float32)
    rows[missing] = new
    for place, row in enumerate(known):
        if row is not None:
            rows[place] = row
    return rows
