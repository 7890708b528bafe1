"""From raw columns to a typed and checked frame: the same steps for every format."""

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
from similitude.data.reading.tables import Column, RawTable
from similitude.data.scale import Scale
from similitude.errors import ScaleError

__all__ = ["ColumnLayout", "Draft", "draft", "with_constants"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnLayout:
    """What a format says about its columns.

    Attributes:
        aliases: our names to the file's, the likeliest first.
        scale: the scale, where the format fixes it.
        hidden: the score that stands for a hidden one.
        values: for columns that use other words than we do: theirs (in lower case) to ours.
        own_ids: whether the file's ids can be trusted to be unique; if not, repeated ones get a number.
        derive: fills in columns that follow from others.
        notes: what a user should know about these rows.
        quiet: whether columns that are not used go unmentioned, because the format always has them.
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
    """A table in our columns, before its scale is settled and its bad rows are dealt with.

    Attributes:
        table: where the rows come from.
        frame: one row for each of the table's, with the columns of a benchmark.
        problems: what is wrong with rows.
        sound: which rows have no problem.
        scale: the scale, where format or file say it.
        facts: what the file says of the whole benchmark.
        notes: what was decided.
    """

    table: RawTable
    frame: pl.DataFrame
    problems: tuple[RowProblem, ...]
    sound: NDArray[np.bool_]
    scale: Scale | None
    facts: Mapping[str, str]
    notes: tuple[str, ...]

    def with_problems(self, mask: NDArray[np.bool_], problems: Sequence[RowProblem]) -> Draft:
        """The draft with these rows found bad as well."""
        return replace(self, problems=(*self.problems, *problems), sound=self.sound & ~mask)


def draft(table: RawTable, layout: ColumnLayout, chosen: Mapping[str, str], *, declared: bool = False) -> Draft:
    """The table in our columns, typed and checked.

    Args:
        table: raw columns.
        layout: what the format says about them.
        chosen: our names to the file's, as far as the user said.
        declared: whether the user said the scale, so that the file need not say it well.

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
        notes=(*table.notes, *_notes(frame.filter(pl.Series(sound)), table, layout, matched)),
    )


def _rowless(table: RawTable, layout: ColumnLayout) -> Draft:
    """A table of which every row is bad has no columns to speak of."""
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
    """The frame with ids, constants, our words for values, and what follows from other columns."""
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
    """The frame with these values in columns that it lacks or that are null throughout."""
    lacking = [
        name for name in constants if name not in frame.columns or frame[name].null_count() == frame.height
    ]  # fmt: skip
    return frame.with_columns(pl.lit(constants[name]).alias(name) for name in lacking)


def _with_hidden_labels(layout: ColumnLayout, frame: pl.DataFrame, matched: Mapping[str, str]) -> ColumnLayout:
    """Test sets on the Hugging Face hub write -1 in every ``label`` whose gold is hidden."""
    if layout.hidden is not None or matched.get("score", "").lower() != "label":
        return layout
    return replace(layout, hidden=-1.0) if (frame["score"] == -1.0).all() else layout


def _unique(ids: pl.Series) -> pl.Series:
    """Ids of which every repetition carries a number."""
    while ids.is_duplicated().any():
        count = ids.to_frame("id").select(pl.int_range(pl.len()).over("id")).to_series()
        ids = ids.zip_with(count == 0, ids + "-" + (count + 1).cast(pl.String))
    return ids


def _known_scale(facts: Mapping[str, str], layout: ColumnLayout, file: str, *, declared: bool) -> Scale | None:
    """The scale that the file states or the format fixes; what the file states need not be one if the user does."""
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
        notes.append(f"{table.file}: {hidden:,} of {frame.height:,} items have no gold (hidden or not given)")
    return notes + ([] if layout.notes is None else [f"{table.file}: {note}" for note in layout.notes(frame)])
