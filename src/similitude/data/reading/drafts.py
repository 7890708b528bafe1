"""Drafts: raw tables converted to our columns and checked, in the same steps for every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import BENCHMARK_SCHEMA
from similitude.data.reading.column_names import ALIASES, FACTS, match_benchmark_columns, matching_notes
from similitude.data.reading.column_types import KINDS, cast, misfit
from similitude.data.reading.facts import facts_of, stated_scale
from similitude.data.reading.problems import RowProblem
from similitude.data.reading.row_checks import row_problems
from similitude.data.reading.tables import Column, RawTable, rows_where
from similitude.data.scale import Scale
from similitude.errors import ScaleError

__all__ = ["ColumnLayout", "Draft", "draft", "with_constants"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnLayout:
    """The meaning of a format's columns.

    Attributes:
        aliases: our names to the file's, the most likely first.
        scale: the scale, if the format fixes it.
        hidden: the score that means that gold is hidden.
        values: for columns whose values differ from ours: their values, in lower case, to ours.
        own_ids: whether ids are unique in files of this format; if not, repeated ids get a number.
        derive: adds columns that follow from others.
        notes: notes for the user about these rows.
        quiet: whether to be silent about unused columns, because the format always has some.
    """

    aliases: Mapping[str, Sequence[str]] = field(default_factory=lambda: ALIASES)
    scale: Scale | None = None
    hidden: float | None = None
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    own_ids: bool = True
    derive: Callable[[pl.DataFrame], pl.DataFrame] | None = None
    notes: Callable[[pl.DataFrame], Sequence[str]] | None = None
    quiet: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A table in our columns, before the scale is known and bad rows are removed.

    Attributes:
        table: where the rows come from.
        frame: one row for each row of the table, with the columns of a benchmark.
        problems: the problems of rows.
        sound: true for rows without a problem.
        scale: the scale, if the format fixes it or the file states it.
        facts: what the file states about the whole benchmark.
        notes: decisions that the user should know.
    """

    table: RawTable
    frame: pl.DataFrame
    problems: tuple[RowProblem, ...]
    sound: NDArray[np.bool_]
    scale: Scale | None
    facts: Mapping[str, str]
    notes: tuple[str, ...]

    def with_problems(self, mask: NDArray[np.bool_], problems: Sequence[RowProblem]) -> Draft:
        """The draft with further problems, and with these rows marked as bad."""
        return replace(self, problems=(*self.problems, *problems), sound=self.sound & ~mask)


def draft(table: RawTable, layout: ColumnLayout, chosen: Mapping[str, str], *, declared: bool = False) -> Draft:
    """The table in our columns, typed and checked.

    Args:
        table: raw columns.
        layout: the meaning of the columns.
        chosen: the columns that the user named, our names to the file's.
        declared: whether the user declared the scale, so that a scale in the file need not be valid.

    Raises:
        ColumnError: a column that is needed is missing.
    """
    if not len(table):
        return _rowless(table, layout)
    matched = match_benchmark_columns(list(table.columns), chosen, layout.aliases, table.file)
    raw = {ours: table.columns[theirs] for ours, theirs in matched.items()}
    frame, misfits = _typed(table, raw, matched)
    frame = _finished(frame, table, _with_hidden_labels(layout, frame, matched))
    problems, bad = row_problems(frame, table, {name: matched.get(name, name) for name in frame.columns})
    facts = facts_of({name: raw[name] for name in FACTS if name in raw})
    everything = (*table.problems, *misfits, *problems)
    sound = ~(bad | table.spoilt() | _rows_of(misfits, table))
    return Draft(
        table=table,
        frame=frame,
        problems=everything,
        sound=sound,
        scale=_known_scale(facts, layout, table.file, declared=declared),
        facts=facts,
        notes=(*table.notes, *_notes(rows_where(frame, sound), table, layout, matched)),
    )


