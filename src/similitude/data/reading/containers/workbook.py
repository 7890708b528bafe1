"""Raw columns from a sheet of a workbook."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.reading.containers.archive_size import refuse_bomb
from similitude.data.reading.containers.dialects import is_header
from similitude.data.reading.containers.kinds import Kind
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import RawTable
from similitude.errors import ArgumentError, ColumnError, FormatError, InputError, MissingExtraError

__all__ = ["read_workbook", "workbook_names"]

Cells = list[list[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sheet:
    """The cells of a sheet from its first cell on, None for blank ones; and the number of merged ranges."""

    name: str
    cells: Cells
    merged: int

    @property
    def rows(self) -> list[int]:
        """The rows that are not blank."""
        return [at for at, row in enumerate(self.cells) if any(cell is not None for cell in row)]


def read_workbook(source: BenchmarkSource, names: Collection[str]) -> RawTable:
    """The raw columns of a sheet. A value in merged cells holds for each of them.

    Args:
        source: the file, and the sheet if the user named it.
        names: plain names that a header is likely to have.

    Raises:
        ArgumentError: there is no such sheet.
        FormatError: several sheets have rows and the user named none, or it cannot be told whether there is a header.
        MissingExtraError: the library for workbooks is not installed.
    """
    sheet = _chosen(source)
    header = _has_header(source, sheet, names)
    there = sheet.rows[1:] if header else sheet.rows
    columns = _columns(sheet, there, _names(sheet, source, header=header))
    places = np.asarray([at + 1 for at in there], dtype=np.int64)
    merged = {"merged cells": f"{sheet.merged} ranges, filled"} if sheet.merged else {}
    return RawTable(
        file=source.path.name,
        columns=columns,
        starts=places,
        ends=places,
        unit="row",
        container=Kind.WORKBOOK.value,
        details={"sheet": sheet.name, "header": "yes" if header else "no", **merged},
    )


def workbook_names(source: BenchmarkSource, names: Collection[str]) -> list[str]:
    """The names of the columns."""
    sheet = _chosen(source)
    return _names(sheet, source, header=_has_header(source, sheet, names))


def _chosen(source: BenchmarkSource) -> _Sheet:
    """The sheet that the user named, else the only one with rows."""
    sheets = list(_sheets(source.path, source.sheet))
    filled = [sheet for sheet in sheets if len(sheet.rows) > 0]
    if not filled:
        remedy = "a benchmark needs at least one row"
        raise InputError(f"there are no rows in {_listed(sheets)}", where=source.path.name, remedy=remedy)
    if len(filled) > 1:
        what = f"{len(filled)} sheets have rows: {_listed(filled)}"
        raise FormatError(what, where=source.path.name, remedy="name one with --sheet NAME")
    return filled[0]


def _listed(sheets: Sequence[_Sheet]) -> str:
    return listing(sheet.name for sheet in sheets)


def _sheets(path: Path, wanted: str | None) -> Iterator[_Sheet]:
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise MissingExtraError("reading workbooks", "workbook") from None
    refuse_bomb(path)
    try:
        with CalamineWorkbook.from_path(path) as book:
            for name in _wanted(book.sheet_names, wanted, path):
                yield _sheet(name, book.get_sheet_by_name(name))
    except (CalamineError, OSError, ValueError) as error:
        why = str(error).split("\n")[0]
        what = f"the workbook cannot be read ({why})"
        raise FormatError(what, where=path.name, remedy="save it again as .xlsx without a password") from None


def _wanted(there: Sequence[str], wanted: str | None, path: Path) -> Sequence[str]:
    if wanted is None:
        return there
    found = [name for name in there if name.strip().lower() == wanted.strip().lower()]
    if not found:
        what = f"{path.name} has no sheet {excerpt(wanted)}"
        raise ArgumentError(what, remedy=f"sheets there: {listing(there)}")
    return [wanted] if wanted in there else found[:1]


def _sheet(name: str, sheet: Any) -> _Sheet:
    cells = [[_cell(value) for value in row] for row in sheet.to_python(skip_empty_area=False)]
    merged = sheet.merged_cell_ranges or []
    for (top, left), (bottom, right) in merged:
        _fill(cells, top, left, bottom, right)
    return _Sheet(name=name, cells=cells, merged=len(merged))


def _fill(cells: Cells, top: int, left: int, bottom: int, right: int) -> None:
    """Fill merged cells below one another with their value; beside one another only the first has it."""
    if top == 0 or left != right:
        return
    for row in cells[top + 1 : bottom + 1]:
        row[left] = cells[top][left]


def _cell(value: Any) -> Any:
    """A value as JSON would have it: whole numbers without a point, times as text, None for a blank cell."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        return value.isoformat() if not isinstance(value, datetime.timedelta) else str(value)
    return None if isinstance(value, str) and not value.strip() else value


def _has_header(source: BenchmarkSource, sheet: _Sheet, names: Collection[str]) -> bool:
    if source.header is not None:
        return source.header
    rows = [["" if cell is None else str(cell) for cell in sheet.cells[at]] for at in sheet.rows[:200]]
    found = is_header(rows, names, source.columns)
    if found is None:
        what = f"cannot tell whether the first row of sheet {excerpt(sheet.name)} names the columns"
        raise FormatError(what, where=source.path.name, remedy="say so: --header yes or --header no")
    return found


def _names(sheet: _Sheet, source: BenchmarkSource, *, header: bool) -> list[str]:
    """The names of the columns; blank for columns without name."""
    first = sheet.cells[sheet.rows[0]]
    if not header:
        return [str(at + 1) for at in range(len(first))]
    names = ["" if cell is None else str(cell).strip() for cell in first]
    twice = next((name for name, count in Counter(names).items() if name and count > 1), None)
    if twice is not None:
        raise ColumnError(
            f"two columns are named {excerpt(twice)}", where=source.path.name, remedy="rename one of them"
        )
    return names


def _columns(sheet: _Sheet, rows: Sequence[int], names: Sequence[str]) -> Mapping[str, Sequence[Any]]:
    """The named columns, and those without name that have values, under their number."""
    columns = {}
    for at, name in enumerate(names):
        values = [sheet.cells[row][at] for row in rows]
        if name or any(value is not None for value in values):
            columns[name or str(at + 1)] = values
    return columns
