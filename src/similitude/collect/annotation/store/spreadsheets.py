"""CSV that is safe in spreadsheets: cells that look like formulas get an apostrophe."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

__all__ = ["FORMULA", "csv_lines", "guarded", "read_csv", "unguarded"]

FORMULA = ("=", "+", "-", "@", "\t", "\r")
LISTS = ("items", "shown")
BOOLEANS = ("applies", "current", "excluded", "stopped")
WHOLE = ("question_version", "batch", "position")
NUMBERS = ("seconds", "value")


def guarded(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would take it for a formula.

    A text that begins with an apostrophe gets another one, so that `unguarded` can undo it.

    >>> guarded("=1+1"), guarded("a=1"), unguarded(guarded("'=x"))
    ("'=1+1", 'a=1', "'=x")
    """
    return f"'{text}" if text.startswith((*FORMULA, "'")) else text


def unguarded(text: str) -> str:
    """The text that `guarded` was given."""
    return text[1:] if text.startswith("'") else text


def csv_lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A header and one line per row. Lists are written as JSON, and nulls are empty."""
    header: list[str] | None = None
    for row in rows:
        if header is None:
            header = list(row)
            yield _line(header)
        yield _line([_cell(row.get(name)) for name in header])


def _line(cells: Iterable[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(cells)
    return buffer.getvalue()


def _cell(value: Any) -> str:
    """A cell; numbers stay as they are, since a negative number is no formula."""
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    return guarded(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def read_csv(text: str) -> list[dict[str, Any]]:
    """The rows that `csv_lines` was given.

    Raises:
        ValueError: a cell has the wrong type for its column.
    """
    table = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    return [{name: _value(name, cell) for name, cell in row.items() if name is not None} for row in table]


def _value(name: str, cell: str | None) -> Any:
    if cell is None or cell == "":
        return None
    if name in BOOLEANS:
        return {"true": True, "false": False}[cell.lower()]
    if name in WHOLE:
        return int(cell)
    if name in NUMBERS:
        return float(cell)
    plain = unguarded(cell)
    return json.loads(plain) if name in LISTS else plain
