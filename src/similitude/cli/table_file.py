"""Tables that commands write: one row per item, as CSV, JSON lines or Parquet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from similitude.errors import ArgumentError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["check_table_file", "write_table_file"]

SUFFIXES = (".csv", ".jsonl", ".parquet")


def check_table_file(path: Path) -> None:
    """Refuse a file whose suffix does not tell the format, before any work is done.

    Raises:
        ArgumentError: the suffix is not known.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise ArgumentError(f"cannot write '{path.name}'", remedy=f"end it in {', '.join(SUFFIXES)}")


def write_table_file(frame: pl.DataFrame, path: Path) -> Path:
    """Write a table completely or not at all; CSV has no columns of lists.

    Raises:
        ArgumentError: the file cannot be written.
    """
    from similitude.data.writing.atomic import write_atomically

    flat = frame.select(name for name, dtype in frame.schema.items() if not dtype.is_nested())
    savers: dict[str, Callable[[Path], Any]] = {
        ".csv": flat.write_csv,
        ".jsonl": frame.write_ndjson,
        ".parquet": frame.write_parquet,
    }
    write_atomically(path, savers[path.suffix.lower()])
    return path
