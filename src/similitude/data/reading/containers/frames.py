"""Raw columns from data frames and datasets of other libraries, which their objects bring along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from similitude.data.reading.containers.cells import column_cells
from similitude.data.reading.problems import excerpt
from similitude.data.reading.tables import Column, RawTable, numbered
from similitude.errors import ColumnError

__all__ = ["arrow_table", "dataset_table", "pandas_table"]


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
    own = split or (str(dataset.split) if dataset.split is not None else None)
    constants = {} if own is None else {"split": own}
    return _table(columns, name, f"datasets {type(dataset).__name__}", {}, constants)


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
