"""Tables as LaTeX with booktabs rules, captions and labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from similitude.report.tables import (
    Table,
    TableCell,
    corrected_table,
    part_tables,
    rank_change_table,
    ranking_table,
    threshold_table,
)
from similitude.study.breakdown import breakdown
from similitude.study.runs import Run

__all__ = ["LATEX_HEAD", "latex_table", "latex_tables"]

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

LATEX_HEAD = "% Written by Similitude. Needs \\usepackage{booktabs}."

SPECIAL = re.compile("|".join(map(re.escape, REPLACED)))


def latex_tables(run: Run, by: Sequence[str] = ()) -> str:
    """The ranking, thresholds, corrected correlations, rank changes, and a table for every part by these columns."""
    usual = ranking_table(run), threshold_table(run), corrected_table(run), rank_change_table(run)
    tables = [table for table in usual if table is not None]
    tables += [table for found in breakdown(run, by) for table in part_tables(run, found)]
    return "\n\n".join([LATEX_HEAD, *(latex_table(table, run.data.name) for table in tables)]) + "\n"


def latex_table(table: Table, data: str) -> str:
    """One table; its label includes the name of the data."""
    rows = [*(_row([_cell(cell) for cell in row]) for row in table.rows)]
    notes = [rf"\textsuperscript{{{number}}}~{_escaped(note)}\par" for number, note in enumerate(table.notes, 1)]
    return "\n".join(
        [
            r"\begin{table}[t]",
            r"\centering\small",
            rf"\caption{{{_escaped(table.caption)}}}",
            rf"\label{{tab:{_label(data)}-{table.name}}}",
            r"\begin{tabular}{" + "".join("r" if column.is_number else "l" for column in table.columns) + "}",
            r"\toprule",
            *_spans(table),
            _row([_escaped(column.head) for column in table.columns]),
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            *([r"\par\smallskip\footnotesize", *notes] if notes else []),
            r"\end{table}",
        ]
    )


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
    interval = rf" {{\scriptsize {_escaped(cell.interval)}}}" if cell.interval else ""
    return text + marks + interval


def _escaped(text: str) -> str:
    """Text escaped for LaTeX, on one line."""
    return " ".join(SPECIAL.sub(lambda found: REPLACED[found[0]], text).split())


def _label(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "run"
