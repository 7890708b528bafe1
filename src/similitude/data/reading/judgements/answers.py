"""Answers of one file: typed, with the place and the problems of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.judgements import Kind
from similitude.data.provenance import FileReading, Skipped
from similitude.data.reading.problems import RowProblem
from similitude.data.reading.tables import RawTable
from similitude.data.scale import Scale
from similitude.errors import InputError

__all__ = ["OTHER_TIME", "ROW", "TIME", "WORD", "Answers", "spread"]

ROW = "row"
"""The column of `Answers.frame` with the row of the table that holds the answer."""

WORD = "word"
"""The column of `Answers.frame` with answers in words, for categories; values are then null until words are coded."""

TIME = "time"
"""The column of `Answers.frame` with the moment of each answer in seconds, if the file has one."""

OTHER_TIME = "other_time"
"""The column of `Answers.frame` with the moment of each answer where 3/4/2024 is read as the third of April."""

ANSWERS_PER_ROW = 1 << 20
"""More than the answers of any row, so that the problems of each answer have a place of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers of one file.

    Attributes:
        table: where the rows come from.
        frame: one row per answer, with columns of `BEST_WORST_SCHEMA` or `RATING_SCHEMA`, the column `ROW` and
            perhaps `WORD` and `TIME`; a row of the table may hold several answers or none.
        problems: problems of answers, and of rows that could not be read.
        sound: true for answers without a problem.
        items: the items judged, with columns of `ITEM_SCHEMA`, if the file has their texts.
        scale: the scale, if the format fixes it or the file states it.
        facts: what the file states about all its answers: name, licence, who judged.
        notes: decisions that the user should know.
        skipped: rows that another reader left out.
        layout: the name of the format.
        columns: our columns to the file's.
        used: columns of the file that were used under none of our names.
        details: further decisions, as in `FileReading.details`.
        missing: codes that mean that there is no answer, to the number of times that they occur.
        warnings: what is likely to be wrong.
        readings: how another reader understood the files; by default made from the attributes above.
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
    layout: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    used: tuple[str, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    readings: tuple[FileReading, ...] = ()

    @classmethod
    def of_table(cls, table: RawTable, frame: pl.DataFrame, **more: Any) -> Answers:
        """The answers of a table; answers on lines that are known to be bad are not sound.

        Args:
            table: where they come from.
            frame: the answers, with the column `ROW`, or one answer for each row of the table.
            more: other attributes.
        """
        if ROW not in frame.columns:
            frame = frame.with_row_index(ROW)
        spoilt = table.spoilt()[frame[ROW].to_numpy()]
        return cls(table=table, frame=frame, problems=spread(table.problems), sound=~spoilt, **more)

    @property
    def kind(self) -> Kind:
        """The kind of the answers: best-worst, rating or category."""
        if "best" in self.frame.columns:
            return "best-worst"
        return "category" if WORD in self.frame.columns else "rating"

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns of the file that were not used."""
        known = {*self.columns.values(), *self.used}
        return tuple(name for name in self.table.columns if name and name not in known)

    def sound_frame(self) -> pl.DataFrame:
        """The answers without a problem."""
        return self.frame.filter(pl.Series(self.sound))

    def with_notes(self, *notes: str) -> Answers:
        """The answers with more notes."""
        return replace(self, notes=(*self.notes, *notes))

    def only(self, which: NDArray[np.bool_] | pl.Series) -> Answers:
        """Some of the answers, with all problems."""
        kept = np.asarray(which, dtype=np.bool_)
        return replace(self, frame=self.frame.filter(pl.Series(kept)), sound=self.sound[kept])

    def with_problems(
        self,
        mask: NDArray[np.bool_] | pl.Series,
        what: Callable[[Mapping[str, Any]], str],
        remedy: str,
        error: type[InputError] = InputError,
    ) -> Answers:
        """The answers, those in the mask marked as bad.

        Args:
            mask: true for bad answers.
            what: the message, given the answer as a row.
            remedy: how to correct it.
            error: the class of error to raise.
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
        """A problem that is sorted by row and, within the row, by answer."""
        row = self.frame[ROW][at]
        problem = self.table.problem(row, what, remedy, error)
        return replace(problem, place=problem.place * ANSWERS_PER_ROW + at % ANSWERS_PER_ROW)


def spread(problems: Sequence[RowProblem]) -> tuple[RowProblem, ...]:
    """Problems of rows, with places that sort them among the problems of answers."""
    return tuple(replace(problem, place=problem.place * ANSWERS_PER_ROW) for problem in problems)
