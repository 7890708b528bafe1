"""A table of texts in a file that every worker maps into memory instead of reading it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.texts import Texts
from similitude.data.writing.atomic import write_atomically

__all__ = ["ROW", "open_texts", "rows_read", "with_row_numbers", "write_texts"]

ROW = "\x00row"
"""The column with the row that a text had when it was read: vectors that came with the texts are looked up by it."""


def write_texts(texts: Texts, path: Path) -> None:
    """Write a table, completely or not at all."""
    write_atomically(path, lambda draft: texts.frame.write_ipc(draft, compression="uncompressed"))


def open_texts(path: Path) -> Texts:
    """The table in a file; a text is read from disk when it is looked at."""
    return Texts(pl.read_ipc(path, memory_map=True, rechunk=False))


def with_row_numbers(texts: Texts) -> Texts:
    """The texts with the column `ROW`."""
    return Texts(texts.frame.with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias(ROW)))


def rows_read(texts: Texts) -> NDArray[np.int64]:
    """The row that each text had when it was read."""
    return texts.frame[ROW].to_numpy()
