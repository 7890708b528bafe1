"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from similitude.report.fitted_table import FirstFitting, FittedColumn, FittedTable
from similitude.report.tables import Table, TableCell, TableColumn, part_tables
from similitude.report.tables.breakdown import too_small
from similitude.study.breakdown import Breakdown
from similitude.study.runs import Run

__all__ = ["fitted_table", "terminal_parts", "terminal_table", "terminal_view"]


def terminal_table(table: Table) -> RenderableType:
    """Heads, rows, caption and numbered notes. Where the width is short, intervals stand below their figures."""
    shown = FirstFitting((fitted_table(table), fitted_table(table, between="\n")))
    notes = [Text(f"({number}) {note}", style="dim") for number, note in enumerate(table.notes, start=1)]
    return Group(shown, Text(table.caption, style="dim"), *notes)


def terminal_view(summary: str, tables: Iterable[Table], *, warning: str = "", notes: Iterable[str] = ()) -> Group:
    """A summary in bold, a warning, tables, and notes in small print."""
    parts: list[RenderableType] = [Text(summary, style="bold")]
    if warning:
        parts.append(Text(warning, style="bold yellow"))
    return Group(*parts, *map(terminal_table, tables), *(Text(note, style="dim") for note in notes))


def fitted_table(table: Table, *, between: str = " ", intervals: Iterable[int] | None = None) -> FittedTable:
    """A table without its caption and notes.

    Args:
        table: the table.
        between: separates a figure from its interval: a blank or a new line.
        intervals: the columns whose intervals are shown; None for all.
    """
    shown = frozenset(range(len(table.columns)) if intervals is None else intervals)
    return FittedTable(
        columns=tuple(
            _column(column, above, table) for column, above in zip(table.columns, _above(table), strict=True)
        ),
        rows=tuple(
            tuple(_cell(cell, between if place in shown else None) for place, cell in enumerate(row))
            for row in table.rows
        ),
    )


def _column(column: TableColumn, above: str, table: Table) -> FittedColumn:
    is_named = any(each.is_header for each in table.columns)
    if column.is_header or column.is_key or (not is_named and column is table.columns[0]):
        return FittedColumn(head=column.head, holds="name", above=above)
    if column.is_number:
        return FittedColumn(head=column.head.replace(" ", "\n"), above=above)
    return FittedColumn(head=column.head, holds="text", above=above)


def _above(table: Table) -> Iterator[str]:
    """The head above each column's own: that of its span."""
    if not table.spans:
        yield from [""] * len(table.columns)
    for span in table.spans:
        yield from [span.head] * span.columns


def terminal_parts(run: Run, found: Breakdown) -> RenderableType:
    """A table for every part of the items, and the names of parts that were too small."""
    shown = [terminal_table(table) for table in part_tables(run, found)]
    left_aside = too_small(found.too_small)
    return Group(*shown, *([Text(f"{found.column}: {left_aside}", style="dim")] if left_aside else []))


def _cell(cell: TableCell, between: str | None) -> Text:
    """A cell; its interval is left out if nothing separates it from the figure."""
    style = "bold green" if cell.is_best else "underline" if cell.is_underlined else ""
    text = Text(cell.text, style=style)
    if cell.letters:
        text.append(f" {cell.letters}", "dim")
    if cell.interval and between is not None:
        text.append(f"{between}{cell.interval}", "dim")
    if cell.note:
        text.append(f" ({cell.note})", "dim")
    return text
