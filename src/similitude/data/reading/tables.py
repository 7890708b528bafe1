"""Raw columns: what a file says, under the file's own names, before anything is believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.problems import RowProblem, excerpt
from similitude.errors import InputError

__all__ = ["Column", "RawTable", "numbered"]

Column = pl.Series | Sequence[Any]
"""Values of one column, typed (Parquet, text) or as JSON gave them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTable:
    """Columns of equal length, and where each row stands in its file.

    Attributes:
        file: the file's name, for messages.
        columns: the file's names to values.
        starts: the line (row, entry) number at which each row begins.
        ends: the line at which it ends.
        unit: what ``starts`` counts: "line", "row" or "entry".
        labels: what to call each row in messages instead of its number: the keys of a JSON object.
        constants: our columns that hold one value throughout, known from outside the rows.
        problems: rows and lines already known to be bad; rows that could not be cut into fields are not in ``columns``.
        notes: what was decided on the way here.
        partners: names of files read together with this one.
        judgements: best-worst judgements that came with the items.
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

    def __post_init__(self) -> None:
        if len(self.starts) == 0 and not self.problems:
            raise InputError("there are no rows", where=self.file, remedy="a benchmark needs at least one row")

    def __len__(self) -> int:
        return len(self.starts)

    def where(self, row: int) -> str:
        """File and place of a row, as a user reads them."""
        label = self.starts[row] if self.labels is None else excerpt(self.labels[row])
        return f"{self.file}, {self.unit} {label}"

    def problem(self, row: int, what: str, remedy: str, error: type[InputError] = InputError) -> RowProblem:
        """A problem of a row of this table."""
        return RowProblem(place=int(self.starts[row]), where=self.where(row), what=what, remedy=remedy, error=error)

    def spoilt(self) -> NDArray[np.bool_]:
        """Which rows stand, wholly or in part, on lines that are known to be bad."""
        bad = np.zeros(len(self), dtype=np.bool_)
        places = np.array([problem.place for problem in self.problems], dtype=np.int64)
        rows = np.searchsorted(self.starts, places, side="right") - 1
        rows, places = rows[rows >= 0], places[rows >= 0]
        bad[rows[self.ends[rows] >= places]] = True
        return bad


def numbered(count: int) -> NDArray[np.int64]:
    """1, 2, ... for rows that stand one below the other."""
    return np.arange(1, count + 1, dtype=np.int64)
