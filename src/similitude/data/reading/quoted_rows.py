"""Exact parser of separated text: slower than `regular_rows`, but accepts irregular quoting and locates errors."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from similitude.data.reading.problems import RowProblem
from similitude.data.reading.records import RecordBuilder, Records
from similitude.data.reading.text_decoder import LONGEST_LINE
from similitude.errors import FormatError

__all__ = ["quoted_records", "unquoted_records"]

QUOTES = re.compile('"+')


def unquoted_records(lines: Sequence[str], separator: str, width: int = 0) -> Records:
    """One record per line; quotes are part of the text, and blank lines are ignored.

    Args:
        lines: the text.
        separator: between fields.
        width: the least number of fields; shorter records are filled with empty fields.
    """
    builder = RecordBuilder(width)
    for number, line in enumerate(lines, start=1):
        builder.add(line.split(separator) if line else [], number, number)
    return builder.records()


def quoted_records(lines: Sequence[str], separator: str, name: str) -> Records:
    """Records whose fields may be quoted; quoted fields may contain separators and line breaks.

    A quote that is never closed spoils only its own line: parsing continues on the next one.
    """
    builder = RecordBuilder()
    problems: list[RowProblem] = []
    begun = 0
    with _fields_as_long_as_lines():
        while begun < len(lines):
            reader = csv.reader(_from_line(lines, begun), delimiter=separator, strict=True)
            offset = begun
            try:
                for row in reader:
                    end = offset + reader.line_num
                    builder.add(row, begun + 1, end)
                    begun = end
                begun = len(lines)
            except csv.Error as error:
                problem = _broken_record(lines, begun, offset + reader.line_num, separator, name, str(error))
                problems.append(problem)
                begun = problem.place
    return builder.records(problems)


def _from_line(lines: Sequence[str], begun: int) -> Iterator[str]:
    return (lines[position] + "\n" for position in range(begun, len(lines)))


@contextmanager
def _fields_as_long_as_lines() -> Iterator[None]:
    """Raise the limit of the csv module, which rejects fields of more than 131,072 characters by default."""
    usual = csv.field_size_limit(LONGEST_LINE)
    try:
        yield
    finally:
        csv.field_size_limit(usual)


def _broken_record(
    lines: Sequence[str], begun: int, reached: int, separator: str, name: str, why: str
) -> RowProblem:  # fmt: skip
    """The problem of a record that begins below line ``begun`` and breaks at line ``reached``."""
    if "new-line" in why:
        line, what, remedy = reached, "an unquoted text contains a carriage return", "quote the text"
    else:
        line, closes = _open_quote(lines, begun, reached, separator)
        same = closes and line == reached
        what = "text after a closing quote" if same else "a quote opens here and does not close"
        remedy = "double the quotes inside a quoted text"
    return RowProblem(place=line, where=f"{name}, line {line}", what=what, remedy=remedy, error=FormatError)


def _open_quote(lines: Sequence[str], begun: int, reached: int, separator: str) -> tuple[int, bool]:
    """The line on which the quote that breaks the record opens, and whether it closes again before more text."""
    opened, inside = reached, False
    for number in range(begun + 1, reached + 1):
        for run, before, after in _quote_runs(lines[number - 1].removesuffix("\r")):
            if not inside and before not in ("", separator):
                continue  # inside an unquoted text, a quote is part of the text
            opened = opened if inside else number
            inside = run % 2 == 0 if inside else run % 2 == 1
            if not inside and after not in ("", separator):
                return opened, True
    return opened, False


def _quote_runs(line: str) -> Iterator[tuple[int, str, str]]:
    """The length of every run of quotes, with the characters before and after it."""
    for run in QUOTES.finditer(line):
        yield len(run[0]), line[run.start() - 1 : run.start()], line[run.end() : run.end() + 1]
