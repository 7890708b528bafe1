"""Raw tables: the columns of a file as they are, before conversion and checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.problems import RowProblem, excerpt
from similitude.errors import InputError

__all__ = ["Column", "RawTable", "numbered", "rows_where"]

Column = pl.Series | Sequence[Any]
"""The values of one column: a typed series (from Parquet or text), or values from JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTable:
    """Columns of equal length, and the place of each row in its file.

    Attributes:
        file: the file's name, for messages.
        columns: the file's column names to values.
        starts: the number of the line (row, entry) at which each row begins.
        ends: the number of the line at which each row ends.
        unit: what ``starts`` counts: "line", "row" or "entry".
        labels: names of rows for messages, in place of numbers, such as the keys of a JSON object.
        constants: values of our columns that are the same for all rows and do not stand in the rows.
        problems: problems found so far; rows that could not be split into fields are not in ``columns``.
        notes: decisions that the user should know.
        partners: names of files that were read together with this one.
        judgements: best-worst judgements that belong to the items.
        container: how the values are stored, in words: "separated text", "JSON lines", "Parquet".
        without_nul: whether it is known that no text holds a NUL character.
        details: decisions about the container, such as ``{"separator": "tab", "encoding": "utf-8", "header": "yes"}``.
    """

    file: str
    columns: Mapping[str, Column]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    unit: str = "line"
    labels: Sequence[str] | None = None
    constants: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[RowProblem, ...] = ()
    notes: tuple[str, ...] = ()
    partners: tuple[str, ...] = ()
    judgements: pl.DataFrame | None = None
    container: str = "table"
    without_nul: bool = False
    details: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.starts) == 0 and not self.problems:
            raise InputError("there are no rows", where=self.file, remedy="a benchmark needs at least one row")

    def __len__(self) -> int:
        return len(self.starts)

    def where(self, row: int) -> str:
        """File and line of a row, for messages."""
        label = self.starts[row] if self.labels is None else excerpt(self.labels[row])
        return f"{self.file}, {self.unit} {label}"

    def problem(self, row: int, what: str, remedy: str, error: type[InputError] = InputError) -> RowProblem:
        """A problem of a row of this table."""
        return RowProblem(place=int(self.starts[row]), where=self.where(row), what=what, remedy=remedy, error=error)

    def spoilt(self) -> NDArray[np.bool_]:
        """True for rows with a line that is known to be bad."""
        bad = np.zeros(len(self), dtype=np.bool_)
        rows = self._rows_of_problems()
        bad[rows[rows >= 0]] = True
        return bad

    def rowless(self) -> int:
        """How many rows of the file are not in the columns, because they could not be split into fields."""
        return int((self._rows_of_problems() < 0).sum())

    def _rows_of_problems(self) -> NDArray[np.int64]:
        """The row of each place with a problem; -1 where the columns have no such row."""
        places = np.array(sorted({problem.place for problem in self.problems}), dtype=np.int64)
        rows = np.searchsorted(self.starts, places, side="right") - 1
        known = rows >= 0
        known[known] = self.ends[rows[known]] >= places[known]
        return np.where(known, rows, -1)


def numbered(count: int) -> NDArray[np.int64]:
    """The numbers from 1 to ``count``."""
    return np.arange(1, count + 1, dtype=np.int64)


def rows_where(frame: pl.DataFrame, which: NDArray[np.bool_]) -> pl.DataFrame:
    """Some rows of a frame; the frame itself if it is all of them, so that nothing is copied."""
    return frame if which.all() else frame.filter(pl.Series(which))
