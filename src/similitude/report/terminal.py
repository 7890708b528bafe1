"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table as TerminalTable
from rich.text import Text

from similitude.report.tables import Table, TableCell, part_tables
from similitude.report.tables.breakdown import too_small
from similitude.study.breakdown import Breakdown
from similitude.study.runs import Run

__all__ = ["terminal_parts", "terminal_table", "terminal_view"]


def terminal_table(table: Table) -> RenderableType:
    """Heads, rows, caption and numbered notes."""
    shown = TerminalTable(header_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for column, above in zip(table.columns, _above(table), strict=True):
        justify: Literal["left", "right"] = "right" if column.is_number else "left"
        head = above + (column.head.replace(" ", "\n") if column.is_number else column.head)
        shown.add_column(head, justify=justify, no_wrap=column.is_number, vertical="top")
    for row in table.rows:
        shown.add_row(*(_cell(cell) for cell in row))
    notes = [Text(f"({number}) {note}", style="dim") for number, note in enumerate(table.notes, start=1)]
    return Group(shown, Text(table.caption, style="dim"), *notes)


def terminal_view(summary: str, tables: Iterable[Table], *, warning: str = "", notes: Iterable[str] = ()) -> Group:
    """A summary in bold, a warning, tables, and notes in small print."""
    parts: list[RenderableType] = [Text(summary, style="bold")]
    if warning:
        parts.append(Text(warning, style="bold yellow"))
    return Group(*parts, *map(terminal_table, tables), *(Text(note, style="dim") for note in notes))


def _above(table: Table) -> list[str]:
    """The line above each head: a span's head over the first of its columns."""
    if not table.spans:
        return [""] * len(table.columns)
    return [
        f"{span.head if first else ''}\n" for span in table.spans for first in [True, *[False] * (span.columns - 1)]
    ]


def terminal_parts(run: Run, found: Breakdown) -> RenderableType:
    """A table for every part of the items, and the names of parts that were too small."""
    shown = [terminal_table(table) for table in part_tables(run, found)]
    left_aside = too_small(found.too_small)
    return Group(*shown, *([Text(f"{found.column}: {left_aside}", style="dim")] if left_aside else []))


def _cell(cell: TableCell) -> Text:
    style = "bold green" if cell.is_best else "underline" if cell.is_underlined else ""
    text = Text(cell.text, style=style)
    if cell.letters:
        text.append(f" {cell.letters}", "dim")
    if cell.interval:
        text.append(f" {cell.interval}", "dim")
    if cell.note:
        text.append(f" ({cell.note})", "dim")
    return text
