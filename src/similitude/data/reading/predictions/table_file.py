"""A file of predictions as a table, whatever holds the values."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.reading.containers import read_table
from similitude.data.reading.files import opening_bytes
from similitude.data.reading.format import BenchmarkSource
from similitude.data.reading.json_text import parse_document
from similitude.data.reading.predictions.text_layout import text_layout
from similitude.data.reading.predictions.values import array_table, value_table
from similitude.data.reading.problems import listing
from similitude.data.reading.tables import RawTable, numbered
from similitude.data.reading.text_decoder import load_document, load_text
from similitude.errors import FormatError, InputError

__all__ = ["file_table"]

ARRAY, ARRAYS = b"\x93NUMPY", b"PK\x03\x04"
BINARY = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"\xd0\xcf\x11\xe0")
REMEDY = "write it again with numpy.save, or store a table"


def file_table(source: BenchmarkSource) -> RawTable:
    """The raw columns of a file of predictions.

    Raises:
        InputError: the file cannot be read.
    """
    start = opening_bytes(source.path, 8)
    if start.startswith(ARRAY):
        return array_table(_load(source.path), source.path.name, "NumPy array")
    if start.startswith(ARRAYS) and _holds_arrays(source.path):
        return _archive_table(source.path)
    if start.startswith((*BINARY, ARRAYS)):
        return read_table(source)
    return _text_table(source)


def _text_table(source: BenchmarkSource) -> RawTable:
    text = load_text(source.path, source.encoding)
    lines = [line for line in text.lines if line.strip()]
    first = lines[0].lstrip()[:1]
    if first in "[{":
        document = _document(source)
        found = None if document is None else value_table(document, source.path.name, "JSON document")
        return read_table(source) if found is None else found
    layout = text_layout(lines, separator=source.separator, header=source.header, decimal=source.decimal)
    table = read_table(replace(source, separator=layout.separator, header=layout.header))
    said = {"separator": source.separator is not None, "header": source.header is not None}
    open_ones = ", ".join(name for name, named in said.items() if not named)
    return replace(table, details={**table.details, "found out": open_ones or "nothing"})


def _document(source: BenchmarkSource) -> Any:
    """The JSON document of a file; None if it is not one."""
    try:
        return parse_document(load_document(source.path, source.encoding), source.path.name)
    except FormatError:
        return None


def _load(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        why = "it holds Python objects" if "pickle" in str(error) else "it is damaged or cut off"
        raise FormatError(f"the array cannot be read: {why}", where=path.name, remedy=REMEDY) from None


def _holds_arrays(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.endswith(".npy") for name in archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False


def _archive_table(path: Path) -> RawTable:
    """One array, or several of equal length as named columns."""
    arrays = _arrays(path)
    if len(arrays) == 1:
        return array_table(next(iter(arrays.values())), path.name, "NumPy archive")
    tables = {name: array_table(array, path.name, "NumPy archive") for name, array in arrays.items()}
    lengths = {len(table) for table in tables.values()}
    if len(lengths) > 1:
        what = f"arrays of different lengths: {listing(arrays)}"
        raise InputError(what, where=path.name, remedy="store one array of scores, or ids and scores of equal length")
    return RawTable(
        file=path.name,
        columns={name: table.columns["1"] for name, table in tables.items()},
        starts=numbered(lengths.pop()),
        ends=next(iter(tables.values())).ends,
        unit="row",
        container="NumPy archive",
        details={"header": "yes"},
    )


def _arrays(path: Path) -> Mapping[str, np.ndarray[Any, Any]]:
    with _load(path) as archive:
        try:
            return {name: archive[name] for name in archive.files}
        except (ValueError, OSError, EOFError, zipfile.BadZipFile, KeyError) as error:
            why = "it holds Python objects" if "pickle" in str(error) else "it is damaged or cut off"
            raise FormatError(f"the arrays cannot be read: {why}", where=path.name, remedy=REMEDY) from None
