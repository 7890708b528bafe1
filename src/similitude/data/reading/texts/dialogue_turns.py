"""Dialogues in tables: a list of turns in each cell, or one row for each turn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.column_types import NUMBER, TEXTS, cast, misfit
from similitude.data.reading.problems import RowProblem, excerpt
from similitude.data.reading.tables import Column, RawTable
from similitude.data.texts import SPEAKERS, TEXT_SCHEMA
from similitude.errors import InputError

__all__ = ["Dialogues", "dialogues_of_rows", "listed_turns", "turn_roles", "with_last_turn"]

SAID = ("text", "content", "utterance", "value", "message", "body")
WHO = ("speaker", "role", "from", "author", "sender", "name")
"""Usual keys of a turn that is an object, the most likely first."""

REMEDY = 'write ["first turn", "second turn"], or {"speaker": ..., "text": ...} for each turn'


class Dialogues(NamedTuple):
    """Dialogues as columns.

    Attributes:
        turns: the turns of each row, oldest first; null where a row has none.
        speakers: who spoke each turn; None if the data does not say so.
        problems: of rows whose turns cannot be read.
    """

    turns: pl.Series
    speakers: pl.Series | None
    problems: list[RowProblem]


class _Turns(NamedTuple):
    said: list[str]
    who: list[str | None]


def listed_turns(table: RawTable, name: str) -> Dialogues:
    """The dialogues in a column of lists: of texts, or of objects with a text and a speaker."""
    column = table.columns[name]
    if isinstance(column, pl.Series) and TEXTS.takes(column.dtype):
        plain = cast(column, TEXTS)
        return Dialogues(plain.values, None, [_odd(table, name, row) for row in np.flatnonzero(plain.misfits)])
    return _one_by_one(table, name, column)


def _one_by_one(table: RawTable, name: str, column: Column) -> Dialogues:
    found = [_turns(cell) for cell in column]
    bad = [row for row, turns in enumerate(found) if isinstance(turns, ValueError)]
    said = [turns.said if isinstance(turns, _Turns) else None for turns in found]
    who = [turns.who if isinstance(turns, _Turns) else None for turns in found]
    told = any(each is not None for turns in who if turns for each in turns)
    dtype = TEXT_SCHEMA["context"]
    speakers = pl.Series(SPEAKERS, who, dtype=dtype) if told else None
    return Dialogues(pl.Series("context", said, dtype=dtype), speakers, [_odd(table, name, row) for row in bad])


def _odd(table: RawTable, name: str, row: Any) -> RowProblem:
    return table.problem(int(row), misfit(table.columns[name][int(row)], name, TEXTS), REMEDY)


def _turns(cell: Any) -> _Turns | ValueError | None:
    """The turns in a cell; None for an empty one; an error for one that holds something else."""
    try:
        cell = cell.to_list() if isinstance(cell, pl.Series) else cell
        if cell is None or (isinstance(cell, str) and not cell.strip()) or cell == []:
            return None
        found = json.loads(cell) if isinstance(cell, str) else cell
        if not isinstance(found, list):
            raise TypeError
        both = [_turn(each) for each in found]
    except (ValueError, TypeError, RecursionError):
        return ValueError()
    return _Turns([said for said, _ in both], [who for _, who in both])


def _turn(turn: Any) -> tuple[str, str | None]:
    if isinstance(turn, str):
        return turn, None
    said = next((turn[key] for key in SAID if isinstance(turn.get(key), str)), None) if isinstance(turn, dict) else None
    if said is None:
        raise TypeError
    return said, next((str(turn[key]) for key in WHO if turn.get(key) is not None), None)


def with_last_turn(context: pl.Series, text: pl.Series | None, speakers: pl.Series | None) -> pl.DataFrame:
    """Columns ``context``, ``text`` and, if known, ``speakers``, so that the last turn is the text.

    Args:
        context: the turns of each row; null where a row has none.
        text: the column of texts, if there is one: the last turn, or the turn after it.
        speakers: who spoke each turn; of a turn that is added, nobody knows.

    Returns:
        These columns, and ``added``: whether the text was added to its context because it continues it.
    """
    last = context.list.last()
    frame = pl.DataFrame({"context": context, "text": last if text is None else text, "last": last})
    added = pl.col("context").is_not_null() & pl.col("text").is_not_null() & pl.col("text").ne_missing(pl.col("last"))
    who = [] if speakers is None else [speakers.alias(SPEAKERS)]
    frame = frame.with_columns(*who, added=added)
    new = {"context": pl.col("text"), SPEAKERS: pl.lit(None, pl.String)}
    longer = [
        pl.when("added").then(pl.concat_list(name, turn)).otherwise(name).alias(name)
        for name, turn in new.items()
        if name in frame.columns
    ]
    return frame.select(*longer, pl.coalesce("text", "last").alias("text"), "added")


def dialogues_of_rows(
    frame: pl.DataFrame, table: RawTable, matched: Mapping[str, str]
) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """One row for each dialogue from one row for each turn.

    Args:
        frame: typed columns, with ``dialogue`` and ``text``, and ``turn`` and ``speaker`` where the table has them.
        table: where the rows come from.
        matched: our names to the file's.

    Returns:
        The dialogues in order of first appearance, and the row at which each begins. Of the other columns, the first
        value of each dialogue is kept.

    Raises:
        InputError: a row names no dialogue, or two rows of a dialogue are the same turn.
    """
    lacking = frame["dialogue"].is_null().arg_true()
    if len(lacking):
        what = f"column {excerpt(matched['dialogue'])} is blank, so that the dialogue of this turn is not known"
        raise InputError(
            what, where=table.where(lacking[0]), remedy="give every turn its dialogue, or --column dialogue="
        )
    rows = frame.with_row_index("row")
    if "turn" in frame.columns:
        rows = rows.with_columns(_turn_numbers(frame["turn"], table, matched["turn"])).sort("turn", maintain_order=True)
        _refuse_repeated_turns(rows, table)
    speakers = [pl.col("speaker").alias(SPEAKERS)] if "speaker" in frame.columns else []
    others = [name for name in frame.columns if name not in ("dialogue", "turn", "speaker", "text", "id")]
    grouped = rows.group_by("dialogue", maintain_order=True).agg(
        pl.col("row").min(), pl.col("text").alias("context"), *speakers, *(pl.col(name).first() for name in others)
    )
    made = grouped.sort("row")
    starts = made["row"].to_numpy().astype(np.int64)
    made = made.with_columns(pl.col("context").list.last().alias("text"), pl.col("dialogue").alias("id"))
    group = [] if "group" in frame.columns else [pl.col("dialogue").alias("group")]
    return made.with_columns(group).drop("row", "dialogue"), starts


def _turn_numbers(turns: pl.Series, table: RawTable, name: str) -> pl.Series:
    numbers = cast(turns, NUMBER)
    bad = np.flatnonzero(numbers.misfits | numbers.values.is_null().to_numpy())
    if len(bad):
        row = int(bad[0])
        remedy = "number the turns, or leave the column out with --column turn= if the rows are in order"
        raise InputError(misfit(turns[row], name, NUMBER), where=table.where(row), remedy=remedy)
    return numbers.values.alias("turn")


def _refuse_repeated_turns(rows: pl.DataFrame, table: RawTable) -> None:
    again = rows.filter(~pl.struct("dialogue", "turn").is_first_distinct())
    if again.height:
        first = again.sort("row").row(0, named=True)
        what = f"turn {first['turn']:g} of dialogue {excerpt(first['dialogue'])} is there twice"
        raise InputError(what, where=table.where(first["row"]), remedy="number the turns, or leave out --column turn=")


def turn_roles(matched: Mapping[str, str], chosen: Sequence[str]) -> dict[str, str]:
    """The matched columns; those of turns only if the table has one row for each turn.

    A dialogue alone is a group of texts; it takes a turn or a speaker as well, or the user's word, to make it a list of
    turns.
    """
    by_rows = "dialogue" in matched and "text" in matched and "context" not in matched
    if by_rows and ("dialogue" in chosen or {"turn", "speaker"} & set(matched)):
        return dict(matched)
    plain = {ours: theirs for ours, theirs in matched.items() if ours not in ("dialogue", "turn", "speaker")}
    if "dialogue" in matched and "group" not in plain and "context" not in plain:
        plain["group"] = matched["dialogue"]
    return plain
