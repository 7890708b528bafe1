"""Columns in memory as raw columns: values of Python, with None for every kind of missing value."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl

from similitude.data.reading.problems import excerpt
from similitude.data.reading.tables import Column
from similitude.errors import ArgumentError, InputError

__all__ = ["column_cells", "is_column", "plain_cell"]

NUMBERS = "iuf"
"""The kinds of NumPy types that Polars takes as they are."""


def is_column(values: object) -> bool:
    """Whether an object holds one value per row: a list, an array or a series, but no text and no single value."""
    return not isinstance(values, str | bytes | dict) and (isinstance(values, Iterable) or hasattr(values, "to_pylist"))


def column_cells(values: Any) -> Column:
    """The values of a column.

    Args:
        values: a list, a NumPy array, or a series of Polars, pandas or pyarrow.

    Raises:
        ArgumentError: it is a single value, or an array of several dimensions.
    """
    if isinstance(values, set | frozenset):
        raise ArgumentError(f"a {type(values).__name__} has no order, so it is no column", remedy="give a list")
    if not is_column(values) or getattr(values, "ndim", 1) != 1:
        raise ArgumentError(f"{excerpt(values)} is not a column", remedy="give a list with one value per item")
    if isinstance(values, pl.Series):
        return _polars_cells(values)
    if hasattr(values, "to_pylist"):
        values = values.to_pylist()
    if hasattr(values, "isna"):
        return _pandas_cells(values)
    if isinstance(values, np.ndarray) and values.dtype.kind in NUMBERS:
        return _polars_cells(pl.Series(values))
    return [plain_cell(value) for value in values]


def plain_cell(value: Any) -> Any:
    """A value as JSON would have it; None for nan, NaT and NA.

    Raises:
        InputError: a text holds half a surrogate pair, which no file can hold.
    """
    if isinstance(value, str):
        return _whole_text(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray | pl.Series):
        value = value.tolist() if isinstance(value, np.ndarray) else value.to_list()
    if isinstance(value, list | tuple):
        return [plain_cell(each) for each in value]
    if isinstance(value, Decimal):
        return float(value) if value.is_finite() else None
    if isinstance(value, datetime.date | datetime.time):
        return None if str(value) == "NaT" else value.isoformat()
    return None if _is_missing(value) else value


def _whole_text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        what = f"{excerpt(value)} holds half a character (a lone surrogate)"
        raise InputError(what, remedy="write the whole character there") from None
    return value


def _is_missing(value: Any) -> bool:
    if isinstance(value, float):
        return value != value
    return type(value).__name__ in ("NAType", "NaTType")


def _polars_cells(values: pl.Series) -> Column:
    """A series; nan is null, decimals are floats, and Python objects are listed."""
    if isinstance(values.dtype, pl.Object):
        return [plain_cell(value) for value in values.to_list()]
    if values.dtype.is_decimal():
        return values.cast(pl.Float64)
    return values.fill_nan(None) if values.dtype.is_float() else values


def _pandas_cells(values: Any) -> Column:
    """A series of pandas; categories become their values."""
    dtype = values.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in NUMBERS:
        return _polars_cells(pl.Series(values.to_numpy()))
    lacking = values.isna()
    there = values.astype(object)
    if not lacking.any() and all(type(value) is str for value in there):
        return pl.Series([_whole_text(value) for value in there], dtype=pl.String)
    return [None if gone else plain_cell(value) for value, gone in zip(there, lacking, strict=True)]
