"""Raw columns from separated text with any separator, with or without a header."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

import polars as pl

from similitude.data.reading.containers.clues import lines_above
from similitude.data.reading.containers.dialects import (
    SPACES,
    TextDialect,
    find_dialect,
    shown_separator,
)
from similitude.data.reading.containers.kinds import SIZE, Kind, opening_of, opening_text, whole_lines
from similitude.data.reading.problems import RowProblem, listing
from similitude.data.reading.separated_text import Dialect, mapped_table, tolerant_table
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import RawTable
from similitude.data.reading.text_decoder import DecodedText, encoding_of, load_text
from similitude.errors import FormatError

__all__ = ["REPEATED", "dialect_of", "read_separated_text", "refuse_unused_separator"]

REPEATED = "the row repeats the header"
"""What is wrong with a row of names in the midst of a file that was joined from several."""

UNUSED = "\x1f\x1e\x1d\x1c"
"""Characters that stand in for a separator of several characters, if the text does not have them."""


def dialect_of(source: BenchmarkSource, names: Collection[str]) -> TextDialect:
    """The dialect of a file, as far as the user named it and its first rows tell."""
    opening = opening_of(source.path)
    text = opening_text(source.path, opening, source.encoding)
    return find_dialect(
        text,
        names,
        columns=source.columns,
        separator=source.separator,
        header=source.header,
        whole=len(opening) < SIZE,
    )


def read_separated_text(source: BenchmarkSource, names: Collection[str]) -> RawTable:
    """The raw columns of a text.

    Args:
        source: the file.
        names: plain names that a header is likely to have.

    Raises:
        FormatError: two separators fit, or it cannot be told whether there is a header.
        InputError: the file is missing, empty, or has no rows below its header.
    """
    found = dialect_of(source, names)
    _refuse_rivals(source, found)
    _refuse_lines_above(source, found, names)
    _refuse_unknown_header(source, found)
    table = _regular_table(source, found)
    if table is None:
        text, separator = _one_character(load_text(source.path, source.encoding), found.separator)
        table = tolerant_table(text, _dialect(found, separator))
    if found.header:
        table = replace(table, problems=(*table.problems, *_repeated_headers(table)))
    return replace(table, container=Kind.SEPARATED.value, details={**table.details, **_details(source, found)})


def refuse_unused_separator(source: BenchmarkSource, names: Collection[str]) -> None:
    """Check the separator that the user named for a text of several columns.

    Args:
        source: a file that holds separated text.
        names: plain names that a header is likely to have.

    Raises:
        FormatError: the separator is nowhere in the file.
    """
    found = dialect_of(source, names)
    if source.separator is None or found.separator == SPACES or any(len(row) > 1 for row in found.rows):
        return
    if found.separator.encode() not in load_text(source.path, source.encoding).data:
        raise FormatError(
            f"the separator {source.separator!r} is nowhere in the file",
            where=source.path.name,
            remedy="name another, or leave out --separator",
        )


def _regular_table(source: BenchmarkSource, found: TextDialect) -> RawTable | None:
    """The raw columns of a large file, if they can be had without reading it as a whole."""
    if len(found.separator.encode()) > 1:
        return None
    return mapped_table(source.path, _dialect(found, found.separator), source.encoding)


def _dialect(found: TextDialect, separator: str) -> Dialect:
    return Dialect(
        separator=separator,
        written="" if separator == found.separator else shown_separator(found.separator),
        quoted=separator == found.separator,
        header=None if found.header else tuple(found.names),
        widths=frozenset() if found.header else frozenset({len(found.names)}),
    )


def _one_character(text: DecodedText, separator: str) -> tuple[DecodedText, str]:
    """The text with a separator of one character, and this character."""
    if len(separator.encode()) == 1:
        return text, separator
    unused = next((each for each in UNUSED if each.encode() not in text.data), None)
    if unused is None:
        remedy = "remove control characters from the texts"
        raise FormatError(f"cannot be split at {separator!r}", where=text.name, remedy=remedy)
    data = re.sub(b"  +", unused.encode(), text.data) if separator == SPACES else None
    if data is None:
        data = text.data.replace(separator.encode(), unused.encode())
    return DecodedText(name=text.name, data=data, problems=text.problems), unused


def _refuse_rivals(source: BenchmarkSource, found: TextDialect) -> None:
    if found.rivals and source.separator is None:
        shown = " and ".join(repr(shown_separator(each)) for each in (found.separator, *found.rivals))
        raise FormatError(
            f"both {shown} split every row into as many columns",
            where=source.path.name,
            remedy=f"name the separator: --separator {shown_separator(found.separator)!r}",
        )


def _refuse_unknown_header(source: BenchmarkSource, found: TextDialect) -> None:
    if found.header is None:
        raise FormatError(
            f"cannot tell whether the first row names the columns: {listing(found.first, 8)}",
            where=f"{source.path.name}, line 1",
            remedy="say so: --header yes or --header no",
        )


def _refuse_lines_above(source: BenchmarkSource, found: TextDialect, names: Collection[str]) -> None:
    """Refuse a title or comments above the header, which would be taken for the header."""
    if source.header is False or all(len(row) == len(found.first) for row in found.rows):
        return
    clue = lines_above(whole_lines(source.path, source.encoding), source, names)
    if clue is not None:
        raise FormatError(clue.what, where=f"{source.path.name}, line {clue.line}", remedy=clue.remedy)


def _repeated_headers(table: RawTable) -> list[RowProblem]:
    """Problems of rows that repeat the header, as in files that were joined with their headers."""
    texts = {name: column for name, column in table.columns.items() if isinstance(column, pl.Series)}
    if not texts or not len(table):
        return []
    rows = [row for row in _candidates(texts) if all((column[row] or "").strip() == n for n, column in texts.items())]
    remedy = "remove it; the file was joined from several"
    return [table.problem(row, REPEATED, remedy, FormatError) for row in rows]


def _candidates(texts: Mapping[str, pl.Series]) -> list[int]:
    """The rows whose first cell is the name of its column."""
    name, column = next(iter(texts.items()))
    return (column == name).arg_true().to_list()


def _details(source: BenchmarkSource, found: TextDialect) -> dict[str, str]:
    said = {"separator": source.separator is not None, "header": source.header is not None}
    opening = opening_of(source.path)
    return {
        "separator": shown_separator(found.separator),
        "encoding": encoding_of(opening, source.encoding)[0],
        "header": "yes" if found.header else "no",
        "found out": ", ".join(name for name, named in said.items() if not named) or "nothing",
    }
