"""Tables as LaTeX with booktabs rules, captions and labels, never wider than the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from similitude.report.tables import (
    Table,
    TableCell,
    corrected_table,
    part_tables,
    rank_change_table,
    ranking_table,
    threshold_table,
)
from similitude.report.tables.table import only_measures
from similitude.study.breakdown import breakdown
from similitude.study.runs import Run

__all__ = ["LATEX_HEAD", "LatexTables", "latex_document", "latex_table", "latex_tables"]

REPLACED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "[": "{[}",
    "]": "{]}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "–": "--",
    "…": r"\ldots{}",
    "ρ": r"$\rho$",
    "σ": r"$\sigma$",
}
"""Brackets are in braces because LaTeX would read one at the start of a row as an argument of ``\\\\``."""

LATEX_HEAD = "% Written by Similitude. Needs \\usepackage{booktabs,graphicx}, and {rotating} for landscape tables."

TEXT_WIDTH = 345.0
"""The width of the text in points, in the article class."""
TEXT_HEIGHT = 550.0
LETTER, SMALL_LETTER = 4.6, 3.5
"""The usual width of a letter in points, of \\small text and of intervals."""
GAP = 12.0
"""Between two columns."""
READABLE = 0.75
"""Smaller text is hard to read on paper."""

SPECIAL = re.compile("|".join(map(re.escape, REPLACED)))


class LatexTables(NamedTuple):
    """Tables in LaTeX, and what to do about those that would have to shrink to be read."""

    text: str
    notes: tuple[str, ...]


def latex_tables(
    run: Run, by: Sequence[str] = (), columns: Sequence[str] = (), *, is_landscape: bool = False
) -> LatexTables:
    """The ranking, thresholds, corrected correlations, rank changes, and a table for every part by these columns.

    Args:
        run: the run.
        by: item columns whose parts are shown.
        columns: measures that the ranking shows; by default all.
        is_landscape: whether tables are turned.
    """
    ranking = only_measures(ranking_table(run), columns)
    usual = ranking, threshold_table(run), corrected_table(run), rank_change_table(run)
    tables = [table for table in usual if table is not None]
    tables += [table for found in breakdown(run, by) for table in part_tables(run, found)]
    return latex_document(tables, run.data.name, is_landscape=is_landscape)


def latex_document(tables: Sequence[Table], data: str, *, is_landscape: bool = False) -> LatexTables:
    """Several tables; their labels include the name of the data."""
    written = [latex_table(table, data, is_landscape=is_landscape) for table in tables]
    notes = [note for table in tables for note in _shrunk(table, is_landscape=is_landscape)]
    return LatexTables("\n\n".join([LATEX_HEAD, *written]) + "\n", tuple(notes))


def latex_table(table: Table, data: str, *, is_landscape: bool = False) -> str:
    """One table that is never wider than the text; its label includes the name of the data.

    Intervals stand below their figures if the table would be too wide with both on one line. What is still too wide is
    scaled down.
    """
    environment = "sidewaystable" if is_landscape else "table"
    room = TEXT_HEIGHT if is_landscape else TEXT_WIDTH
    is_stacked = _width(table, is_stacked=False) > room
    rows = [line for row in table.rows for line in _lines(row, is_stacked=is_stacked)]
    notes = [rf"\textsuperscript{{{number}}}~{_escaped(note)}\par" for number, note in enumerate(table.notes, 1)]
    return "\n".join(
        [
            rf"\begin{{{environment}}}[t]" if not is_landscape else rf"\begin{{{environment}}}",
            r"\centering\small",
            rf"\caption{{{_escaped(table.caption)}}}",
            rf"\label{{tab:{_label(data)}-{table.name}}}",
            *([r"\setlength{\tabcolsep}{3pt}"] if is_stacked else []),
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            r"\begin{tabular}{" + "".join("r" if column.is_number else "l" for column in table.columns) + "}",
            r"\toprule",
            *_spans(table),
            _row([_escaped(column.head) for column in table.columns]),
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}}",
            *([r"\par\smallskip\footnotesize", *notes] if notes else []),
            rf"\end{{{environment}}}",
        ]
    )


def _width(table: Table, *, is_stacked: bool) -> float:
    """About how wide a table is, in points."""
    gap = GAP / 2 if is_stacked else GAP
    return sum(
        gap
        + max(
            LETTER * len(column.head),
            *(_cell_width(row[place], is_stacked=is_stacked) for row in table.rows),
            0.0,
        )
        for place, column in enumerate(table.columns)
    )


def _cell_width(cell: TableCell, *, is_stacked: bool) -> float:
    figure, interval = LETTER * len(cell.text) + SMALL_LETTER * len(cell.letters), SMALL_LETTER * len(cell.interval)
    return max(figure, interval) if is_stacked else figure + interval


def _shrunk(table: Table, *, is_landscape: bool) -> Iterator[str]:
    share = (TEXT_HEIGHT if is_landscape else TEXT_WIDTH) / _width(table, is_stacked=True)
    if share < READABLE:
        turn = "" if is_landscape else "--landscape, "
        yield (
            f"LaTeX table '{table.name}' is scaled to about {share:.0%} to fit the page; {turn}--columns and short "
            "--name make it larger"
        )


def _lines(row: tuple[TableCell, ...], *, is_stacked: bool) -> list[str]:
    """A row; its intervals on a line of their own if they are stacked."""
    if not is_stacked or not any(cell.interval for cell in row):
        return [_row([_cell(cell) for cell in row])]
    figures = _row([_cell(replace(cell, interval="")) for cell in row])
    intervals = _row([_interval(cell) for cell in row])
    return [figures.removesuffix(r"\\") + r"\\[-2pt]", intervals]


def _spans(table: Table) -> list[str]:
    """Spanning heads, each with a rule below."""
    if not table.spans:
        return []
    heads, rules, first = [], [], 1
    for span in table.spans:
        last = first + span.columns - 1
        heads.append(rf"\multicolumn{{{span.columns}}}{{c}}{{{_escaped(span.head)}}}")
        rules += [rf"\cmidrule(lr){{{first}-{last}}}"] if span.head else []
        first = last + 1
    return [_row(heads), "".join(rules)]


def _row(cells: list[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _cell(cell: TableCell) -> str:
    text = rf"\underline{{{_escaped(cell.text)}}}" if cell.is_underlined else _escaped(cell.text)
    text = rf"\textbf{{{text}}}" if cell.is_best else text
    marks = "".join(rf"\textsuperscript{{{mark}}}" for mark in (cell.letters, f"{cell.note or ''}") if mark)
    return f"{text}{marks} {_interval(cell)}".rstrip()


def _interval(cell: TableCell) -> str:
    return rf"{{\scriptsize {_escaped(cell.interval)}}}" if cell.interval else ""


def _escaped(text: str) -> str:
    """Text escaped for LaTeX, on one line."""
    return " ".join(SPECIAL.sub(lambda found: REPLACED[found[0]], text).split())


def _label(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "run"
