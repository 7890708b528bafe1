"""Texts: what candidate pairs are made of, before anybody compares them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.item import update_by_rows, with_all_columns
from similitude.data.provenance import Provenance

__all__ = ["SPEAKERS", "TEXT_SCHEMA", "Texts"]

TEXT_SCHEMA = pl.Schema(
    {
        "id": pl.String(),
        "text": pl.String(),
        "context": pl.List(pl.String()),
        "group": pl.String(),
        "document": pl.String(),
        "language": pl.String(),
        "domain": pl.String(),
        "source": pl.String(),
    }
)
"""The columns of texts. All but id and text may be null.

context: the turns of a dialogue, oldest first; the last is ``text``. group: what several texts share, such as an image
with five captions. document: where a text was taken from."""

SPEAKERS = "speakers"
"""A further column of dialogues: who spoke each turn of the context, where the data says so."""


class Texts:
    """A table of texts; further columns of the file are kept under their own names, after those of `TEXT_SCHEMA`.

    Attributes:
        frame: the table.
        provenance: which files the texts come from, how they were understood, and what was skipped.

    >>> texts = Texts.from_list(["a cat", "a dog"])
    >>> len(texts), texts.texts
    (2, ['a cat', 'a dog'])
    """

    __slots__ = ("frame", "provenance")

    def __init__(self, frame: pl.DataFrame, provenance: Provenance | None = None) -> None:
        own = with_all_columns(frame.select(name for name in frame.columns if name in TEXT_SCHEMA), TEXT_SCHEMA)
        others = frame.select(name for name in frame.columns if name not in TEXT_SCHEMA)
        self.frame = own.hstack(others)
        self.provenance = Provenance() if provenance is None else provenance

    @classmethod
    def from_list(cls, texts: Sequence[str]) -> Texts:
        """Texts numbered from 1."""
        return cls(pl.DataFrame({"id": [str(number) for number in range(1, len(texts) + 1)], "text": list(texts)}))

    def __len__(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        return f"<Texts: {len(self):,}>"

    @property
    def ids(self) -> list[str]:
        """The ids, in order."""
        return self.frame["id"].to_list()

    @property
    def texts(self) -> list[str]:
        """The texts, in order."""
        return self.frame["text"].to_list()

    @property
    def fingerprint(self) -> str:
        """A hash of all columns."""
        digest = hashlib.sha256()
        update_by_rows(digest, self.frame)
        return digest.hexdigest()

    def take(self, positions: NDArray[np.int64]) -> Texts:
        """The texts at these positions, in this order."""
        return Texts(self.frame[positions], self.provenance)

    def slice(self, start: int, stop: int) -> Texts:
        """The texts from one position up to another, without a copy."""
        return Texts(self.frame[start:stop], self.provenance)
