"""Raw columns from Parquet and Arrow files, which store columns with their types."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from similitude.data.reading.containers.kinds import Kind
from similitude.data.reading.disk_frames import frame_on_disk
from similitude.data.reading.files import existing, folder_error, opening_bytes, refuse_empty
from similitude.data.reading.free_memory import belongs_on_disk
from similitude.data.reading.tables import RawTable, numbered
from similitude.errors import FormatError

__all__ = ["COLUMNAR", "columnar_names", "frame_table", "read_columnar"]

READERS: Mapping[Kind, Callable[[Path], pl.DataFrame]] = {
    Kind.PARQUET: lambda path: _collected(pl.scan_parquet(path, glob=False), path),
    Kind.ARROW: lambda path: _collected(pl.scan_ipc(path, glob=False), path),
    Kind.ARROW_STREAM: lambda path: pl.read_ipc_stream(path),
}
SAMPLED = 10_000
"""Rows by which the size of a table is estimated."""
SCHEMAS: Mapping[Kind, Callable[[Path], Mapping[str, Any]]] = {
    Kind.PARQUET: lambda path: pl.read_parquet_schema(path),
    Kind.ARROW: lambda path: pl.read_ipc_schema(path),
    Kind.ARROW_STREAM: lambda path: pl.read_ipc_stream(path, n_rows=0).schema,
}
STDERR = 2
COLUMNAR = frozenset(READERS)
"""The kinds of containers that store columns."""


def read_columnar(path: Path, kind: Kind) -> RawTable:
    """The raw columns of a Parquet or Arrow file.

    Raises:
        FormatError: the file is of another kind, or is damaged.
    """
    return frame_table(_tried(READERS[kind], path, kind), path.name, kind.value)


def columnar_names(path: Path, kind: Kind) -> list[str]:
    """The names of the columns; their values are not read.

    Raises:
        FormatError: the file is of another kind, or is damaged.
    """
    return list(_tried(SCHEMAS[kind], path, kind))


def frame_table(frame: pl.DataFrame, file: str, container: str = "table", **constants: str) -> RawTable:
    """A frame as raw columns."""
    places = numbered(frame.height)
    columns = {column.name: column for column in frame.get_columns()}
    return RawTable(
        file=file, columns=columns, starts=places, ends=places, unit="row", constants=constants, container=container
    )


def _collected(rows: pl.LazyFrame, path: Path) -> pl.DataFrame:
    """The rows; those of a table that is too large are kept on disk."""
    if not belongs_on_disk(_estimated_size(rows), path.name):
        return rows.collect()
    kept = frame_on_disk(rows.collect_batches(), path.name)
    return rows.collect() if kept is None else kept


def _estimated_size(rows: pl.LazyFrame) -> int:
    first = rows.head(SAMPLED).collect()
    count = int(rows.select(pl.len()).collect().item())
    return int(first.estimated_size()) * count // max(first.height, 1)


@contextmanager
def _muffled() -> Iterator[None]:
    """Keep from the terminal what Polars prints when it panics over a damaged file; all else is printed afterwards."""
    try:
        terminal = os.dup(STDERR)
    except OSError:  # it is closed
        yield
        return
    panicked = False
    with tempfile.TemporaryFile() as kept:
        os.dup2(kept.fileno(), STDERR)
        try:
            yield
        except pl.exceptions.PanicException:
            panicked = True
            raise
        finally:
            os.dup2(terminal, STDERR)
            os.close(terminal)
            kept.seek(0)
            os.write(STDERR, b"" if panicked else kept.read())


def _tried(load: Callable[[Path], Any], path: Path, kind: Kind) -> Any:
    if existing(path).is_dir():
        raise folder_error(path)
    refuse_empty(path, opening_bytes(path, 1000))
    try:
        with _muffled():
            return load(path)
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        why = str(error).split("\n")[0]
        what = f"not a valid {kind.value.removesuffix(' file')} file ({why})"
        raise FormatError(what, where=path.name, remedy="write it again") from None
