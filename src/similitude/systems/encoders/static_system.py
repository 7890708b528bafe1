"""The base of systems with static embeddings, for millions of texts: pairs are scored in blocks of bounded memory."""

# No postponed annotations here: the registry reads them off subclasses in other modules, which lack these names.
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from similitude.data.listeners import OptionalListener
from similitude.data.protocols import Listener
from similitude.models.encoders.static_table import MeanVectors, StaticTable
from similitude.systems.encoders.embedding import EmbeddingSystem, clean

__all__ = ["StaticSystem"]

_BLOCK = 65_536
"""Pairs whose vectors are in memory at a time."""


@dataclass(frozen=True)
class StaticSystem(EmbeddingSystem):
    """Cosine of two mean token vectors. A subclass defines ``table``.

    Attributes:
        listener: is told about progress, and gets notes for the user.
    """

    listener: Listener | None = field(default=None, kw_only=True, repr=False, compare=False)

    @property
    def table(self) -> StaticTable:
        """The loaded model."""
        raise NotImplementedError

    def with_listener(self, listener: Listener) -> Self:
        """The same system with this listener."""
        return replace(self, listener=listener)

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One cosine per pair of texts; within a block, each distinct text is embedded once."""
        listener = OptionalListener(self.listener)
        parts = [np.empty(0)]
        for start in range(0, len(lefts), _BLOCK):
            block = slice(start, start + _BLOCK)
            parts.append(super().similarities(lefts[block], rights[block]))
            listener.progress("encoding", min(start + _BLOCK, len(lefts)), len(lefts))
        return np.concatenate(parts)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text."""
        found = self.table.embed(texts)
        self._note_cut(found)
        return found.values

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text, in any order: a vector does not depend on the other texts. Blank texts get zeros."""
        return self.embed([clean(text) if text.strip() else "" for text in texts])

    def _note_cut(self, found: MeanVectors) -> None:
        if found.cut.any():
            OptionalListener(self.listener).note(
                f"{found.cut.sum():,} of {len(found.cut):,} texts were cut to the {self.table.longest:,} tokens that "
                f"'{self.identity}' reads at most"
            )
