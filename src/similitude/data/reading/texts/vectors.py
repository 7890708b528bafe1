"""`read_vectors`: one vector for each text, from a file of arrays or a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.plural import counted
from similitude.data.reading.column_names import find_column
from similitude.data.reading.containers import read_table
from similitude.data.reading.files import existing, folder_error, opening_bytes, refuse_empty
from similitude.data.reading.problems import excerpt, listing, settle
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.spool import local_files
from similitude.data.reading.tables import Column, RawTable
from similitude.data.reading.texts.array_files import ARCHIVE, ARRAY, TENSORS, archived_array, array_of, tensor_of
from similitude.errors import ColumnError, FormatError, InputError

__all__ = ["Vectors", "read_vectors", "unit_vectors"]

Vectors = NDArray[np.floating[Any]]
"""One row for each text; perhaps mapped from a file."""

NAMES = ("vector", "vectors", "embedding", "embeddings")
"""Usual names of the column, or array, that holds vectors."""

BLOCK = 1 << 22
"""So many numbers are checked at a time, so that a large file is never in memory as a whole."""


def read_vectors(
    data: Any, rows: int, *, ids: Sequence[str] | None = None, width: int | None = None, name: str | None = None
) -> Vectors:
    """One vector for each text, in the order of the texts.

    Args:
        data: an array; a file of one (``.npy``), of several (``.npz``, ``.safetensors``), or a table with a column of
            lists (Parquet, JSON).
        rows: how many texts there are.
        ids: the ids of the texts; vectors in a table with a column ``id`` are matched by it.
        width: how many numbers each vector must have; any by default.
        name: which array or column holds the vectors; by default the only one, or one called vectors or embeddings.

    Returns:
        An array of floats, mapped from the file where the file allows it.

    Raises:
        InputError: there are more or fewer vectors than texts, they are of another width, or one of them is zero or
            holds something that is not a finite number; the message names the row.
    """
    where = Path(data).name if isinstance(data, str | Path) else "vectors"
    found = _of_file(data, ids, name) if isinstance(data, str | Path) else np.asarray(data)
    _refuse_shape(found, rows, width, where)
    _refuse_values(found, where)
    return found


def unit_vectors(vectors: Vectors) -> NDArray[np.float32]:
    """The vectors at length 1; lengths are computed in double precision, row by row, so that blocks do not matter."""
    wide = vectors.astype(np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", wide, wide))
    return np.asarray(wide / lengths[:, None], dtype=np.float32)


def _of_file(path: str | Path, ids: Sequence[str] | None, name: str | None) -> Vectors:
    with local_files([path]) as (local,):
        file = existing(Path(local))
        if file.is_dir():
            raise folder_error(file)
        opening = opening_bytes(file, 16)
        refuse_empty(file, opening)
        if opening.startswith(ARRAY):
            return array_of(file)
        if file.suffix.lower() == TENSORS:
            return tensor_of(file, name, NAMES)
        if opening.startswith(ARCHIVE) and file.suffix.lower() == ".npz":
            return archived_array(file, name, NAMES)
        if file.suffix.lower() in (".npy", ".npz"):
            what = f"the name ends in {file.suffix}, but this is no file of NumPy's"
            raise FormatError(
                what, where=file.name, remedy="write it again with numpy.save, or rename it if it is a table"
            )
        return _of_table(read_table(BenchmarkSource(path=file)), ids, name)


def _of_table(table: RawTable, ids: Sequence[str] | None, name: str | None) -> Vectors:
    settle(table.problems, "stop")
    column = name if name in table.columns else find_column(table.columns, [name] if name else NAMES)
    if column is None:
        what = f"no column {excerpt(name) if name else 'of vectors'}; columns there: {listing(table.columns)}"
        raise ColumnError(what, where=table.file, remedy=f"name it {NAMES[0]}")
    vectors = _stacked(table, column)
    key = find_column(table.columns, ("id", "text_id"))
    return vectors if ids is None or key is None else vectors[_rows_by_id(table, table.columns[key], ids)]


def _stacked(table: RawTable, name: str) -> Vectors:
    """The lists of a column as an array."""
    column = table.columns[name]
    series = column if isinstance(column, pl.Series) else pl.Series(column, strict=False)
    if isinstance(series.dtype, pl.Array):
        return series.to_numpy()
    if not isinstance(series.dtype, pl.List) or not series.dtype.inner.is_numeric():
        what = f"column {excerpt(name)} holds {series.dtype}, not lists of numbers"
        raise InputError(what, where=table.file, remedy="store one list of numbers for each text")
    widths = series.list.len().fill_null(0)
    odd = (widths != widths[0]).arg_true()
    if len(odd):
        what = f"a vector of {counted(widths[odd[0]], 'number')}, and the first has {widths[0]:,}"
        raise InputError(what, where=table.where(odd[0]), remedy="all vectors must have the same width")
    flat = series.explode().cast(pl.Float32 if series.dtype.inner == pl.Float32 else pl.Float64)
    return flat.fill_null(float("nan")).to_numpy().reshape(len(series), -1)


def _rows_by_id(table: RawTable, column: Column, ids: Sequence[str]) -> NDArray[np.int64]:
    there = pl.DataFrame({"id": pl.Series(column, strict=False).cast(pl.String)}).with_row_index("row")
    twice = there.filter(~pl.col("id").is_first_distinct())
    if twice.height:
        row = twice["row"][0]
        raise InputError(f"id {excerpt(twice['id'][0])} has two vectors", where=table.where(row), remedy="remove one")
    found = pl.DataFrame({"id": list(ids)}).join(there, on="id", how="left", maintain_order="left")
    lacking = found.filter(pl.col("row").is_null())
    if lacking.height:
        what = f"no vector for {counted(lacking.height, 'text')}, the first with id {excerpt(lacking['id'][0])}"
        raise InputError(what, where=table.file, remedy="give a vector for each text, under the text's id")
    return found["row"].to_numpy().astype(np.int64)


def _refuse_shape(vectors: Any, rows: int, width: int | None, where: str) -> None:
    if vectors.ndim != 2 or vectors.dtype.kind not in "fiu":
        what = f"an array of shape {vectors.shape} and type {vectors.dtype}, not one vector of numbers for each text"
        raise InputError(what, where=where, remedy="give an array of texts x numbers")
    if len(vectors) != rows:
        what = f"{counted(len(vectors), 'vector')} for {counted(rows, 'text')}"
        remedy = "give one vector for each text as it was read, in the same order; blank lines count"
        raise InputError(what, where=where, remedy=remedy)
    if not vectors.shape[1] or width not in (None, vectors.shape[1]):
        wanted = "at least 1" if width is None else f"{width:,}"
        what = f"vectors of {counted(vectors.shape[1], 'number')}, not of {wanted}"
        raise InputError(what, where=where, remedy="give vectors of one model, all of the same width")


def _refuse_values(vectors: Vectors, where: str) -> None:
    step = max(1, BLOCK // vectors.shape[1])
    for start in range(0, len(vectors), step):
        squares = np.square(vectors[start : start + step].astype(np.float64)).sum(axis=1)
        bad = np.flatnonzero(~np.isfinite(squares) | (squares == 0))
        if len(bad):
            row, value = start + int(bad[0]) + 1, squares[bad[0]]
            what = "is zero, so it has no direction" if value == 0 else "holds a value that is not a finite number"
            remedy = "compute it again, or leave the text out (blank texts have no vector)"
            raise InputError(f"the vector {what}", where=f"{where}, row {row}", remedy=remedy)