def _rowless(table: RawTable, layout: ColumnLayout) -> Draft:
    """The draft of a table that has no row left, and so no columns."""
    return Draft(
        table=table,
        frame=BENCHMARK_SCHEMA.to_frame(),
        problems=table.problems,
        sound=np.zeros(0, dtype=np.bool_),
        scale=layout.scale,
        facts={},
        notes=table.notes,
    )


def _typed(
    table: RawTable, raw: Mapping[str, Column], matched: Mapping[str, str]
) -> tuple[pl.DataFrame, list[RowProblem]]:
    columns: dict[str, pl.Series] = {}
    problems: list[RowProblem] = []
    for name in BENCHMARK_SCHEMA:
        if name in raw:
            kind = KINDS[name]
            columns[name], misfits = cast(raw[name], kind)
            for row in np.flatnonzero(misfits):
                what = misfit(raw[name][int(row)], matched[name], kind)
                problems.append(table.problem(int(row), what, kind.remedy))
    return pl.DataFrame(columns), problems


def _rows_of(problems: Sequence[RowProblem], table: RawTable) -> NDArray[np.bool_]:
    return np.isin(table.starts, [problem.place for problem in problems])


def _finished(frame: pl.DataFrame, table: RawTable, layout: ColumnLayout) -> pl.DataFrame:
    """The frame with ids, constants, our values, and derived columns."""
    if "id" not in frame.columns:
        frame = frame.with_columns(id=pl.int_range(1, frame.height + 1).cast(pl.String))
    elif not layout.own_ids:
        frame = frame.with_columns(id=_unique(frame["id"]))
    for name, words in layout.values.items():
        if name in frame.columns:
            plain = pl.col(name).str.to_lowercase()
            frame = frame.with_columns(plain.replace(dict(words)).alias(name))
    if layout.hidden is not None and "score" in frame.columns:
        frame = frame.with_columns(score=pl.when(pl.col("score") != layout.hidden).then("score"))
    frame = with_constants(frame, table.constants)
    return frame if layout.derive is None else layout.derive(frame)


def with_constants(frame: pl.DataFrame, constants: Mapping[str, str]) -> pl.DataFrame:
    """The frame with these values in columns that are missing or entirely null."""
    lacking = [
        name for name in constants if name not in frame.columns or frame[name].null_count() == frame.height
    ]  # fmt: skip
    return frame.with_columns(pl.lit(constants[name]).alias(name) for name in lacking)


def _with_hidden_labels(layout: ColumnLayout, frame: pl.DataFrame, matched: Mapping[str, str]) -> ColumnLayout:
    """The layout with -1 as a hidden score if every ``label`` is -1, as in test sets on the Hugging Face hub."""
    if layout.hidden is not None or matched.get("score", "").lower() != "label":
        return layout
    return replace(layout, hidden=-1.0) if (frame["score"] == -1.0).all() else layout


def _unique(ids: pl.Series) -> pl.Series:
    """The ids, with a number added to every repetition."""
    while ids.is_duplicated().any():
        count = ids.to_frame("id").select(pl.int_range(pl.len()).over("id")).to_series()
        ids = ids.zip_with(count == 0, ids + "-" + (count + 1).cast(pl.String))
    return ids


def _known_scale(facts: Mapping[str, str], layout: ColumnLayout, file: str, *, declared: bool) -> Scale | None:
    """The scale that the file states or the format fixes; if the user declared one, the file's need not be valid."""
    try:
        return stated_scale(facts, file, "declare it with --scale, for example --scale 0..5") or layout.scale
    except ScaleError:
        if not declared:
            raise
        return None


def _notes(frame: pl.DataFrame, table: RawTable, layout: ColumnLayout, matched: Mapping[str, str]) -> list[str]:
    notes = [] if layout.quiet else matching_notes(table.columns, matched)
    hidden = frame.height if "score" not in frame.columns else frame["score"].null_count()
    if hidden:
        notes.append(f"{table.file}: {hidden:,} of {frame.height:,} items have no gold (hidden or missing)")
    return notes + ([] if layout.notes is None else [f"{table.file}: {note}" for note in layout.notes(frame)])
