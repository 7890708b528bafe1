"""NumPy files of predictions: one array, or an archive of named ones. Python objects in them are never loaded."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.reading.predictions.values import array_table
from similitude.data.reading.problems import listing
from similitude.data.reading.tables import RawTable, numbered
from similitude.errors import FormatError, InputError

__all__ = ["ARRAY", "ARRAYS", "archive_table", "array_file_table", "holds_arrays"]

ARRAY, ARRAYS = b"\x93NUMPY", b"PK\x03\x04"
"""How files of one array and archives of arrays begin."""

REMEDY = "write it again with numpy.save, or store a table"


def array_file_table(path: Path) -> RawTable:
    """The array of a file as a column of scores.

    Raises:
        FormatError: it is damaged, holds Python objects, or has more than one column.
    """
    return array_table(_load(path), path.name, "NumPy array")


def _load(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        why = "it holds Python objects" if "pickle" in str(error) else "it is damaged or cut off"
        raise FormatError(f"the array cannot be read: {why}", where=path.name, remedy=REMEDY) from None


def holds_arrays(path: Path) -> bool:
    """Whether a ZIP archive holds arrays."""
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.endswith(".npy") for name in archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False


def archive_table(path: Path) -> RawTable:
    """One array, or several of equal length as named columns.

    Raises:
        FormatError: it is damaged, or holds Python objects.
        InputError: the arrays differ in length.
    """
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
