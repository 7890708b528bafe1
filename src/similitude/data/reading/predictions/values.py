"""Predictions in memory as a table: arrays, lists of numbers, scores by id, and JSON of these shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from similitude.data.reading.column_names import find_column
from similitude.data.reading.containers.cells import column_cells
from similitude.data.reading.predictions.headed_table import EXPLICIT, GENERIC
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.tables import Column, RawTable, numbered
from similitude.errors import FormatError, InputError

__all__ = ["array_table", "value_table", "with_index"]

Scalar = str | int | float | bool | None
SCORES = (*EXPLICIT, *GENERIC)


def value_table(value: Any, name: str, container: str = "object") -> RawTable | None:
    """Values that are no rows with named fields as a table; None for those that are.

    Args:
        value: an array, a list of numbers, a list of pairs of id and score, or scores by id.
        name: for messages.
        container: what held the values.

    Raises:
        FormatError: the shape of an array fits no reading.
    """
    if isinstance(value, Mapping):
        return _mapping_table(value, name, container)
    if _is_frame(value):
        return None
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return _list_table(list(value), name, container)
    index = getattr(value, "index", None)
    if index is not None and not callable(index):  # a Series of pandas
        return _columns({"index": list(index), "score": column_cells(value)}, name, container)
    if hasattr(value, "detach"):  # a tensor
        value = value.detach().cpu()
    if isinstance(value, np.ma.MaskedArray):
        value = np.ma.filled(value.astype(np.float64), np.nan)
    if hasattr(value, "__array__"):
        return array_table(np.asarray(value), name, container)
    return None


def with_index(value: Any) -> Any:
    """A data frame of pandas with its index as a column, unless that only counts the rows; other values as they are."""
    if not hasattr(value, "reset_index") or list(value.index) == list(range(len(value))):
        return value
    return value.reset_index()


def array_table(array: np.ndarray[Any, Any], name: str, container: str) -> RawTable:
    """A vector, or a matrix with one column, as a column of scores.

    Raises:
        FormatError: it has another shape, or holds no numbers.
    """
    if array.ndim == 2 and 1 in array.shape:
        array = array.reshape(-1)
    if array.ndim != 1:
        shape = " x ".join(map(str, array.shape)) or "no dimension"
        raise FormatError(
            f"an array of {shape} holds no one score per item",
            where=name,
            remedy="store one column of scores, or a table with named columns (CSV, Parquet)",
        )
    if array.dtype.kind not in "iufOUS":
        kind = "true and false" if array.dtype.kind == "b" else str(array.dtype)
        raise FormatError(f"an array of {kind}", where=name, remedy="store numbers: the scores")
    return _columns({"1": array.tolist()}, name, container, header="no")


def _mapping_table(value: Mapping[Any, Any], name: str, container: str) -> RawTable | None:
    if not value:
        raise InputError("there are no predictions", where=name, remedy="give one score per item")
    scores = find_column(map(str, value), SCORES)
    if scores is not None:
        return _named_scores(value, scores, name, container)
    if all(isinstance(each, Scalar | np.generic) for each in value.values()):
        return _by_id(value, list(value.values()), name, container)
    if len(value) > 1 and all(isinstance(each, list) and len(each) == 1 for each in value.values()):
        return _by_id(value, [each[0] for each in value.values()], name, container)
    return None


def _named_scores(value: Mapping[Any, Any], key: str, name: str, container: str) -> RawTable | None:
    """Scores under a usual name, without ids beside them: a list, or scores by id or by row as pandas writes them."""
    inner, others = value[key], [str(each) for each in value if each != key]
    if any(isinstance(each, list | dict) for other, each in value.items() if other != key):
        return None
    note = (f"the scores are those under {excerpt(key)}; not read: {listing(others)}",) if others else ()
    if isinstance(inner, Mapping) and inner and all(isinstance(each, Scalar) for each in inner.values()):
        table = _columns({"index": list(map(str, inner)), key: list(inner.values())}, name, container, "entry")
        return replace(table, notes=note)
    if isinstance(inner, list) and inner and all(isinstance(each, Scalar | np.generic) for each in inner):
        return replace(_columns({key: list(map(_plain, inner))}, name, container, "entry"), notes=note)
    return None


def _by_id(ids: Iterable[Any], scores: list[Any], name: str, container: str) -> RawTable:
    return _columns({"id": list(map(str, ids)), "score": list(map(_plain, scores))}, name, container, "entry")


def _list_table(value: list[Any], name: str, container: str) -> RawTable | None:
    if not value:
        raise InputError("there are no predictions", where=name, remedy="give one score per item")
    if all(isinstance(each, Scalar | np.generic) for each in value):
        return _columns({"1": [_plain(each) for each in value]}, name, container, header="no")
    widths = {len(each) for each in value if isinstance(each, list | tuple)}
    is_matrix = all(isinstance(each, list | tuple) for each in value) and len(widths) == 1
    if is_matrix and any(isinstance(each, int | float | np.generic) for each in value[0]):  # no names of columns
        columns = {str(at + 1): [_plain(each[at]) for each in value] for at in range(widths.pop())}
        return _columns(columns, name, container, header="no")
    return None


def _columns(
    columns: Mapping[str, Column], name: str, container: str, unit: str = "row", header: str = "yes"
) -> RawTable:
    height = len(next(iter(columns.values())))
    return RawTable(
        file=name,
        columns=dict(columns),
        starts=numbered(height),
        ends=numbered(height),
        unit=unit,
        container=container,
        details={"header": header},
    )


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _is_frame(value: Any) -> bool:
    return isinstance(value, pl.DataFrame | pl.LazyFrame) or hasattr(value, "columns") or hasattr(value, "column_names")
