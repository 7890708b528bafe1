"""Tables as GitHub Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from similitude.report.notation import SIMULATED, data_line
from similitude.report.tables import (
    Table,
    TableCell,
    breakdown_tables,
    corrected_table,
    part_tables,
    rank_change_table,
    ranking_table,
    threshold_table,
)
from similitude.report.tables.table import full_heads, only_measures
from similitude.study.breakdown import breakdown
from similitude.study.runs import Run

__all__ = ["escaped", "markdown_table", "markdown_tables"]

SPECIAL = re.compile(r"([\\`*_\[\]<>|~&$])")


def markdown_tables(run: Run, by: Sequence[str] = (), columns: Sequence[str] = ()) -> str:
    """The ranking, thresholds, corrected correlations, rank changes, and the breakdown on the first measure.

    Args:
        run: the run.
        by: item columns whose parts are shown on all measures instead of that breakdown.
        columns: measures that the ranking shows; by default all.
    """
    parts = [f"# {escaped(run.data.name)}", escaped(data_line(run))]
    if run.data.is_simulated:
        parts.append(f"**{SIMULATED}:** {escaped(run.data.judged_by or '')}")
    tables = [
        only_measures(ranking_table(run), columns),
        threshold_table(run),
        corrected_table(run),
        rank_change_table(run),
    ]
    if by:
        tables += [table for found in breakdown(run, by) for table in part_tables(run, found)]
    else:
        tables += [table for found in breakdown_tables(run, breakdown(run)) for table in found.tables[:1]]
    return "\n\n".join([*parts, *(markdown_table(table) for table in tables if table is not None)]) + "\n"


def markdown_table(table: Table) -> str:
    """One table: its caption, its rows, its notes."""
    heads = _row([escaped(head) for head in full_heads(table)])
    rule = _row(["---:" if column.is_number else "---" for column in table.columns])
    rows = [_row([_cell(cell) for cell in row]) for row in table.rows]
    notes = [f"<sup>{number}</sup> {escaped(note)}  " for number, note in enumerate(table.notes, 1)]
    body = "\n".join([heads, rule, *rows])
    return "\n\n".join(filter(None, (escaped(table.caption), body, "\n".join(notes))))


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: TableCell) -> str:
    text = f"<u>{escaped(cell.text)}</u>" if cell.is_underlined else escaped(cell.text)
    text = f"**{text}**" if cell.is_best else text
    marks = f"<sup>{escaped(cell.letters)}</sup>" if cell.letters else ""
    interval = f" {cell.interval}" if cell.interval else ""
    return text + marks + interval + (f"<sup>{cell.note}</sup>" if cell.note else "")


def escaped(text: str) -> str:
    """Text escaped for Markdown, on one line."""
    return " ".join(SPECIAL.sub(r"\\\1", text).split())
