"""Typed columns from raw ones; values that do not fit are marked, never dropped."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import BENCHMARK_SCHEMA
from similitude.data.reading.problems import excerpt
from similitude.data.reading.tables import Column

__all__ = ["KINDS", "NAME", "NUMBER", "TEXT", "TEXTS", "Cast", "ColumnKind", "cast", "misfit"]


class Cast(NamedTuple):
    """A typed column.

    Attributes:
        values: the typed values; null for blank values and for misfits.
        misfits: true for raw values that do not fit the type.
    """

    values: pl.Series
    misfits: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnKind:
    """The type of a column.

    Attributes:
        wanted: the type in words, for messages.
        remedy: how to write such a value.
        dtype: the Polars type.
        takes: whether a column of a Polars type can be converted as a whole.
        convert: converts such a column; null for values that do not fit.
        one: converts a single value, or raises ValueError.
    """

    wanted: str
    remedy: str
    dtype: pl.DataType
    takes: Callable[[pl.DataType], bool]
    convert: Callable[[pl.Series], pl.Series]
    one: Callable[[Any], Any]


def cast(column: Column, kind: ColumnKind) -> Cast:
    """The column converted to a kind; blank texts become null."""
    series = column if isinstance(column, pl.Series) else _as_series(column)
    if series is None or not kind.takes(series.dtype):
        return _cast_one_by_one(column, kind)
    empty = series.is_null() | _is_blank(series)
    values = kind.convert(series)
    if empty.any():
        values = values.zip_with(~empty, pl.Series([None], dtype=kind.dtype).new_from_index(0, len(values)))
    return Cast(values, (values.is_null() & ~empty).to_numpy())


def misfit(value: object, column: str, kind: ColumnKind) -> str:
    """The message for a value that does not fit its column."""
    return f"{excerpt(value)} in column {excerpt(column)} is not {kind.wanted}"


def _as_series(column: Column) -> pl.Series | None:
    """JSON values of one type as a series; None if the types are mixed."""
    types = set(map(type, column)) - {type(None)}
    for those, dtype in PYTHON_TYPES.items():
        if types <= those:
            try:
                return pl.Series(column, dtype=dtype, strict=True)
            except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
                return None
    return _as_lists(column) if types == {list} else None


def _as_lists(column: Column) -> pl.Series | None:
    """Lists of values of one type as a series: joined, typed and split again, much faster than list by list."""
    flat = list(chain.from_iterable(value for value in column if value))
    if set(map(type, flat)) & {list, type(None)}:
        return None
    values = _as_series(flat)
    if values is None:
        return None
    lengths = np.fromiter((len(value or ()) for value in column), dtype=np.int64, count=len(column))
    rows = np.arange(len(column))
    lists = pl.DataFrame({"row": np.repeat(rows, lengths), "value": values}).group_by("row", maintain_order=True).all()
    there = pl.Series([value is not None for value in column], dtype=pl.Boolean)
    whole = pl.DataFrame({"row": rows, "there": there}).join(lists, on="row", how="left", maintain_order="left")
    nothing = pl.when("there").then(pl.lit([], dtype=pl.List(values.dtype)))
    return whole.select(pl.coalesce("value", nothing)).to_series()


def _cast_one_by_one(column: Column, kind: ColumnKind) -> Cast:
    values: list[Any] = []
    misfits = np.zeros(len(column), dtype=np.bool_)
    for position, value in enumerate(column):
        try:
            values.append(None if value is None or (isinstance(value, str) and not value.strip()) else kind.one(value))
        except (ValueError, TypeError, OverflowError, RecursionError):
            values.append(None)
            misfits[position] = True
    return Cast(pl.Series(values, dtype=kind.dtype), misfits)


def _is_blank(series: pl.Series) -> pl.Series:
    if series.dtype != pl.String or not _may_begin_with_space(series):
        return pl.Series([False]).new_from_index(0, len(series))
    return ~series.str.contains(r"\S")


def _may_begin_with_space(series: pl.Series) -> bool:
    """Whether a text is empty or begins with white space or beyond ASCII; found out much faster than by a pattern."""
    return bool(((series < "!") | (series >= "\x80")).any())


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _name(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return _text(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    if isinstance(value, str) and "_" in value:  # Python reads 1_0 as 10
        raise ValueError
    return float(value)


def _items(value: Any) -> list[Any]:
    found = json.loads(value) if isinstance(value, str) else value
    if isinstance(found, pl.Series):
        found = found.to_list()
    if not isinstance(found, list):
        raise TypeError
    return found


def _to_number(series: pl.Series) -> pl.Series:
    """The numbers; white space around them is removed only if there is any, because that takes three times as long."""
    numbers = series.cast(pl.Float64, strict=False)
    if series.dtype == pl.String and numbers.null_count() > series.null_count():
        numbers = series.str.strip_chars().cast(pl.Float64, strict=False)
    return numbers


def _list_of(kind: ColumnKind, wanted: str, remedy: str, fits: Callable[[pl.List], bool]) -> ColumnKind:
    """Lists of values of a kind; ``fits`` says which types of lists can be converted as a whole."""
    dtype = pl.List(kind.dtype)
    return ColumnKind(
        wanted=wanted,
        remedy=remedy,
        dtype=dtype,
        takes=lambda given: isinstance(given, pl.List) and fits(given),
        convert=lambda series: series.cast(dtype),
        one=lambda value: [kind.one(item) for item in _items(value)],
    )


PYTHON_TYPES: Mapping[frozenset[type], pl.DataType] = {
    frozenset({str}): pl.String(),
    frozenset({int}): pl.Int64(),
    frozenset({int, float}): pl.Float64(),
}
TEXTUAL = (pl.String, pl.Categorical, pl.Enum, pl.Null)

TEXT = ColumnKind(
    wanted="text",
    remedy="put it in quotes",
    dtype=pl.String(),
    takes=lambda dtype: dtype in TEXTUAL,
    convert=lambda series: series.cast(pl.String),
    one=_text,
)
NAME = replace(TEXT, wanted="a text or number", takes=lambda dtype: dtype in TEXTUAL or dtype.is_integer(), one=_name)
NUMBER = ColumnKind(
    wanted="a number",
    remedy="write a number with a decimal point, or leave it empty where gold is hidden",
    dtype=pl.Float64(),
    takes=lambda dtype: dtype == pl.String or dtype == pl.Null or dtype.is_numeric(),
    convert=_to_number,
    one=_number,
)
TEXTS = _list_of(TEXT, "a list of texts", 'write ["one", "two"]', lambda given: given.inner == pl.String)
NUMBERS = _list_of(NUMBER, "a list of numbers", "write [4.5, 3]", lambda given: given.inner.is_numeric())

BY_DTYPE = {pl.String(): NAME, pl.Float64(): NUMBER, TEXTS.dtype: TEXTS, NUMBERS.dtype: NUMBERS}
KINDS: Mapping[str, ColumnKind] = {name: BY_DTYPE[dtype] for name, dtype in BENCHMARK_SCHEMA.items()} | {
    "left": TEXT,
    "right": TEXT,
    "condition": TEXT,
}
"""The kind of each of our columns."""
