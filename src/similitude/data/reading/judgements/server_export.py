"""Rows of our annotation server's full export (``annotate export --all``) that hold no answer for gold.

The usual export has only answers that count. The full one also has gold questions, repeats, training, changed answers,
skips and people whom a leader excluded, each marked in a column of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.judgements import ADJUDICATION
from similitude.data.plural import agreeing
from similitude.data.reading.tables import Column, RawTable
from similitude.errors import InputError

__all__ = ["CountedRows", "counted_rows", "without_guards"]

MARKS = ("purpose", "current", "excluded")
"""Columns by which an export of the server is known."""
WORK = "work"


class CountedRows(NamedTuple):
    """Which rows of a table hold answers that count, and what is said of the others."""

    which: NDArray[np.bool_]
    notes: tuple[str, ...]


def counted_rows(table: RawTable) -> CountedRows:
    """The rows that the server's usual export would have; all rows of any other table.

    Raises:
        InputError: there is none.
    """
    if not _is_export(table):
        return CountedRows(np.ones(len(table), dtype=np.bool_), ())
    why = _reasons(table)
    which = why.is_null().to_numpy()
    if which.all():
        return CountedRows(which, ())
    counts = why.drop_nulls().value_counts(name="rows").sort("rows", "reason", descending=[True, False])
    said = ", ".join(f"{rows:,} {reason}" for reason, rows in counts.rows())
    if not which.any():
        what = f"no row holds an answer that counts ({said})"
        raise InputError(what, where=table.file, remedy="export again when there are answers")
    left_out = agreeing(int((~which).sum()), "row", "does", "do")
    return CountedRows(which, (f"{table.file}: {left_out} not count, as the export of the server says: {said}",))


def without_guards(table: RawTable) -> RawTable:
    """The texts that the server's export as CSV guards against spreadsheets, without their apostrophe: =1 for '=1."""
    if not _is_export(table) or table.container != "separated text":
        return table
    return replace(table, columns={name: _unguarded(column) for name, column in table.columns.items()})


def _unguarded(column: Column) -> Column:
    if not any(isinstance(cell, str) and cell.startswith("'") for cell in column):
        return column
    return [cell[1:] if isinstance(cell, str) and cell.startswith("'") else cell for cell in column]


def _is_export(table: RawTable) -> bool:
    return table.columns.keys() >= {*MARKS}


def _reasons(table: RawTable) -> pl.Series:
    """Why each row does not count; null if it does."""
    rows = pl.DataFrame({name: _texts(table, name) for name in (*MARKS, "skipped")})
    reason = (
        pl.when(pl.col("skipped").is_not_null())
        .then(pl.lit("skipped"))
        .when(~pl.col("purpose").is_in([WORK, ADJUDICATION]))
        .then(pl.format("with purpose {}", "purpose"))
        .when(pl.col("excluded") == "true")
        .then(pl.lit("by people who are excluded"))
        .when(pl.col("current") == "false")
        .then(pl.lit("changed later"))
    )
    return rows.select(reason=reason).to_series()


def _texts(table: RawTable, name: str) -> pl.Series:
    """A column in small letters; null where a cell is blank, or where there is no such column."""
    cells = (None if cell is None else str(cell).strip().lower() for cell in table.columns.get(name, ()))
    return pl.Series(name, [cell or None for cell in cells] or [None] * len(table), dtype=pl.String)
