"""Rows of a task's table: the columns it needs, as texts, with line numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from similitude.data.reading.column_names import find_column
from similitude.data.reading.containers import read_table
from similitude.data.reading.containers.table import plain_names
from similitude.data.reading.format import BenchmarkSource
from similitude.data.reading.problems import RowProblem, excerpt, listing
from similitude.data.reading.spool import local_files
from similitude.data.reading.tables import RawTable
from similitude.errors import ColumnError

__all__ = ["TaskRows", "places_of", "read_rows", "refuse"]

Names = Mapping[str, Sequence[str]]
"""Our column name -> names that a file may use for it, likeliest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRows:
    """Text columns under our names.

    Attributes:
        table: the raw table, with the line of each row.
        columns: our name -> stripped texts; empty texts where an optional cell is blank.
        theirs: our name -> the file's name.
    """

    table: RawTable
    columns: Mapping[str, Sequence[str]]
    theirs: Mapping[str, str]

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, name: str) -> Sequence[str]:
        return self.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    @property
    def file(self) -> str:
        """The file's name."""
        return self.table.file


def read_rows(path: Path, needed: Names, optional: Names | None, reading: BenchmarkSource) -> TaskRows:
    """Read the needed columns of a table, whatever holds it: separated text, JSON, Parquet, Arrow, a workbook.

    Args:
        path: the file; it may be packed.
        needed: our column name -> accepted names; no cell may be blank.
        optional: the same, for optional columns.
        reading: how to read tables; its path does not matter. Columns that it names are used before all others.

    Raises:
        ColumnError: a needed column is missing, or one that the user named.
        InputError: a row is invalid.
    """
    wanted = {**needed, **(optional or {})}
    table = _table(path, reading, [*wanted.values(), *((name,) for name in reading.columns.values())])
    refuse(table.problems)
    theirs = _matched(table, needed, optional or {}, reading.columns)
    columns = {ours: _texts(table, name, needed=ours in needed) for ours, name in theirs.items()}
    return TaskRows(table=table, columns=columns, theirs=theirs)


def refuse(problems: Iterable[RowProblem]) -> None:
    """Raise the first problem, if any, with the number of further rows that have one.

    Raises:
        InputError: there is a problem.
    """
    ordered = sorted(problems, key=lambda problem: problem.place)
    if ordered:
        first, others = ordered[0], len({problem.place for problem in ordered}) - 1
        more = f" (and {others:,} more such {'row' if others == 1 else 'rows'})" if others else ""
        raise first.error(first.what + more, where=first.where, remedy=first.remedy)


def places_of(rows: TaskRows, name: str = "id") -> dict[str, int]:
    """The row of each id.

    Raises:
        InputError: an id is repeated.
    """
    ids = rows[name]
    places = {each: row for row, each in reversed(list(enumerate(ids)))}
    refuse(
        rows.table.problem(
            row, f"id {excerpt(each)} is repeated, first on {rows.table.where(places[each])}", "make ids unique"
        )
        for row, each in enumerate(ids)
        if places[each] != row
    )
    return places


def _table(path: Path, reading: BenchmarkSource, names: Sequence[Sequence[str]]) -> RawTable:
    with local_files([path]) as (local,):
        return read_table(replace(reading, path=Path(local), header=True), plain_names(names))


def _matched(table: RawTable, needed: Names, optional: Names, named: Mapping[str, str]) -> dict[str, str]:
    """Our name -> the file's name; no column is used twice."""
    wanted = {**needed, **optional}
    matched: dict[str, str] = {ours: _named(table, ours, theirs) for ours, theirs in named.items() if ours in wanted}
    for ours, names in wanted.items():
        if ours in matched:
            continue
        free = [name for name in table.columns if name not in matched.values()]
        found = find_column(free, names)
        if found is not None:
            matched[ours] = found
        elif ours in needed:
            what = f"no column '{ours}'; columns there: {listing(table.columns)}"
            remedy = f"name it with --column {ours}=NAME, or call it one of: {', '.join(names)}"
            raise ColumnError(what, where=table.file, remedy=remedy)
    return matched


def _named(table: RawTable, ours: str, theirs: str) -> str:
    if theirs not in table.columns:
        what = f"no column '{theirs}' to be '{ours}'; columns there: {listing(table.columns)}"
        raise ColumnError(what, where=table.file, remedy=f"name one of them: --column {ours}=NAME")
    return theirs


def _texts(table: RawTable, name: str, *, needed: bool) -> list[str]:
    texts = [_text(value) for value in table.columns[name]]
    refuse(_bad_cells(table, name, texts, needed=needed))
    return [(text or "").strip() for text in texts]


def _bad_cells(table: RawTable, name: str, texts: Sequence[str | None], *, needed: bool) -> Iterator[RowProblem]:
    for row, text in enumerate(texts):
        if text is None:
            shown = excerpt(table.columns[name][row])
            yield table.problem(row, f"{shown} in column '{name}' is not text", "write a text or a number")
        elif "\0" in text:
            yield table.problem(row, f"column '{name}' holds a NUL character", "remove it from the text")
        elif needed and not text.strip():
            yield table.problem(row, f"column '{name}' is blank", "fill it in, or remove the row")


def _text(value: Any) -> str | None:
    """A cell as text; None if it cannot be one. A list of ids is joined with semicolons, and 1.0 is 1."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | pl.Series):
        parts = [_text(part) for part in value]
        return None if None in parts else ";".join(part for part in parts if part)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else "" if value != value else str(value)
    return str(value) if isinstance(value, str | int) else None
