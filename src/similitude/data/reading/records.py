"""Records: rows cut into fields, with the lines they stand on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.problems import RowProblem

__all__ = ["Records"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """Fields as texts, one column a position.

    Attributes:
        frame: shorter records are filled with empty fields, longer ones cut.
        counts: how many fields each record really has.
        starts: the line on which each begins.
        ends: the line on which each ends.
        problems: the lines that could not be cut into fields at all.
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
        """Records from rows of any width; rows without any field (blank lines) are left aside.

        As many fields are kept as the first record has, and ``width`` at least, so that one row of a million
        separators costs no memory.
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

    def keep(self, which: NDArray[np.bool_]) -> Records:
        """Some of the records; the problems stay."""
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
