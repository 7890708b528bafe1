"""Records: rows split into fields, with their line numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.problems import RowProblem

__all__ = ["RecordBuilder", "Records"]

BATCH = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """Rows split into fields.

    Attributes:
        frame: one column of texts per field; short records are filled with empty fields, long ones truncated.
        counts: the true number of fields of each record.
        starts: the first line of each record.
        ends: the last line of each record.
        problems: problems of lines that could not be split.
    """

    frame: pl.DataFrame
    counts: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    problems: tuple[RowProblem, ...] = ()

    def __len__(self) -> int:
        return self.frame.height

    def first(self) -> tuple[str, ...]:
        """The fields of the first record."""
        return tuple(field or "" for field in self.frame.row(0))

    def fits(self, widths: Collection[int]) -> NDArray[np.bool_] | None:
        """True for records with one of these numbers of fields; None if all have one."""
        if not len(self) or (self.counts[0] in widths and self.counts.min() == self.counts.max()):
            return None
        return np.isin(self.counts, sorted(widths))

    def below_first(self) -> Records:
        """All records but the first, with all problems; nothing is copied."""
        return Records(
            frame=self.frame[1:],
            counts=self.counts[1:],
            starts=self.starts[1:],
            ends=self.ends[1:],
            problems=self.problems,
        )

    def keep(self, which: NDArray[np.bool_]) -> Records:
        """Some of the records, with all problems."""
        return Records(
            frame=self.frame.filter(pl.Series(which)),
            counts=self.counts[which],
            starts=self.starts[which],
            ends=self.ends[which],
            problems=self.problems,
        )


class RecordBuilder:
    """Records collected row by row, each of any width; rows without fields (blank lines) are ignored.

    The frame is as wide as the first record, and at least ``width``, so that one row with a million separators does not
    take up memory. Rows are put into columns batch by batch, because lists of texts take several times the memory.
    """

    def __init__(self, width: int = 0) -> None:
        self._width = width
        self._rows: list[list[str]] = []
        self._places: list[tuple[int, int, int]] = []
        self._frames: list[pl.DataFrame] = []
        self._numbers: list[NDArray[np.int64]] = []

    def add(self, row: list[str], start: int, end: int) -> None:
        """Add a row that begins and ends at these lines."""
        if row:
            self._rows.append(row)
            self._places.append((len(row), start, end))
            if len(self._rows) == BATCH:
                self._put_into_columns()

    def records(self, problems: Sequence[RowProblem] = ()) -> Records:
        """All records, with problems of other lines."""
        self._put_into_columns()
        counts, starts, ends = np.concatenate(self._numbers).T
        frame = pl.concat(self._frames, rechunk=True)
        return Records(frame=frame, counts=counts, starts=starts, ends=ends, problems=tuple(problems))

    def _put_into_columns(self) -> None:
        if not self._frames and self._rows:
            self._width = max(self._width, len(self._rows[0]))
        elif not self._rows and not self._frames:
            self._width = 0
        self._frames.append(_frame(self._rows, self._width))
        self._numbers.append(np.array(self._places, dtype=np.int64).reshape(-1, 3))
        self._rows, self._places = [], []


def _frame(rows: list[list[str]], width: int) -> pl.DataFrame:
    """The first ``width`` fields of each row; shorter rows are filled with empty fields."""
    for position, row in enumerate(rows):
        if len(row) < width:
            rows[position] = row + [""] * (width - len(row))
    return pl.DataFrame({str(at): pl.Series([row[at] for row in rows], dtype=pl.String) for at in range(width)})
