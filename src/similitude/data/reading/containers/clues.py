"""Clues: why the columns of a separated text were not recognised, and the flags that may help."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from similitude.data.reading.column_names import column_flag, plain_name
from similitude.data.reading.containers.dialects import (
    TextDialect,
    fields,
    find_dialect,
    is_header,
    is_number,
    shown_separator,
)
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.source import BenchmarkSource

__all__ = ["Clue", "column_flags", "find_clue", "has_two_texts", "lines_above", "numbered_fields"]

LINES_ABOVE = 20
"""So many lines above a table are looked at."""

MARKS = re.compile(r"""[^\w\s"'.,!?()-]+""")
"""Marks between words that may separate fields, but are not usual."""

LONGEST_MARK = 5


class Clue(NamedTuple):
    """What is odd about a text, on which line, and what may be done."""

    line: int
    what: str
    remedy: str


def find_clue(text: str, found: TextDialect, source: BenchmarkSource, names: Collection[str]) -> Clue | None:
    """The first clue that there is; None if nothing is odd.

    Args:
        text: the beginning of the file, cut at the end of a line.
        found: its dialect.
        source: what the user said about the file.
        names: plain names that a header is likely to have.
    """
    if not found.rows:
        return None
    clues = (
        _unused_separator(text, found, source, names),
        _denied_header(found, source, names),
        lines_above(text, source, names),
        _unusual_separator(text, found, source),
    )
    return next((clue for clue in clues if clue is not None), None)


def _unused_separator(text: str, found: TextDialect, source: BenchmarkSource, names: Collection[str]) -> Clue | None:
    if source.separator is None or any(len(row) > 1 for row in found.rows):
        return None
    usual = find_dialect(text, names)
    named = shlex.quote(shown_separator(usual.separator))
    others = f"; --separator {named} splits the first line into {len(usual.first)} fields"
    what = f"the separator {source.separator!r} is not in the first {len(found.rows)} lines"
    return Clue(1, what, f"name another, or leave out --separator{others if len(usual.first) > 1 else ''}")


def _denied_header(found: TextDialect, source: BenchmarkSource, names: Collection[str]) -> Clue | None:
    if source.header is not False or not _known(found.first, names) or not is_header(found.rows, names, {}):
        return None
    return Clue(1, f"this looks like names of columns: {listing(found.first, 8)}", "leave out --header no")


def lines_above(text: str, source: BenchmarkSource, names: Collection[str]) -> Clue | None:
    """A clue if a table begins below the first line, under a title or comments."""
    lines = re.split("\r?\n|\r", text)
    written = [at for at, line in enumerate(lines) if line.strip()]
    first = written[0] if written else 0
    for at in written[1:LINES_ABOVE]:
        below = find_dialect("\n".join(lines[at:]), names, separator=source.separator)
        if _begins_table(below, lines[first], names):
            what = f"this is no header: {excerpt(lines[first])}"
            return Clue(first + 1, what, f"the table seems to begin at line {at + 1}: remove the lines above it")
    return None


def _begins_table(below: TextDialect, line: str, names: Collection[str]) -> bool:
    width = len(below.first)
    if width < 2 or len(below.rows) < 2 or any(len(row) != width for row in below.rows):
        return False
    above = [field.strip() for field in fields(line, below.separator)]
    if _known(above, names):
        return False
    return bool(_known(below.first, names)) or (len(above) == 1 and len(below.rows) > 2)


def _known(row: Sequence[str], names: Collection[str]) -> int:
    return len({plain_name(field) for field in row} & set(names))


def _unusual_separator(text: str, found: TextDialect, source: BenchmarkSource) -> Clue | None:
    if source.separator is not None or len(found.first) > 1:
        return None
    lines = [line for line in re.split("\r?\n|\r", text) if line.strip()][:200]
    for mark in _marks(lines[0]):
        rows = [fields(line, mark) for line in lines]
        if len(rows) > 1 and all(len(row) == len(rows[0]) for row in rows) and all(map(str.strip, rows[0])):
            remedy = f"--separator {shlex.quote(shown_separator(mark))} splits every row into {len(rows[0])} fields"
            return Clue(1, f"no usual separator splits the line: {excerpt(lines[0])}", remedy)
    return None


def _marks(line: str) -> Iterator[str]:
    """What may separate the fields of a line: marks, and single spaces where there are several."""
    runs = (run[:LONGEST_MARK] for run in MARKS.findall(line))
    yield from dict.fromkeys(mark for run in runs for mark in (run, run[0]))
    if line.strip().count(" ") > 1:
        yield " "


def numbered_fields(row: Sequence[str], limit: int = 8) -> str:
    """The fields of a row with the numbers of their columns, in one line."""
    shown = [f"{at} {excerpt(field, 24)}" for at, field in enumerate(row[:limit], start=1)]
    return ", ".join([*shown, *([f"{len(row) - limit} more"] if len(row) > limit else [])])


def column_flags(found: TextDialect) -> str:
    """The options that say which column is what; their values are left to the user."""
    name = "NAME" if found.header else "NUMBER"
    said = [column_flag(ours, name) for ours in ("left", "right", "score")]
    return " ".join([*(["--header no"] if not found.header else []), *said])


def has_two_texts(found: TextDialect) -> bool:
    """Whether two columns hold texts, as those of a benchmark do."""
    columns = [
        column for column in _columns(found) if not (column and all(is_number(cell) or not cell for cell in column))
    ]
    return sum(map(_is_prose, columns)) > 1 or _are_words(columns)


def _columns(found: TextDialect) -> list[list[str]]:
    body = found.rows if not found.header else found.rows[1:]
    whole = [row for row in body if len(row) == len(found.first)]
    return [[row[at].strip() for row in whole] for at in range(len(found.first))]


def _is_prose(column: Sequence[str]) -> bool:
    """Whether many cells have several words, unlike ids."""
    return sum(" " in cell for cell in column) > len(column) / 4


def _are_words(columns: Sequence[Sequence[str]]) -> bool:
    """Whether there are two columns of single words, without figures, as tables of similar words have them."""
    return len(columns) == 2 and all(cell.isalpha() for column in columns for cell in column)
