"""Clues: why the columns of a separated text were not recognised, and the flags that may help."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
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

LIKE_SCORE = re.compile("score|label|duplic|similar|relat|rating|gold|match|same|equal")
"""What names of scores have in common, in lower case."""


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
    """Flags that say which column is what, guessed from the first rows; to be copied, never used unasked."""
    columns = _columns(found)
    named = found.names if found.header else [str(at + 1) for at in range(len(columns))]
    unknown = "NAME" if found.header else "NUMBER"
    places = _guessed(columns, named if found.header else ())
    names = {ours: named[at] if at is not None else unknown for ours, at in places.items()}
    names = {"left": unknown, "right": unknown} | {ours: name for ours, name in names.items() if name.isprintable()}
    said = [column_flag(ours, names[ours]) for ours in ("id", "left", "right", "score") if ours in names]
    return " ".join([*(["--header no"] if not found.header else []), *said])


def has_two_texts(found: TextDialect) -> bool:
    """Whether two columns hold texts, as those of a benchmark do."""
    return len(found.first) > 1 and "right" in _guessed(_columns(found))


def _columns(found: TextDialect) -> list[list[str]]:
    body = found.rows if not found.header else found.rows[1:]
    whole = [row for row in body if len(row) == len(found.first)]
    return [[row[at].strip() for row in whole] for at in range(len(found.first))]


def _guessed(columns: Sequence[Sequence[str]], named: Sequence[str] = ()) -> dict[str, int | None]:
    """Our columns to the numbers of theirs: the two longest texts, the scores, the running numbers.

    Of several columns of numbers with names, the score is the one named like a score, or None: nobody can tell.
    """
    numbers = [
        at for at, column in enumerate(columns) if column and all(is_number(cell) or not cell for cell in column)
    ]
    texts = [at for at in range(len(columns)) if at not in numbers]
    prose = [at for at in texts if _is_prose(columns[at])] or (texts if _are_words(columns, texts) else [])
    longest = sorted(sorted(prose, key=lambda at: -sum(map(len, columns[at])))[:2])
    running = [at for at in numbers if _runs(columns[at])]
    scores = [at for at in numbers if at not in running]
    like = [at for at in scores if named and LIKE_SCORE.search(plain_name(named[at]))]
    score: list[int | None] = [None] if named and len(scores) > 1 and not like else [*(like or scores)[-1:]]
    places: dict[str, Sequence[int | None]] = {"id": running[:1], "left": longest[:1], "right": longest[1:2]}
    places["score"] = score
    return {ours: at[0] for ours, at in places.items() if at}


def _is_prose(column: Sequence[str]) -> bool:
    """Whether many cells have several words, unlike ids."""
    return sum(" " in cell for cell in column) > len(column) / 4


def _are_words(columns: Sequence[Sequence[str]], texts: Sequence[int]) -> bool:
    """Whether two columns hold single words, without figures, as tables of similar words do."""
    return len(texts) == 2 and all(cell.isalpha() for at in texts for cell in columns[at])


def _runs(column: Sequence[str]) -> bool:
    """Whether a column counts the rows."""
    try:
        values = [int(cell) for cell in column]
    except ValueError:
        return False
    return len(values) > 1 and all(after == before + 1 for before, after in pairwise(values))
