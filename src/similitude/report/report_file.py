"""A run or a suite as a file: a page, tables, or plain figures, by the ending of its name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError
from similitude.report.latex import LatexTables, latex_tables
from similitude.report.markdown import markdown_tables
from similitude.report.page import report_page
from similitude.report.page.sheet import csv_text, sheet_page
from similitude.report.suite import suite_latex, suite_markdown, suite_sheet
from similitude.study.runs import Run
from similitude.study.suite import SuiteRun

__all__ = ["write_report"]


def write_report(found: Run | SuiteRun, path: str | Path) -> Path:
    """Write a report, completely or not at all; returns its path.

    Raises:
        ArgumentError: the ending is unknown, or the file cannot be written.
    """
    target = Path(path)
    written = WRITERS.get(target.suffix.lower())
    if written is None:
        what = f"'{target.name}' has no ending that says what to write"
        raise ArgumentError(what, remedy=f"end it in one of: {', '.join(WRITERS)}")
    text = written(found)
    write_atomically(target, lambda draft: draft.write_text(text, encoding="utf-8"))
    return target


def _page(found: Run | SuiteRun) -> str:
    return report_page(found) if isinstance(found, Run) else sheet_page(suite_sheet(found))


def _markdown(found: Run | SuiteRun) -> str:
    return markdown_tables(found) if isinstance(found, Run) else suite_markdown(found)


def _latex(found: Run | SuiteRun) -> str:
    """The tables; notes on what had to be scaled are comments above them."""
    tables: LatexTables = latex_tables(found) if isinstance(found, Run) else suite_latex(found)
    return "".join(f"% {note}\n" for note in tables.notes) + tables.text


def _csv(found: Run | SuiteRun) -> str:
    return csv_text(found.rows())


def _json(found: Run | SuiteRun) -> str:
    return json.dumps(found.record(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


WRITERS: Mapping[str, Callable[[Run | SuiteRun], str]] = {
    ".html": _page,
    ".htm": _page,
    ".md": _markdown,
    ".tex": _latex,
    ".csv": _csv,
    ".json": _json,
}
