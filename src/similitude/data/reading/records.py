"""Records: rows split into fields, with their line numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.problems import RowProblem

__all__ = ["Records"]


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

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[list[str]],
        starts: Sequence[int],
        ends: Sequence[int],
        problems: Sequence[RowProblem] = (),
        width: int = 0,
    ) -> Records:
        """Records from rows of any width; rows without fields (blank lines) are ignored.

        The frame is as wide as the first record, and at least ``width``, so that one row with a million separators
        does not take up memory.
        """
        there = [position for position, row in enumerate(rows) if row]
        rows = [rows[position] for position in there]
        counts = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        return cls(
            frame=_frame(rows, counts, max(width, len(rows[0])) if rows else 0),
            counts=counts,
            starts=np.asarray(starts, dtype=np.int64)[there],
            ends=np.asarray(ends, dtype=np.int64)[there],
            problems=tuple(problems),
        )

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


def _frame(rows: list[list[str]], counts: NDArray[np.int64], width: int) -> pl.DataFrame:
    for short in np.flatnonzero(counts < width):
        rows[short] = rows[short] + [""] * (width - len(rows[short]))
    return pl.DataFrame({str(at): pl.Series([row[at] for row in rows], dtype=pl.String) for at in range(width)})
