"""A table of texts in a file that every worker maps into memory instead of reading it."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.disk_frames import mapped_frame
from similitude.data.texts import Texts
from similitude.data.writing.atomic import write_atomically

__all__ = ["ROW", "open_texts", "rows_read", "text_slice", "with_row_numbers", "write_texts"]

ROW = "\x00row"
"""The column with the row that a text had when it was read: vectors that came with the texts are looked up by it."""


def write_texts(texts: Texts, path: Path) -> None:
    """Write a table, completely or not at all."""
    write_atomically(path, lambda draft: texts.frame.rechunk().write_ipc(draft, compression="uncompressed"))


def open_texts(path: Path) -> Texts:
    """The table in a file, opened once in each process; if pyarrow is there, texts are read when they are used."""
    known = path.stat()
    return _opened(path, known.st_mtime_ns, known.st_size)


@lru_cache(maxsize=2)
def _opened(path: Path, modified: int, size: int) -> Texts:
    if find_spec("pyarrow") is None:
        return Texts(pl.read_ipc(path))
    with path.open("rb") as file:
        return Texts(mapped_frame(file))


def text_slice(path: Path, start: int, stop: int) -> Texts:
    """Some rows of a table; the others are not read."""
    return Texts(pl.scan_ipc(path).slice(start, stop - start).collect())


def with_row_numbers(texts: Texts) -> Texts:
    """The texts with the column `ROW`."""
    return Texts(texts.frame.with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias(ROW)), texts.provenance)


def rows_read(texts: Texts) -> NDArray[np.int64]:
    """The row that each text had when it was read."""
    return texts.frame[ROW].to_numpy()
