"""Members of objects in cells: ``labels.label`` names the member ``label`` of the objects in column ``labels``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from similitude.data.reading.tables import Column, RawTable

__all__ = ["member_names", "with_members"]


def with_members(table: RawTable, wanted: Iterable[str]) -> RawTable:
    """The table with a column for each member that the user named and that an object in the table has.

    Args:
        table: raw columns.
        wanted: the columns that the user named, such as ``labels.label``; names of whole columns are left alone.
    """
    found = {name: values for name in wanted if (values := _values(table.columns, name)) is not None}
    return replace(table, columns={**table.columns, **found}) if found else table


def member_names(column: str, value: Mapping[str, Any]) -> list[str]:
    """The names of the members of an object in a column.

    >>> member_names("labels", {"label": 3.7, "real-label": 3.71})
    ['labels.label', 'labels.real-label']
    """
    return [f"{column}.{member}" for member in value]


def _values(columns: Mapping[str, Column], name: str) -> list[Any] | None:
    column, point, member = name.partition(".")
    if name in columns or not point or column not in columns:
        return None
    cells = [cell if isinstance(cell, dict) else {} for cell in columns[column]]
    return [cell.get(member) for cell in cells] if any(member in cell for cell in cells) else None
