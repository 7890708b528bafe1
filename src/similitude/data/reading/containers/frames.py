"""Raw columns from data frames and datasets of other libraries, which their objects bring along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from similitude.data.reading.containers.cells import column_cells
from similitude.data.reading.problems import excerpt
from similitude.data.reading.tables import Column, RawTable, numbered
from similitude.errors import ColumnError

__all__ = ["POSITION", "UNSPLIT", "arrow_table", "dataset_table", "dataset_tables", "in_order", "pandas_table"]

POSITION = "position"
"""A column of the splits that we write: the position of each row in the table that they are the splits of."""

UNSPLIT = "items"
"""The name, among the splits that we write, of the rows that have no split."""


def pandas_table(frame: Any, name: str) -> RawTable:
    """The columns of a data frame of pandas; an index with a name or with texts is a column too."""
    _refuse_twice(list(frame.columns), name)
    index, details = _index_columns(frame)
    columns = {str(key): column_cells(frame.iloc[:, at]) for at, key in enumerate(frame.columns)}
    _refuse_twice([*index, *columns], name)
    if not all(isinstance(key, str) for key in frame.columns):
        details["names"] = "written as text"
    return _table({**index, **columns}, name, f"pandas {type(frame).__name__}", details)


def arrow_table(data: Any, name: str) -> RawTable:
    """The columns of a table or batch of pyarrow."""
    _refuse_twice(data.schema.names, name)
    frame = pl.DataFrame(pl.from_arrow(data))
    columns = {each.name: column_cells(each) for each in frame.get_columns()}
    return _table(columns, name, f"pyarrow {type(data).__name__}", {})


def dataset_table(dataset: Any, name: str, split: str | None = None) -> RawTable:
    """The columns of a dataset of ``datasets``; classes that are stored as numbers become their names.

    Args:
        dataset: a dataset with one split.
        name: for messages.
        split: the name of the split, if it is not the dataset's own.
    """
    frame = dataset.with_format(None).to_polars()
    named = {each.name: _class_names(each, dataset.features.get(each.name)) for each in frame.get_columns()}
    columns = {key: column_cells(values) for key, values in named.items()}
    own = split or (str(dataset.split) if dataset.split is not None and dataset.split != UNSPLIT else None)
    constants = {} if own is None else {"split": own}
    return _table(columns, name, f"datasets {type(dataset).__name__}", {}, constants)


def dataset_tables(found: Any, name: str, split: str | None = None) -> list[RawTable]:
    """One table for each split; a single one, in the order before it was split, if its rows tell their positions.

    Args:
        found: a dataset, or several by the names of their splits.
        name: for messages.
        split: the name of the split of a single dataset, if it is not its own.
    """
    if not isinstance(found, Mapping):
        return [dataset_table(found, name, split)]
    splits = {key: None if key == UNSPLIT else key for key in found}
    return in_order([dataset_table(each, f"{name}#{key}", splits[key]) for key, each in found.items()], name)


def in_order(tables: Sequence[RawTable], name: str) -> list[RawTable]:
    """Tables of the splits of one table, as it was before; as they are, if their rows do not tell their positions."""
    if not all(POSITION in table.columns for table in tables):
        return list(tables)
    frames = [pl.DataFrame([pl.Series(name, column) for name, column in table.columns.items()]) for table in tables]
    frame = pl.concat(frames, how="diagonal_relaxed").sort(POSITION).drop(POSITION)
    return [_table({each.name: each for each in frame.get_columns()}, name, tables[0].container, {})]


def _table(
    columns: Mapping[str, Column],
    name: str,
    container: str,
    details: Mapping[str, str],
    constants: Mapping[str, str] | None = None,
) -> RawTable:
    places = numbered(len(next(iter(columns.values()), ())))
    return RawTable(
        file=name,
        columns=columns,
        starts=places,
        ends=places,
        unit="row",
        container=container,
        details=details,
        constants=constants or {},
    )


def _refuse_twice(names: Sequence[Any], where: str) -> None:
    shown = [str(name) for name in names]
    twice = next((name for name in shown if shown.count(name) > 1), None)
    if twice is not None:
        raise ColumnError(f"two columns are named {excerpt(twice)}", where=where, remedy="rename one of them")


def _index_columns(frame: Any) -> tuple[dict[str, Column], dict[str, str]]:
    """The levels of an index that are more than row numbers, as columns; and what was done with the index."""
    index = frame.index
    levels = [index.get_level_values(at) for at in range(index.nlevels)]
    kept = {_level_name(level, at, index.nlevels): level for at, level in enumerate(levels) if _tells(level)}
    if not kept:
        plain = type(index).__name__ == "RangeIndex"
        return {}, ({} if plain else {"index": "numbers without a name, not used"})
    columns = {name: column_cells(level.to_series()) for name, level in kept.items() if name not in frame.columns}
    return columns, {"index": f"read as column {', '.join(columns)}"}


def _level_name(level: Any, at: int, count: int) -> str:
    if level.name is not None:
        return str(level.name)
    return "index" if count == 1 else f"index{at + 1}"


def _tells(level: Any) -> bool:
    """Whether an index has a name, or holds more than numbers."""
    return level.name is not None or getattr(level.dtype, "kind", "O") not in "iuf"


def _class_names(values: pl.Series, feature: Any) -> pl.Series:
    """The names of classes in place of their numbers, so that nobody takes them for scores; -1 is missing."""
    names = getattr(feature, "names", None)
    if not names or not values.dtype.is_integer():
        return values
    return values.replace_strict({at: str(name) for at, name in enumerate(names)}, default=None, return_dtype=pl.String)
