"""Raw columns from objects in memory: data frames, datasets, columns, and lists of records.

The libraries of these objects are not imported here: an object is known by the module and the name of its class.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from similitude.data.reading.containers.cells import column_cells, is_column, plain_cell
from similitude.data.reading.containers.frames import arrow_table, dataset_tables, pandas_table
from similitude.data.reading.json_text import object_columns
from similitude.data.reading.problems import RowProblem, excerpt, listing
from similitude.data.reading.tables import Column, RawTable, numbered
from similitude.data.series_labels import refuse_other_order
from similitude.errors import ArgumentError, ColumnError, InputError

__all__ = ["is_frame", "is_object", "object_tables"]

Read = Callable[[Any, str], list[RawTable]]

PAIR = ("left", "right", "score")
"""The meaning of tuples of two or three."""


def is_object(data: object) -> bool:
    """Whether this is an object in memory rather than a path or several paths."""
    if isinstance(data, str | Path):
        return False
    if isinstance(data, list | tuple | set | frozenset):
        return bool(data) and not all(isinstance(each, str | Path) for each in data)
    return True


def object_tables(data: Any, name: str | None = None) -> list[RawTable]:
    """The raw columns of an object; one table for each split of a dataset with several.

    Args:
        data: a data frame of pandas or Polars, a table or batch of pyarrow, a dataset of ``datasets``, columns by name,
            or a list of records: mappings, tuples (left, right[, score]), ``InputExample``, dataclasses.
        name: the name for messages; by default that of the class.

    Raises:
        ArgumentError: the object is of another kind.
        ColumnError: two columns have the same name.
        InputError: columns differ in length, or there are no rows.
    """
    name = name or type(data).__name__
    read = next((READERS[key] for key in _keys(type(data)) if key in READERS), None)
    if read is not None:
        return read(data, name)
    if isinstance(data, Mapping):
        return _of_mapping(data, name)
    if isinstance(data, set | frozenset):
        raise ArgumentError(f"a {name} has no order", remedy="give a list of records, so that each keeps its place")
    if isinstance(data, Iterable) and not isinstance(data, str | bytes):
        return [_of_records(list(data), name)]
    raise _refused(name)


def _keys(kind: type) -> list[str]:
    """The names of a class and of those it inherits from, each with the package that defines it."""
    return [f"{each.__module__.partition('.')[0]}.{each.__name__}" for each in kind.__mro__]


def _refused(name: str) -> ArgumentError:
    said = "None" if name == "NoneType" else f"a value of type {name}"
    return ArgumentError(
        f"{said} is no data",
        remedy="give a path, a data frame, a dataset, columns {'left': [...], 'right': [...]}, or a list of records",
    )


def _of_series(data: Any, name: str) -> list[RawTable]:
    raise ArgumentError(
        f"a {name} is one column, not a table",
        remedy="give the whole data frame, or columns by name: {'left': [...], 'right': [...]}",
    )


def _of_lazy_dataset(data: Any, name: str) -> list[RawTable]:
    remedy = "take the rows that you want first: datasets.Dataset.from_list(list(dataset.take(1000)))"
    raise ArgumentError(f"{name} has no length, so it cannot be read whole", remedy=remedy)


def _of_array(data: Any, name: str) -> list[RawTable]:
    names = data.dtype.names
    if names and data.ndim == 1:
        return [_of_columns({each: data[each] for each in names}, name)]
    raise ArgumentError(f"{name} has no names of columns", remedy="give {'left': [...], 'right': [...]}")


def _of_mapping(data: Mapping[Any, Any], name: str) -> list[RawTable]:
    """Columns by name, or one table for each split."""
    if data and all(is_frame(each) for each in data.values()):
        parts = [(str(key), table) for key, each in data.items() for table in object_tables(each, f"{name}#{key}")]
        return [replace(table, constants={**table.constants, "split": key}) for key, table in parts]
    return [_of_columns(data, name)]


def is_frame(value: Any) -> bool:
    """Whether this is a data frame, a table or a dataset."""
    return any(key in READERS and READERS[key] not in (_of_array, _of_series) for key in _keys(type(value)))


def _of_columns(data: Mapping[Any, Any], name: str) -> RawTable:
    single = next((key for key, values in data.items() if not is_column(values)), None)
    if single is not None:
        what = f"{excerpt(data[single])} under {excerpt(str(single))} is not a column"
        raise ArgumentError(what, where=name, remedy="give a list with one value per row")
    columns = {str(key): column_cells(values) for key, values in data.items()}
    _refuse_collisions(data, columns, name)
    lengths = {key: len(values) for key, values in columns.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{key} {length:,}" for key, length in lengths.items())
        raise InputError(f"columns have different lengths: {shown}", where=name, remedy="give one value per row")
    refuse_other_order(data, name)
    return _table(columns, name, "columns in memory")


def _refuse_collisions(data: Mapping[Any, Any], columns: Mapping[str, Column], name: str) -> None:
    if len(columns) < len(data):
        raise ColumnError(
            "two columns have the same name as text", where=name, remedy=f"rename one of {listing(columns)}"
        )


def _table(columns: Mapping[str, Column], name: str, container: str, **details: str) -> RawTable:
    places = numbered(len(next(iter(columns.values()), ())))
    return RawTable(
        file=name, columns=columns, starts=places, ends=places, unit="row", container=container, details=details
    )


def _of_records(records: Sequence[Any], name: str) -> RawTable:
    """One row for each record; records must be of one kind."""
    if not records:
        raise InputError("there are no rows", where=name, remedy="a benchmark needs at least one row")
    first = records[0]
    if isinstance(first, str):
        what = f"{name} of texts has no columns"
        raise ArgumentError(what, remedy="give pairs (left, right), or records with names")
    if _may_be_columns(records):
        what = "two lists of two texts each: two rows (left, right), or the columns left and right?"
        remedy = "give tuples if they are rows, or {'left': [...], 'right': [...]}"
        raise ArgumentError(what, where=name, remedy=remedy)
    fields = next((take for fits, take in RECORDS if fits(first)), None)
    if fields is None and is_frame(first):
        remedy = "give one frame with all rows, or a dict of frames by split: {'train': ..., 'test': ...}"
        raise ArgumentError(f"{name} of {type(first).__name__} is not a table", remedy=remedy)
    if fields is None:
        raise ArgumentError(f"{name} of {type(first).__name__} is not a table", remedy="give records with names")
    rows, problems = [], []
    for place, record in enumerate(records, start=1):
        row = fields(record) if type(record) is type(first) or _same_kind(record, first) else None
        rows.append(row or {})
        if row is None:
            problems.append(_stranger(place, record, first, name))
    kept = [row for row in rows if row]
    table = _table(object_columns(kept), name, f"{name} of {type(first).__name__}")
    return _with_places(table, [bool(row) for row in rows], problems)


def _may_be_columns(records: Sequence[Any]) -> bool:
    lists = all(isinstance(each, list) and len(each) == 2 for each in records)
    return lists and len(records) == 2 and all(isinstance(value, str) for each in records for value in each)


def _with_places(table: RawTable, there: Sequence[bool], problems: Sequence[RowProblem]) -> RawTable:
    places = numbered(len(there))[list(there)]
    return replace(table, starts=places, ends=places, problems=tuple(problems))


def _same_kind(record: Any, first: Any) -> bool:
    return any(fits(record) and fits(first) for fits, _ in RECORDS)


def _stranger(place: int, record: Any, first: Any, name: str) -> RowProblem:
    what = f"{excerpt(record)} is not a {type(first).__name__} like the first record"
    return RowProblem(place=place, where=f"{name}, row {place}", what=what, remedy="give records of one kind")


def _is_example(record: Any) -> bool:
    return hasattr(record, "texts") and hasattr(record, "label")


def _example(record: Any) -> dict[str, Any]:
    """An ``InputExample`` of sentence-transformers: its texts, its label and its id."""
    if len(record.texts) != 2:
        what = f"an example has {len(record.texts)} texts, not 2"
        raise InputError(what, where=type(record).__name__, remedy="similarity needs pairs of texts")
    left, right = record.texts
    named = {"id": record.guid} if getattr(record, "guid", None) not in (None, "") else {}
    return {**named, "left": left, "right": right, "score": plain_cell(record.label)}


def _pair(record: Sequence[Any]) -> dict[str, Any]:
    if len(record) not in (2, 3):
        what = f"a row of {len(record)} values has no names"
        raise ArgumentError(what, remedy="give (left, right) or (left, right, score), or records with names")
    return {name: plain_cell(value) for name, value in zip(PAIR, record, strict=False)}


def _plain_record(record: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): plain_cell(value) for key, value in record.items()}


RECORDS: Sequence[tuple[Callable[[Any], bool], Callable[[Any], dict[str, Any]]]] = (
    (lambda record: isinstance(record, Mapping), _plain_record),
    (_is_example, _example),
    (lambda record: hasattr(record, "_fields"), lambda record: _plain_record(record._asdict())),
    (
        lambda record: dataclasses.is_dataclass(record) and not isinstance(record, type),
        lambda record: _plain_record({each.name: getattr(record, each.name) for each in dataclasses.fields(record)}),
    ),
    (lambda record: isinstance(record, list | tuple), _pair),
)
"""Kinds of records, and how each becomes a row; the first that fits counts."""


def _of_polars(frame: Any, name: str) -> list[RawTable]:
    frame = frame.collect() if isinstance(frame, pl.LazyFrame) else frame
    return [_table({each.name: column_cells(each) for each in frame.get_columns()}, name, f"polars {name}")]


READERS: Mapping[str, Read] = {
    "pandas.Series": _of_series,
    "pandas.Index": _of_series,
    "polars.Series": _of_series,
    "pyarrow.Array": _of_series,
    "pyarrow.ChunkedArray": _of_series,
    "pandas.DataFrame": lambda data, name: [pandas_table(data, name)],
    "polars.DataFrame": _of_polars,
    "polars.LazyFrame": _of_polars,
    "pyarrow.Table": lambda data, name: [arrow_table(data, name)],
    "pyarrow.RecordBatch": lambda data, name: [arrow_table(data, name)],
    "datasets.Dataset": dataset_tables,
    "datasets.DatasetDict": dataset_tables,
    "datasets.IterableDataset": _of_lazy_dataset,
    "datasets.IterableDatasetDict": _of_lazy_dataset,
    "numpy.ndarray": _of_array,
}
"""The package and the class of objects that hold tables, and how each is read."""
