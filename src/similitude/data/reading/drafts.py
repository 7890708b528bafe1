"""Drafts: raw tables converted to our columns and checked, in the same steps for every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import BENCHMARK_SCHEMA
from similitude.data.reading.cell_values import CellValues
from similitude.data.reading.codes import finite_values
from similitude.data.reading.column_names import ALIASES, FACTS, match_benchmark_columns, matching_notes, plain_name
from similitude.data.reading.column_types import KINDS, cast
from similitude.data.reading.facts import facts_of, stated_scale
from similitude.data.reading.members import with_members
from similitude.data.reading.plausibility import (
    refuse_answers,
    refuse_codes,
    refuse_rival_texts,
    refuse_rivals,
    refuse_running_numbers,
    refuse_thousands,
    refuse_unlike_sources,
    score_warnings,
    text_warnings,
)
from similitude.data.reading.problems import RowProblem
from similitude.data.reading.row_checks import row_problems
from similitude.data.reading.tables import RawTable, rows_where
from similitude.data.reading.typed_columns import plain_numbers, typed_columns
from similitude.data.scale import Scale
from similitude.errors import ScaleError

__all__ = ["ColumnLayout", "Draft", "draft", "with_constants"]

SAMPLED = 1000
PLAIN = CellValues()


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
        named: whether the file names its columns; if not, whole numbers may be ids.
    """

    aliases: Mapping[str, Sequence[str]] = field(default_factory=lambda: ALIASES)
    scale: Scale | None = None
    hidden: float | None = None
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    own_ids: bool = True
    derive: Callable[[pl.DataFrame], pl.DataFrame] | None = None
    notes: Callable[[pl.DataFrame], Sequence[str]] | None = None
    quiet: bool = True
    named: bool = True


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
        warnings: what is likely to be wrong.
        columns: our columns to the file's.
        missing: codes for missing values that occur, to the number of their cells.
    """

    table: RawTable
    frame: pl.DataFrame
    problems: tuple[RowProblem, ...]
    sound: NDArray[np.bool_]
    scale: Scale | None
    facts: Mapping[str, str]
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)

    @property
    def unused(self) -> tuple[str, ...]:
        """The file's columns that none of ours was matched with."""
        return tuple(name for name in self.table.columns if name and name not in self.columns.values())

    def with_problems(self, mask: NDArray[np.bool_], problems: Sequence[RowProblem]) -> Draft:
        """The draft with further problems, and with these rows marked as bad."""
        return replace(self, problems=(*self.problems, *problems), sound=self.sound & ~mask)


def draft(
    table: RawTable,
    layout: ColumnLayout,
    chosen: Mapping[str, str],
    *,
    declared: bool = False,
    cells: CellValues = PLAIN,
) -> Draft:
    """The table in our columns, typed and checked.

    Args:
        table: raw columns.
        layout: the meaning of the columns.
        chosen: the columns that the user named, our names to the file's.
        declared: whether the user declared the scale, so that a scale in the file need not be valid.
        cells: how numbers and missing numbers are written.

    Raises:
        ColumnError: a column that is needed is missing.
    """
    if not len(table):
        return _rowless(table, layout)
    table = with_members(table, chosen.values())
    matched = match_benchmark_columns(list(table.columns), chosen, layout.aliases, table.file)
    raw = {ours: table.columns[theirs] for ours, theirs in matched.items()}
    raw, missing = plain_numbers(raw, cells)
    frame, misfits = typed_columns(table, raw, matched, cells)
    layout = _with_hidden_labels(layout, frame)
    missing |= _hidden_labels(layout, frame)
    frame = _finished(frame, table, layout)
    problems, bad = row_problems(frame, table, {name: matched.get(name, name) for name in frame.columns})
    facts = facts_of({name: raw[name] for name in FACTS if name in raw})
    everything = (*table.problems, *misfits, *problems)
    sound = ~(bad | table.spoilt() | _rows_of(misfits, table))
    made = Draft(
        table=table,
        frame=frame,
        problems=everything,
        sound=sound,
        scale=_known_scale(facts, layout, table.file, declared=declared),
        facts=facts,
        notes=(*table.notes, *_notes(rows_where(frame, sound), table, layout, matched)),
        columns=matched,
        missing=missing,
    )
    if made.scale is None and not declared and "score" in raw:
        scores = frame["score"].fill_null(float("nan")).to_numpy()
        refuse_thousands(raw["score"], scores, table.columns[matched["score"]], table.where)
    _refuse_implausible(made, layout, chosen, declared=declared)
    kept = rows_where(frame, sound)
    column = plain_name(matched.get("score", ""))
    warnings = score_warnings(kept, column, made.unused, partial(_holds_numbers, table), table.file)
    return replace(
        made, warnings=(*warnings, *text_warnings(kept, table.file, separated=table.container == "separated text"))
    )


def _refuse_implausible(made: Draft, layout: ColumnLayout, chosen: Mapping[str, str], *, declared: bool) -> None:
    """Refuse several readings of texts or scores, scores that number the rows, and codes where no scale is known."""
    if not {"left", "right"} & set(chosen) and layout.aliases is ALIASES:
        refuse_rival_texts(made.table.columns, made.columns, made.table.file)
    if "score" not in made.frame.columns:
        return
    refuse_answers(made.frame, made.unused, made.table.file)
    if not chosen.get("score") and layout.aliases is ALIASES:
        refuse_rivals(made.table.columns, made.columns, made.table.file)
    scores = made.frame["score"].fill_null(float("nan")).to_numpy()
    scores = scores if made.sound.all() else np.where(made.sound, scores, np.nan)
    column = made.columns.get("score", "score")
    if not chosen.get("score"):
        known = finite_values(scores)
        refuse_running_numbers(known, column, made.table.file, named=layout.named)
    if made.scale is None and not declared:
        refuse_codes(scores, column, made.table.where)
        if "source" in made.columns:
            refuse_unlike_sources(rows_where(made.frame, made.sound), made.columns["source"], made.table.file)


def _holds_numbers(table: RawTable, name: str) -> bool:
    """Whether the first cells of a column are numbers."""
    some = table.columns[name][:SAMPLED]
    values, misfits = cast(some, KINDS["score"])
    return not misfits.any() and values.null_count() < len(values)


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


def _rows_of(problems: Sequence[RowProblem], table: RawTable) -> NDArray[np.bool_]:
    if not problems:
        return np.zeros(len(table), dtype=np.bool_)
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


def _with_hidden_labels(layout: ColumnLayout, frame: pl.DataFrame) -> ColumnLayout:
    """The layout with -1 as a hidden score if every score is -1, as in test sets on the Hugging Face hub."""
    if layout.hidden is not None or "score" not in frame.columns or frame["score"].null_count() == frame.height:
        return layout
    return replace(layout, hidden=-1.0) if (frame["score"].drop_nulls() == -1.0).all() else layout


def _hidden_labels(layout: ColumnLayout, frame: pl.DataFrame) -> dict[str, int]:
    """The code for hidden gold, to the number of its cells."""
    if layout.hidden is None or "score" not in frame.columns:
        return {}
    count = int((frame["score"] == layout.hidden).sum())
    return {f"{layout.hidden:g}": count} if count else {}


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
