"""Raw columns from text whose fields are divided by separators."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from similitude.data.reading.mapped_text import mapped_text
from similitude.data.reading.problems import RowProblem, excerpt, listing
from similitude.data.reading.quoted_rows import quoted_records, unquoted_records
from similitude.data.reading.records import Records
from similitude.data.reading.regular_rows import marks_of, regular_records
from similitude.data.reading.tables import RawTable
from similitude.data.reading.text_decoder import DecodedText, load_text
from similitude.errors import ColumnError, FormatError, InputError

__all__ = ["Dialect", "mapped_table", "read_separated", "separated_table", "tolerant_table"]

SAMPLED = 1000
BEGINNING = 1 << 20
"""Bytes at the beginning of a text that are looked at for spaces before quotes."""
SPACED_QUOTES = r'(?s)^ +".*" *$'
ROW_END = r" *[-+]?[0-9]+(?:\.[0-9]+)?\r?\n"
UNQUOTED = "quotes do not enclose fields, so they are read as part of the text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A dialect of separated text.

    Attributes:
        separator: the character between two fields.
        written: how the file writes the separator, if it has several characters there.
        quoted: whether fields may be enclosed in quotes; if not, quotes are part of the text.
        header: the names of the fields, for files without a header.
        widths: the possible numbers of fields in a row, for files without a header; missing fields are null.
    """

    separator: str = ","
    written: str = ""
    quoted: bool = True
    header: tuple[str, ...] | None = None
    widths: frozenset[int] = frozenset()


def read_separated(path: Path, dialect: Dialect, encoding: str = "utf-8") -> RawTable:
    """The raw columns of a file.

    Raises:
        InputError: the file is missing, empty, or has no rows below its header.
    """
    table = mapped_table(path, dialect, encoding)
    return separated_table(load_text(path, encoding), dialect) if table is None else table


def mapped_table(path: Path, dialect: Dialect, encoding: str = "utf-8") -> RawTable | None:
    """The raw columns of a large regular file, which is not read into memory as a whole; None for other files."""
    text = mapped_text(path, encoding, count=marks_of(dialect.separator))
    if text is None:
        return None
    records = regular_records(text.data, dialect.separator, quoted=dialect.quoted, counts=text.counts, path=path)
    if records is None or (dialect.quoted and _rows_inside(records, dialect.separator)):
        return None
    return replace(_table(records, DecodedText(name=path.name, data=b""), dialect), without_nul=True)


def tolerant_table(text: DecodedText, dialect: Dialect) -> RawTable:
    """The raw columns of a text whose quotes may not match.

    In tab-separated text such quotes are part of the text, and a note says so.

    Raises:
        FormatError: with another separator, a quote reaches over whole rows.
    """
    records = _records(text, dialect)
    swallowed = _swallowed_row(records, text, dialect.separator) if dialect.quoted else None
    if dialect.separator == "\t" and dialect.quoted and (_has_broken_quotes(records) or swallowed is not None):
        table = separated_table(text, replace(dialect, quoted=False))
        return replace(table, notes=(f"{text.name}: {UNQUOTED}",))
    if swallowed is not None:
        what = "a quote opens here and closes lines later, but each of these lines is a whole row"
        raise FormatError(what, where=f"{text.name}, line {swallowed}", remedy="remove the quote, or double it")
    return _table(records, text, dialect)


def separated_table(text: DecodedText, dialect: Dialect) -> RawTable:
    """The raw columns of a text; a row with a wrong number of fields is a problem."""
    return _table(_records(text, dialect), text, dialect)


def _table(records: Records, text: DecodedText, dialect: Dialect) -> RawTable:
    header, widths = dialect.header, dialect.widths
    if header is None:
        header = _header(records, text)
        widths = frozenset({len(header)})
        records = _below_header(records, header, text)
    fits = records.fits(widths)
    wrong = [] if fits is None else np.flatnonzero(~fits).tolist()
    odd = [_wrong_width(records, row, text.name, dialect, widths) for row in wrong]
    good = records if fits is None else records.keep(fits)
    columns = _columns(good.frame, header)
    if dialect.quoted and f'{dialect.separator} "'.encode() in text.data[:BEGINNING]:
        _refuse_spaced_quotes(columns, text.name)
    return RawTable(
        file=text.name,
        columns=columns,
        starts=good.starts,
        ends=good.ends,
        problems=(*text.problems, *records.problems, *odd),
        container="separated text",
        details=_details(dialect),
    )


