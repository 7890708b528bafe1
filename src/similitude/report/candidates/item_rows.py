"""The first items as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import polars as pl

from similitude.report.candidates.words import shortened
from similitude.report.tables import Table, TableCell, TableColumn

__all__ = ["first_rows"]

ROWS: Final = 8
COLUMNS: Final = ("id", "context", "left", "right", "condition", "group", "language", "domain", "source")


def first_rows(frame: pl.DataFrame, rows: int = ROWS) -> Table:
    """The first items, without columns in which there is nothing."""
    head = frame.head(rows)
    names = [name for name in COLUMNS if name in frame.columns and head[name].null_count() < max(head.height, 1)]
    columns = tuple(
        TableColumn(head=name, is_number=False, is_header=name == "id", is_text=name != "id") for name in names
    )
    shown = (
        f"The first {head.height} of {frame.height:,} items." if frame.height > rows else f"All {frame.height} items."
    )
    return Table(name="first-items", caption=shown, columns=columns, rows=tuple(_rows(head.select(names))))


def _rows(head: pl.DataFrame) -> Iterator[tuple[TableCell, ...]]:
    for row in head.iter_rows():
        yield tuple(_cell(value) for value in row)


def _cell(value: object) -> TableCell:
    text = "\n".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
    return TableCell(text=shortened(text))
