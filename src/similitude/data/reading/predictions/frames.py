"""Data frames, records and columns in memory as a table of predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from similitude.data.reading.problems import listing
from similitude.data.reading.tables import RawTable, numbered
from similitude.errors import ArgumentError, InputError

__all__ = ["frame_table"]

REMEDY = "give numbers in the order of the items, scores by id, a data frame, or a file"


def frame_table(value: Any, name: str) -> RawTable:
    """A data frame of Polars, pandas, Arrow or datasets, a list of records, or lists by column as a table.

    Raises:
        ArgumentError: it is none of these.
        InputError: columns differ in length, or there are no rows.
    """
    columns = {str(key): _cells(column) for key, column in _columns_of(value, name).items()}
    lengths = {len(column) for column in columns.values()}
    if len(lengths) != 1:
        what = f"columns of different lengths: {listing(columns)}" if columns else "there are no predictions"
        raise InputError(what, where=name, remedy="give one value per item in every column")
    places = numbered(lengths.pop())
    return RawTable(file=name, columns=columns, starts=places, ends=places, unit="row", container="object in memory")


def _columns_of(value: Any, name: str) -> Mapping[Any, Any]:
    if isinstance(value, pl.LazyFrame):
        value = value.collect()
    if isinstance(value, pl.DataFrame):
        return value.to_dict()
    if isinstance(value, Mapping):
        single = not any(isinstance(column, Sequence) and not isinstance(column, str) for column in value.values())
        return {key: [cell] for key, cell in value.items()} if single else value
    if isinstance(value, Sequence) and value and all(isinstance(row, Mapping) for row in value):
        keys = dict.fromkeys(key for row in value for key in row)
        return {key: [row.get(key) for row in value] for key in keys}
    if hasattr(value, "reset_index"):  # pandas
        index = {"index": value.index} if "index" not in value.columns else {}
        return {**index, **{key: value[key] for key in value.columns}}
    if hasattr(value, "column_names"):  # Arrow, datasets
        return {key: value[key] for key in value.column_names}
    raise ArgumentError(f"{type(value).__name__} holds no predictions", where=name, remedy=REMEDY)


def _cells(column: Any) -> pl.Series | list[Any]:
    if isinstance(column, pl.Series):
        return column
    if hasattr(column, "to_pylist"):  # Arrow
        return list(column.to_pylist())
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    return [value.item() if isinstance(value, np.generic) else value for value in values]
