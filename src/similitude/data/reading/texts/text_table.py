"""One table of texts from raw columns, typed and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.plural import agreeing, counted
from similitude.data.provenance import FileReading
from similitude.data.reading.column_types import NAME, TEXT, ColumnKind, cast, misfit
from similitude.data.reading.members import with_members
from similitude.data.reading.problems import RowProblem, listing
from similitude.data.reading.row_checks import repeated_ids
from similitude.data.reading.tables import Column, RawTable, rows_where
from similitude.data.reading.texts.column_roles import match_text_columns
from similitude.data.reading.texts.dialogue_turns import dialogues_of_rows, listed_turns, turn_roles, with_last_turn
from similitude.data.texts import TEXT_SCHEMA

__all__ = ["TextTable", "text_table"]

ROLES: Mapping[str, ColumnKind] = {
    **{name: NAME for name in (*TEXT_SCHEMA, "dialogue", "turn", "speaker") if name != "context"},
    "text": TEXT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTable:
    """The texts of one file.

    Attributes:
        frame: one row for each text; a blank text is empty, not null, and ``id`` is missing if the file has none.
        problems: of bad rows, which are not in the frame.
        notes: decisions that the user should know.
        reading: how the file was understood.
    """

    frame: pl.DataFrame
    problems: tuple[RowProblem, ...]
    notes: tuple[str, ...]
    reading: FileReading


def text_table(table: RawTable, chosen: Mapping[str, str]) -> TextTable:
    """The texts of a table.

    Args:
        table: raw columns.
        chosen: the columns that the user named, our names to the file's.

    Raises:
        FormatError: the table holds pairs.
        ColumnError: a column is missing.
    """
    table = with_members(table, chosen.values())
    matched = turn_roles(match_text_columns(list(table.columns), chosen, table.file), list(chosen))
    frame, problems = _typed(table, matched)
    notes = _matching_note(matched)
    if "context" in matched:
        frame, odd, said = _with_dialogues(frame, table, matched["context"])
        problems, notes = problems + odd, notes + said
    further, left_out = _further(table, matched, frame.columns)
    frame = frame.with_columns(further)
    sound = ~(table.spoilt() | _rows_of(problems, table))
    frame, places = rows_where(frame, sound), np.flatnonzero(sound)
    if "dialogue" in matched:
        frame, starts = dialogues_of_rows(frame, _kept(table, places), matched)
        notes.append(f"{counted(len(places), 'turn')} of {counted(frame.height, 'dialogue')} put together")
        places = places[starts]
    frame = _with_constants(frame, table).with_columns(pl.col("text").fill_null(""))
    frame, repeated = _without_repeated(frame, table, places)
    everything = (*table.problems, *problems, *repeated)
    return TextTable(
        frame=frame,
        problems=everything,
        notes=(*table.notes, *(f"{table.file}: {note}" for note in (*notes, *left_out))),
        reading=_reading(table, matched, frame.height),
    )


def _typed(table: RawTable, matched: Mapping[str, str]) -> tuple[pl.DataFrame, list[RowProblem]]:
    columns, problems = {}, []
    for ours, theirs in matched.items():
        if ours in ROLES:
            columns[ours], misfits = cast(table.columns[theirs], ROLES[ours])
            for row in np.flatnonzero(misfits).tolist():
                what = misfit(table.columns[theirs][row], theirs, ROLES[ours])
                remedy = f"{ROLES[ours].remedy}, or name another column with --column {ours}=NAME"
                problems.append(table.problem(row, what, remedy))
    frame = pl.DataFrame(columns) if columns else pl.DataFrame({"row": np.arange(len(table))}).select()
    return frame, problems + _blank_ids(frame, table)


def _blank_ids(frame: pl.DataFrame, table: RawTable) -> list[RowProblem]:
    if "id" not in frame.columns or not frame["id"].null_count():
        return []
    remedy = "give every row an id, or number the rows with --column id="
    return [table.problem(row, "the id is blank", remedy) for row in frame["id"].is_null().arg_true().to_list()]


def _with_dialogues(
    frame: pl.DataFrame, table: RawTable, name: str
) -> tuple[pl.DataFrame, list[RowProblem], list[str]]:
    found = listed_turns(table, name)
    made = with_last_turn(found.turns, frame["text"] if "text" in frame.columns else None, found.speakers)
    added = int(made["added"].sum())
    verb = agreeing(added, "text", "continues its dialogue and was", "continue their dialogues and were")
    notes = [f"{verb} added as the last turn"] if added else []
    others = frame.select(column for column in frame.columns if column not in made.columns)
    return pl.concat([others, made.drop("added")], how="horizontal"), found.problems, notes


def _matching_note(matched: Mapping[str, str]) -> list[str]:
    renamed = [f"{ours}={theirs}" for ours, theirs in matched.items() if ours != theirs]
    return [f"columns matched: {listing(renamed)}"] if renamed else []


def _further(table: RawTable, matched: Mapping[str, str], ours: Sequence[str]) -> tuple[list[pl.Series], list[str]]:
    """The columns that are kept as they are, and a note on those whose names are taken."""
    names = [name for name in table.columns if name and name not in matched.values()]
    taken = [name for name in names if name in TEXT_SCHEMA or name in ours]
    kept = [_as_series(name, table.columns[name]) for name in names if name not in taken]
    return kept, [f"columns not used, because another was named for them: {listing(taken)}"] if taken else []


def _as_series(name: str, values: Column) -> pl.Series:
    """A column as it is; values of several types as JSON."""
    if isinstance(values, pl.Series):
        return values.alias(name)
    try:
        return pl.Series(name, values, strict=True)
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        return pl.Series(name, [None if value is None else _as_json(value) for value in values], dtype=pl.String)


def _as_json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _rows_of(problems: Sequence[RowProblem], table: RawTable) -> NDArray[np.bool_]:
    return np.isin(table.starts, [problem.place for problem in problems])


def _kept(table: RawTable, places: NDArray[np.intp]) -> RawTable:
    """The places of some rows of a table, for messages."""
    return RawTable(
        file=table.file,
        columns={},
        starts=table.starts[places],
        ends=table.ends[places],
        unit=table.unit,
        labels=None if table.labels is None else [table.labels[place] for place in places],
        problems=table.problems,
    )


def _with_constants(frame: pl.DataFrame, table: RawTable) -> pl.DataFrame:
    given = {name: text for name, text in table.constants.items() if name not in frame.columns}
    return frame.with_columns(pl.lit(text).alias(name) for name, text in given.items())


def _without_repeated(
    frame: pl.DataFrame, table: RawTable, places: NDArray[np.intp]
) -> tuple[pl.DataFrame, list[RowProblem]]:
    if "id" not in frame.columns:
        return frame, []
    problems, bad = repeated_ids(frame, _kept(table, places), np.ones(frame.height, dtype=np.bool_))
    return rows_where(frame, ~bad), problems


def _reading(table: RawTable, matched: Mapping[str, str], kept: int) -> FileReading:
    return FileReading(
        file=table.file,
        container=table.container,
        layout="texts",
        rows=len(table) + table.rowless(),
        kept=kept,
        columns=dict(matched),
        details=dict(table.details),
    )
