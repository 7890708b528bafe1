"""How an uploaded file was understood, for a page: format, columns, first rows, problems, and choices of a reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from similitude.collect.annotation.child_process import ReadingLimitError, in_child
from similitude.collect.annotation.drafts.reading_choices import Choice, choices_in, without_flags
from similitude.collect.annotation.plan.models import ReadingPlan
from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.item import ITEM_SCHEMA
from similitude.data.reading.containers import read_table
from similitude.data.reading.format import BenchmarkSource
from similitude.data.reading.tables import Column, RawTable
from similitude.errors import InputError, SimilitudeError

__all__ = ["MOST_ROWS", "ROLES", "ReadingProblem", "ShownColumn", "ShownReading", "check_rows", "look_at"]

ROLES = ("left", "right", "context", "condition", "id", "group", "language")
"""The columns of items that a study can use, in the order in which they are asked for."""

MOST_ROWS = 100_000
"""Rows of an uploaded file: so many questions are put into a database within seconds."""
FIRST_ROWS = 5
SAMPLES = 3
WIDTH = 160
MOST_COLUMNS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownColumn:
    """A column of the file: what it is used as, where it is, and its first values."""

    name: str
    role: str = ""
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingProblem:
    """Why the file cannot be read so: what is wrong, where, and the remedy, unless the page has fields for it."""

    what: str
    where: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownReading:
    """How a file was understood.

    Attributes:
        file: its name.
        container: how its values are stored.
        layout: the name of the format.
        rows: the rows of the file.
        kept: the rows that became items.
        details: separator, encoding, header and so on.
        columns: the columns of the file, as far as they could be told.
        first: the first items, by our columns.
        notes: decisions of the reader.
        warnings: what is likely to be wrong.
        skipped: bad rows that are left out, with the reason.
        problem: why it could not be read; None if it could.
        choices: ways to read it, if there are several.
        too_much: it takes more memory or time than a server gives to one file.
    """

    file: str
    container: str = ""
    layout: str = ""
    rows: int = 0
    kept: int = 0
    details: Mapping[str, str]
    columns: tuple[ShownColumn, ...] = ()
    first: tuple[Mapping[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    problem: ReadingProblem | None = None
    choices: tuple[Choice, ...] = ()
    too_much: bool = False

    @property
    def roles(self) -> dict[str, str]:
        """Our columns to the file's."""
        return {column.role: column.name for column in self.columns if column.role}

    def has(self, role: str) -> bool:
        """Whether an item of the first rows has something in one of our columns."""
        return any(item.get(role) is not None for item in self.first)


def look_at(path: Path, reading: ReadingPlan) -> ShownReading:
    """Read a file of items in a child process, and say how it was understood; problems are part of what is shown."""
    try:
        return in_child(_look_at, path, reading)
    except ReadingLimitError as error:
        return _unread(path, reading, None, error)


def check_rows(shown: ShownReading) -> None:
    """Refuse an uploaded file that no server can take.

    Raises:
        InputError: it has too many rows, or cannot be read with the memory and time for one file.
    """
    rows = max(shown.rows, shown.kept)
    if rows > MOST_ROWS:
        remedy = "upload a part of it, or put the file into the study's folder by hand"
        raise InputError(f"the file has {rows:,} rows, and an upload at most {MOST_ROWS:,}", remedy=remedy)
    if shown.too_much and shown.problem is not None:
        raise InputError(shown.problem.what, remedy=shown.problem.remedy)


def _look_at(path: Path, reading: ReadingPlan) -> ShownReading:
    table = _raw(path, reading)
    try:
        benchmark = open_benchmark(str(path), **reading.arguments())
    except SimilitudeError as error:
        return _unread(path, reading, table, error)
    shown = _read(path, benchmark)
    columns = _columns(table, {theirs: ours for ours, theirs in shown.roles.items()}) if table else ()
    return replace(shown, columns=columns or shown.columns)


def _raw(path: Path, reading: ReadingPlan) -> RawTable | None:
    """The columns as they are in the file; None if it holds no table, or can be read in two ways."""
    source = BenchmarkSource(
        path=path,
        encoding=reading.encoding,
        separator=reading.separator,
        header=reading.header,
        sheet=reading.sheet,
    )
    try:
        return read_table(source)
    except SimilitudeError:
        return None


def _unread(path: Path, reading: ReadingPlan, table: RawTable | None, error: SimilitudeError) -> ShownReading:
    choices = tuple(choices_in(error.remedy, reading, sheets=_sheets(error)))
    where = error.where.replace(str(path), path.name)
    remedy = without_flags(error.remedy) if choices or table else error.remedy
    problem = ReadingProblem(what=error.what, where=where, remedy=remedy)
    named = {theirs: ours for ours, theirs in reading.columns.items() if theirs}
    return ShownReading(
        file=path.name,
        container=table.container if table else "",
        rows=len(table) if table else 0,
        details=table.details if table else {},
        columns=_columns(table, named) if table else (),
        problem=problem,
        choices=choices,
        too_much=isinstance(error, ReadingLimitError),
    )


def _sheets(error: SimilitudeError) -> list[str]:
    """The sheets of a workbook with several, as the error lists them."""
    return error.what.partition(": ")[2].split(", ") if "--sheet NAME" in error.remedy else []


def _read(path: Path, benchmark: Benchmark) -> ShownReading:
    provenance = benchmark.provenance
    reading = provenance.readings[0] if provenance.readings else None
    used = dict(reading.columns) if reading else {}
    frame = benchmark.frame.select(ITEM_SCHEMA.names()).head(FIRST_ROWS)
    unused = [ShownColumn(name=name) for name in (reading.unused if reading else ())]
    return ShownReading(
        file=path.name,
        container=reading.container if reading else "",
        layout=reading.layout if reading else provenance.format,
        rows=reading.rows if reading else len(benchmark),
        kept=len(benchmark),
        details=reading.details if reading else {},
        columns=(*(ShownColumn(name=theirs, role=ours) for ours, theirs in used.items()), *unused),
        first=tuple(_held(row) for row in frame.iter_rows(named=True)),
        notes=provenance.notes,
        warnings=provenance.warnings,
        skipped=tuple(f"{each.where}: {each.why}" for each in provenance.skipped[:20]),
    )


def _columns(table: RawTable, roles: Mapping[str, str]) -> tuple[ShownColumn, ...]:
    return tuple(
        ShownColumn(name=name, role=roles.get(name, ""), samples=_samples(values))
        for name, values in list(table.columns.items())[:MOST_COLUMNS]
    )


def _samples(values: Column) -> tuple[str, ...]:
    return tuple(_short(value) for value in list(values[:SAMPLES]))


def _short(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else " | ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"


def _held(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _short(value) for name, value in row.items() if value is not None}