def _refuse_spaced_quotes(columns: Mapping[str, pl.Series], where: str) -> None:
    """Refuse quotes that stand after a space, where they enclose no field but would become part of every text."""
    for name, column in columns.items():
        some = column.head(SAMPLED).drop_nulls()
        if len(some) and int(some.str.contains(SPACED_QUOTES).sum()) > len(some) / 2:
            what = f"a space before quotes in column {excerpt(name)} makes them part of the texts: {excerpt(some[0])}"
            raise FormatError(what, where=where, remedy="remove the spaces between separators and quotes")


def _details(dialect: Dialect) -> dict[str, str]:
    """The dialect in words."""
    separator = dialect.written or dialect.separator
    return {
        "separator": "tab" if separator == "\t" else separator,
        "quotes": "enclose fields" if dialect.quoted else "part of the text",
        "header": "yes" if dialect.header is None else "no",
    }


def _has_broken_quotes(records: Records) -> bool:
    return any(problem.error is FormatError for problem in records.problems)


def _rows_inside(records: Records, separator: str) -> list[int]:
    """The rows of several lines that have tabs in a field or, with other separators, what may be the end of a row."""
    longer = np.flatnonzero(records.ends > records.starts)
    if not longer.size:
        return []
    inside = "\t" if separator == "\t" else re.escape(separator) + ROW_END
    held = records.frame[longer].select(pl.any_horizontal(pl.all().str.contains(inside).fill_null(value=False)))
    return [int(row) for row in longer[held.to_series().to_numpy()]]


def _swallowed_row(records: Records, text: DecodedText, separator: str) -> int | None:
    """The line of the first row with quotes that reach over lines each of which has all fields of a row."""
    rows = _rows_inside(records, separator)
    lines, separators = text.lines if rows else [], int(records.counts[0]) - 1 if rows else 0
    for row in rows if separators else ():
        span = lines[int(records.starts[row]) - 1 : int(records.ends[row])]
        if all(line.count(separator) == separators for line in span):
            return int(records.starts[row])
    return None


def _records(text: DecodedText, dialect: Dialect) -> Records:
    regular = regular_records(text.data, dialect.separator, quoted=dialect.quoted)
    if regular is not None:
        return regular
    if dialect.quoted:
        return quoted_records(text.raw_lines, dialect.separator, text.name)
    return unquoted_records(text.lines, dialect.separator, max(dialect.widths, default=0))


def _header(records: Records, text: DecodedText) -> tuple[str, ...]:
    """The names in the first row.

    Raises:
        FormatError: the first row is bad, so that no row can be read.
    """
    first = int(records.ends[0]) if len(records) else len(text.lines)
    for problem in (*text.problems, *records.problems):
        if problem.place <= first:
            raise FormatError(problem.what, where=problem.where, remedy=problem.remedy)
    header = tuple(name.strip() for name in records.first()[: records.counts[0]])
    twice = next((name for name, count in Counter(header).items() if name and count > 1), None)
    if twice is not None:
        raise ColumnError(f"two columns are named {excerpt(twice)}", where=text.name, remedy="rename one of them")
    return header


def _below_header(records: Records, header: Sequence[str], text: DecodedText) -> Records:
    body = records.below_first()
    if not len(body) and not body.problems and not text.problems:
        what = f"there are no rows below the header {listing(header)}"
        raise InputError(what, where=text.name, remedy="a benchmark needs at least one row")
    return body


def _columns(frame: pl.DataFrame, header: Sequence[str]) -> dict[str, pl.Series]:
    """The columns by name; columns that no row has are null."""
    there = dict(reversed(list(zip(header, frame.get_columns(), strict=False))))
    null = pl.repeat(None, frame.height, dtype=pl.String, eager=True)
    return {name: there.get(name, null) for name in header}


def _wrong_width(records: Records, row: int, name: str, dialect: Dialect, widths: frozenset[int]) -> RowProblem:
    count, line = int(records.counts[row]), int(records.starts[row])
    mark = f"the separator ({dialect.written or dialect.separator!r})" if count > min(widths) else "a line break"
    rule = f"quote texts that contain {mark}" if dialect.quoted else f"a text must not contain {mark}"
    return RowProblem(
        place=line,
        where=f"{name}, line {line}",
        what=f"{count} {'field' if count == 1 else 'fields'}, not {' or '.join(map(str, sorted(widths)))}",
        remedy=rule if count > min(widths) else f"give the row all fields; {rule}",
        error=FormatError,
    )
