"""parquet: a Parquet file with our columns or usual names for them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.files import existing, folder_error, opening_bytes, refuse_empty
from similitude.data.reading.format import GENERAL, BenchmarkSource, Format
from similitude.data.reading.judgements import read_companion
from similitude.data.reading.tables import RawTable, numbered
from similitude.errors import FormatError

__all__ = ["NATIVE", "frame_table", "parquet", "read_parquet"]

MAGIC = b"PAR1"
NATIVE = ColumnLayout(quiet=False)
"""The layout of general formats: usual names of columns, and no scale but the one that the file states."""


def parquet() -> Format:
    """Parquet files."""
    return Format(
        name="parquet",
        summary="Parquet with our columns, or usual names for them",
        recognised="the file begins with PAR1",
        fits=lambda sniffer: sniffer.opening.startswith(MAGIC),
        tables=_tables,
        layout=NATIVE,
        priority=GENERAL,
    )


def read_parquet(path: Path) -> RawTable:
    """The raw columns of a Parquet file.

    Raises:
        FormatError: the file is not Parquet, or is damaged.
    """
    if existing(path).is_dir():
        raise folder_error(path)
    refuse_empty(path, opening_bytes(path, 1000))
    try:
        frame = pl.read_parquet(path, glob=False)
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        why = str(error).split("\n")[0]
        raise FormatError(f"not a valid Parquet file ({why})", where=path.name, remedy="write it again") from None
    return frame_table(frame, path.name)


def frame_table(frame: pl.DataFrame, file: str, **constants: str) -> RawTable:
    """A frame as raw columns."""
    places = numbered(frame.height)
    columns = {column.name: column for column in frame.get_columns()}
    return RawTable(file=file, columns=columns, starts=places, ends=places, unit="row", constants=constants)


def _tables(source: BenchmarkSource) -> list[RawTable]:
    return [replace(read_parquet(source.path), judgements=read_companion(source.path))]
