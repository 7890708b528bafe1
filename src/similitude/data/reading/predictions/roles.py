"""Which column of a table of predictions holds the scores, which the ids, which the standard deviations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl

from similitude.data.reading.cell_values import CellValues
from similitude.data.reading.column_names import find_column
from similitude.data.reading.column_types import KINDS, cast
from similitude.data.reading.predictions.ids import IdMatch
from similitude.data.reading.predictions.numbers import Numbers, is_numeric, numbers
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.tables import Column, RawTable
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, ColumnError

__all__ = ["OURS", "Candidates", "Roles", "ask", "named_roles"]

OURS = ("id", "score", "sigma")
FLAG = "--predictions-column"


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The columns of a table by what they hold.

    Attributes:
        score: the column of scores.
        id: the column of ids; None if the rows come in the order of the items.
        sigma: the column of standard deviations, if there is one.
        texts: our names of texts to the columns by which the rows were matched, if they were.
        notes: decisions that the user should know.
        sure: whether the user named the column of scores.
    """

    score: str
    id: str | None = None
    sigma: str | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    sure: bool = False


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """A table of predictions, and what is needed to tell its columns apart.

    Attributes:
        table: the raw columns.
        ids: the ids of the items.
        chosen: the columns that the user named, our names to the file's; an empty name leaves ours out.
        range: the range of the predictions, if it is known.
        cells: how numbers and missing numbers are written.
    """

    table: RawTable
    ids: Sequence[str]
    chosen: Mapping[str, str] = field(default_factory=dict)
    range: Scale | None = None
    cells: CellValues = field(default_factory=CellValues)

    @property
    def headless(self) -> bool:
        """Whether the columns have numbers in place of names."""
        return self.table.details.get("header") == "no"

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.table.columns)

    @cached_property
    def numeric(self) -> frozenset[str]:
        """Columns in which most values are numbers."""
        return frozenset(name for name in self.columns if self._is_numeric(name))

    @cached_property
    def _blank(self) -> frozenset[str]:
        """Columns without any value."""
        return frozenset(name for name in self.columns if _is_blank(self.table.columns[name]))

    @cached_property
    def _matches(self) -> dict[str, IdMatch]:
        return {}

    def match(self, name: str) -> IdMatch:
        """The values of a column beside the ids of the items."""
        if name not in self._matches:
            self._matches[name] = IdMatch(_names(self.table, name), self.ids)
        return self._matches[name]

    def column(self, name: str) -> Column:
        """The raw values of a column."""
        return self.table.columns[name]

    def numbers(self, name: str) -> Numbers:
        """The values of a column as numbers; nan for others."""
        return numbers(self.table.columns[name], self.cells)[0]

    def free(self, roles: Iterable[str | None] = ()) -> list[str]:
        """The columns that hold something and that the user has not named."""
        taken = {*(theirs for theirs in self.chosen.values() if theirs), *roles, *self._blank}
        return [name for name in self.columns if name not in taken]

    def called(self, names: Iterable[str], among: Iterable[str] | None = None) -> list[str]:
        """The columns with one of these names, in the order of the table."""
        usual = tuple(names)
        there = self.free() if among is None else among
        return [name for name in there if find_column([name], usual) is not None]

    def _is_numeric(self, name: str) -> bool:
        return is_numeric(self.table.columns[name], self.cells)


def named_roles(candidates: Candidates) -> dict[str, str]:
    """The columns that the user named, checked.

    Raises:
        ArgumentError: we have no such column.
        ColumnError: the table has no such column.
    """
    there = candidates.columns
    for ours, theirs in candidates.chosen.items():
        if ours not in OURS:
            remedy = f"write {FLAG} OURS=THEIRS; ours: {', '.join(OURS)}"
            raise ArgumentError(f"'{ours}' is not a column of predictions", remedy=remedy)
        if theirs and theirs not in there:
            what = f"no column {excerpt(theirs)} (wanted for {ours}); columns there: {listing(there)}"
            raise ColumnError(what, where=candidates.table.file, remedy=f"name it with {FLAG} {ours}=NAME")
    return {ours: theirs for ours, theirs in candidates.chosen.items() if theirs}


def ask(candidates: Candidates, what: str) -> ColumnError:
    """The error for a table that can be read in more than one way; what is open is said, and no column is guessed."""
    name = "NUMBER" if candidates.headless else "NAME"
    remedy = (
        f"name the column of scores with {FLAG} score={name}, and that of ids with {FLAG} id={name}, "
        f"or {FLAG} id= if the rows come in the order of the items"
    )
    return ColumnError(
        f"{what}; columns there: {listing(candidates.columns)}", where=candidates.table.file, remedy=remedy
    )


def _names(table: RawTable, name: str) -> list[str | None]:
    """A column as ids; None where a value is blank or cannot be one."""
    column = table.columns[name]
    if isinstance(column, pl.Series) and column.dtype.is_float():
        column = column.fill_nan(None).to_list()
    return cast(column, KINDS["id"]).values.to_list()


def _is_blank(column: Column) -> bool:
    if isinstance(column, pl.Series) and column.null_count() == len(column):
        return True
    return all(value is None or (isinstance(value, str) and not value.strip()) for value in column)
