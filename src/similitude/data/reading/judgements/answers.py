"""Answers on their way from a file into a table of judgements: typed, with the place of each, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import Skipped
from similitude.data.judgements import Kind
from similitude.data.reading.problems import RowProblem
from similitude.data.reading.tables import RawTable
from similitude.data.scale import Scale
from similitude.errors import InputError

__all__ = ["ROW", "Answers", "spread"]

ROW = "row"
"""The column of `Answers.frame` that says on which row of the table an answer stands."""

ANSWERS_PER_ROW = 1 << 20
"""Room for the answers of one row, so that each has a place of its own among the problems."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers of one file.

    Attributes:
        table: where the rows come from.
        frame: one row an answer, with columns of `BEST_WORST_SCHEMA` or `RATING_SCHEMA` and the column `ROW`; several
            answers may stand on one row of the table, and rows without an answer are not here.
        problems: what is wrong with answers, and with rows that could not be read at all.
        sound: which answers have no problem.
        items: the items judged, with columns of `ITEM_SCHEMA`, where the file has their texts.
        scale: the scale, where file or format say it.
        facts: what the file says of all its answers: name, licence, who judged.
        notes: what was decided.
        skipped: rows left out before they came here.
    """

    table: RawTable
    frame: pl.DataFrame
    problems: tuple[RowProblem, ...]
    sound: NDArray[np.bool_]
    items: pl.DataFrame | None = None
    scale: Scale | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    @classmethod
    def of_table(cls, table: RawTable, frame: pl.DataFrame, **more: Any) -> Answers:
        """Answers that stand on rows of a table; those on lines that are known to be bad are not sound.

        Args:
            table: where they stand.
            frame: with the column `ROW`, or one answer for each row of the table.
            more: other attributes.
        """
        if ROW not in frame.columns:
            frame = frame.with_row_index(ROW)
        spoilt = table.spoilt()[frame[ROW].to_numpy()]
        return cls(table=table, frame=frame, problems=spread(table.problems), sound=~spoilt, **more)

    @property
    def kind(self) -> Kind:
        """What was asked."""
        return "best-worst" if "best" in self.frame.columns else "rating"

    def sound_frame(self) -> pl.DataFrame:
        """The answers without a problem."""
        return self.frame.filter(pl.Series(self.sound))

    def with_notes(self, *notes: str) -> Answers:
        """The answers with more notes."""
        return replace(self, notes=(*self.notes, *notes))

    def with_problems(
        self,
        mask: NDArray[np.bool_] | pl.Series,
        what: Callable[[Mapping[str, Any]], str],
        remedy: str,
        error: type[InputError] = InputError,
    ) -> Answers:
        """The answers with those that the mask picks found bad.

        Args:
            mask: one truth value an answer.
            what: what is wrong, given the answer as a row.
            remedy: how to mend it.
            error: the class to raise.
        """
        bad = np.asarray(mask, dtype=np.bool_) & self.sound
        if not bad.any():
            return self
        found = [
            self._problem(int(at), what(self.frame.row(int(at), named=True)), remedy, error)
            for at in np.flatnonzero(bad)
        ]
        return replace(self, problems=(*self.problems, *found), sound=self.sound & ~bad)

    def _problem(self, at: int, what: str, remedy: str, error: type[InputError]) -> RowProblem:
        """A problem whose place is the row's, and within it the answer's."""
        row = self.frame[ROW][at]
        problem = self.table.problem(row, what, remedy, error)
        return replace(problem, place=problem.place * ANSWERS_PER_ROW + at % ANSWERS_PER_ROW)


def spread(problems: Sequence[RowProblem]) -> tuple[RowProblem, ...]:
    """Problems of rows, placed among those of answers."""
    return tuple(replace(problem, place=problem.place * ANSWERS_PER_ROW) for problem in problems)
