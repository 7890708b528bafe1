"""Raw tables of judgements, from JSON lines or separated text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.plural import counted
from similitude.data.reading.containers.dialects import is_number
from similitude.data.reading.containers.separated import REPEATED
from similitude.data.reading.containers.table import USUAL_NAMES, check_separator, plain_names
from similitude.data.reading.containers.table import read_table as read_any_table
from similitude.data.reading.judgements.column_names import ALIASES
from similitude.data.reading.judgements.format import JudgementSource
from similitude.data.reading.judgements.server_export import counted_rows, without_guards
from similitude.data.reading.problems import listing
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import Column, RawTable
from similitude.errors import ColumnError, InputError, MissingExtraError

__all__ = [
    "NAMES",
    "header_of",
    "need_columns",
    "read_table",
    "sample_rows",
    "some_rows",
    "some_values",
]

SAMPLED = 200
IMPORT_ID, HEADS = '{"ImportId":', 2
"""Qualtrics writes an id in each cell of the second row below the header."""
NAMES = plain_names(ALIASES.values()) | USUAL_NAMES
"""Names that the header of a table of judgements is likely to have."""


def read_table(source: BenchmarkSource) -> RawTable:
    """The raw columns of a file of any container, or of an object in memory.

    A row that repeats the header is no problem here: answers leave such rows out and count them.
    """
    check_separator(source, NAMES)
    table = read_any_table(_with_header(source), NAMES)
    table = replace(table, problems=tuple(each for each in table.problems if each.what != REPEATED))
    table = without_guards(_below_import_ids(table))
    counted = counted_rows(table)
    if counted.notes:
        table = replace(some_rows(table, counted.which), notes=(*table.notes, *counted.notes))
    return _chosen_rows(table, source.where) if isinstance(source, JudgementSource) and source.where else table


def _below_import_ids(table: RawTable) -> RawTable:
    """The table without the two rows below the header in which Qualtrics repeats the questions and names their ids."""
    first = [[str(column[at]) for column in table.columns.values()] for at in range(min(HEADS, len(table.starts)))]
    heads = _import_ids_at(first)
    if heads == 0:
        return table
    note = (
        f"{table.file}: the first {counted(heads, 'row')} below the header repeat the questions (Qualtrics); left out"
    )
    return replace(some_rows(table, np.arange(len(table.starts)) >= heads), notes=(*table.notes, note))


def _import_ids_at(rows: Sequence[Sequence[str]]) -> int:
    """The number of rows up to the one with the ids of Qualtrics; 0 if there is none."""
    return next((at for at, row in enumerate(rows[:HEADS], 1) if any(IMPORT_ID in cell for cell in row)), 0)


def _chosen_rows(table: RawTable, wanted_values: Mapping[str, str]) -> RawTable:
    """The rows that have these values in these columns, with a note on the others.

    Raises:
        ColumnError: there is no such column.
        InputError: no row has the value.
    """
    for written, wanted in wanted_values.items():
        name, out = written.removesuffix("!"), written.endswith("!") and written not in table.columns
        if name not in table.columns:
            what = f"no column '{name}' for --where; columns there: {listing(table.columns)}"
            raise ColumnError(what, where=table.file, remedy="name a column of the file")
        values = [None if value is None else str(value).strip() for value in table.columns[name]]
        found = np.array([value == wanted.strip() for value in values], dtype=np.bool_)
        which = ~found if out else found
        if not found.any() or not which.any():
            there = listing(dict.fromkeys(value for value in values if value))
            what = f"{'no' if not found.any() else 'every'} row has {wanted!r} in column '{name}'"
            raise InputError(what, where=table.file, remedy=f"there are: {there}")
        said = f"{int(found.sum()):,} of {len(found):,} rows have {wanted!r} in column '{name}'"
        note = f"{table.file}: {said}; {'they' if out else 'the others'} are left out"
        table = replace(some_rows(table, which), notes=(*table.notes, note))
    return table


def _with_header(source: BenchmarkSource) -> BenchmarkSource:
    """The source with a header where that cannot be told: without one, its columns would not be recognised."""
    if source.header is not None or source.table is not None:
        return source
    sniffer = Sniffer.of(source)
    found = sniffer.dialect(NAMES) if sniffer.is_file and sniffer.is_text else None
    unsure = found is not None and found.header is None and not all(map(is_number, found.first))
    return replace(source, header=True) if unsure else source


def need_columns(table: RawTable, *names: str) -> None:
    """Check that a table has the columns of the format that the user named.

    Raises:
        ColumnError: one of them is missing.
    """
    lacking = next((name for name in names if name not in table.columns), None)
    if lacking is not None:
        what = f"no column '{lacking}'; columns there: {listing(table.columns)}"
        raise ColumnError(what, where=table.file, remedy="name another --format, or leave it out")


def header_of(sniffer: Sniffer) -> list[str]:
    """The names of the columns, whatever holds them; empty for folders."""
    return sniffer.header_for(NAMES)


def sample_rows(sniffer: Sniffer) -> list[list[str]]:
    """Those of the first rows below the header that have as many fields as it, as texts; empty for folders."""
    if sniffer.is_folder or sniffer.on_hub:
        return []
    if not sniffer.is_object and sniffer.is_text:
        found = sniffer.dialect(NAMES)
        below = found.rows if found.header is False else found.rows[1:]
        return _without_heads([list(row) for row in below if len(row) == len(found.first)])
    try:
        table = read_any_table(sniffer.source, NAMES)
    except (InputError, MissingExtraError):
        return []
    columns = [column[:SAMPLED] for column in table.columns.values()]
    return _without_heads([["" if cell is None else str(cell) for cell in row] for row in zip(*columns, strict=True)])


def _without_heads(rows: list[list[str]]) -> list[list[str]]:
    return rows[_import_ids_at(rows) :]


def some_rows(table: RawTable, which: NDArray[np.bool_]) -> RawTable:
    """Some rows of a table, with all its problems."""
    places = np.flatnonzero(which).tolist()
    return replace(
        table,
        columns={name: some_values(column, which) for name, column in table.columns.items()},
        starts=table.starts[which],
        ends=table.ends[which],
        labels=None if table.labels is None else [table.labels[at] for at in places],
    )


def some_values(column: Column, which: NDArray[np.bool_]) -> Column:
    """Some values of a column."""
    if isinstance(column, pl.Series):
        return column.filter(pl.Series(which))
    return [column[at] for at in np.flatnonzero(which).tolist()]
