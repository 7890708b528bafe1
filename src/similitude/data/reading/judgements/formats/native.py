"""judgements-jsonl: JSON lines with our columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.judgement import BEST_WORST_SCHEMA, RATING_SCHEMA
from similitude.data.judgements import Kind
from similitude.data.reading.column_names import find_column
from similitude.data.reading.judgements.answer_columns import with_times, with_values
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.column_names import ALIASES, FACTS, TEXTS, match_judgement_columns
from similitude.data.reading.judgements.column_types import matched_facts, scale_of_ratings, text_column, typed_answers
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.judgements.item_texts import items_of
from similitude.data.reading.judgements.tables import header_of, read_table, some_rows
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = ["judgements_jsonl"]

SUMMARY = "JSON lines with our columns: best-worst answers, ratings or verifications"
RECOGNISED = "the first line is a JSON object with items and best, item and value, or applies"

MARKS: Mapping[str, tuple[str, ...]] = {
    "best-worst": ("best", "worst"),
    "written condition": ("alike", "differ"),
    "rating": ("value", "applies"),
}
"""The keys by which a kind is recognised, if they have a value; the first kind that fits counts."""

WANTED: Mapping[str, Kind] = {"category": "rating", "counts": "rating"}
"""Kinds of answers that stand in the same rows as another kind."""

NO_SCORE = "written conditions have no score"


def judgements_jsonl() -> JudgementFormat:
    """Files that this package writes."""
    return JudgementFormat(
        name="judgements-jsonl", summary=SUMMARY, recognised=RECOGNISED, fits=_fits, answers=_answers
    )


def _fits(sniffer: Sniffer) -> bool:
    keys = set(sniffer.first_object or ([] if sniffer.is_text else header_of(sniffer)))
    if any(needed <= keys for needed in ({"items", "best"}, {"alike"})):
        return True
    is_table = not sniffer.first_object and find_column(list(keys), ALIASES["annotator"]) is not None
    return not is_table and any(needed <= keys for needed in ({"item", "value"}, {"item", "applies"}))


def _answers(source: JudgementSource) -> list[Answers]:
    table = _renamed(read_table(source), source.columns)
    kinds, taken = _kinds(table)
    kind = _one_kind(kinds, WANTED.get(source.kind or "", source.kind), table.file)
    rows = kinds[kind] | ~taken
    table, taken = some_rows(table, rows), taken[rows]
    schema = BEST_WORST_SCHEMA if kind == "best-worst" else RATING_SCHEMA
    facts = matched_facts(table, {name: name for name in FACTS if name in table.columns})
    there = {name: name for name in (*schema, *FACTS, "time") if name in table.columns}
    answers = typed_answers(
        table,
        {name: table.columns[name] for name in schema if name in there and name != "value"},
        source.columns,
        facts=facts,
        scale=scale_of_ratings(facts, table.file) if kind == "rating" else None,
        notes=table.notes,
        columns={**there, **{ours: theirs for ours, theirs in source.columns.items() if theirs}},
        items=_texts(table) if kind == "rating" else None,
    )
    if kind == "rating" and "value" in there:
        answers = with_values(answers, table.columns["value"], source.columns.get("value", "value"), source)
    answers = with_times(answers, table.columns.get("time"))
    remedy = "a line needs items, best and worst, or item and value"
    return [answers.with_problems(~taken, lambda _: "the line holds no judgement", remedy)]


def _texts(table: RawTable) -> pl.DataFrame | None:
    """The items that were rated, if their texts are there."""
    there = list(table.columns)
    named = {ours: found for ours in TEXTS if (found := find_column(there, ALIASES[ours])) is not None}
    if "item" not in there:
        return None
    return items_of({ours: table.columns[theirs] for ours, theirs in named.items()}, text_column(table.columns["item"]))


def _renamed(table: RawTable, chosen: Mapping[str, str]) -> RawTable:
    """The table with our names for the columns that the user named, and without those that the user leaves out."""
    if not chosen:
        return table
    match_judgement_columns(list(table.columns), chosen, chosen, table.file)
    kept = {name: column for name, column in table.columns.items() if name not in chosen}
    named = {ours: table.columns[theirs] for ours, theirs in chosen.items() if theirs}
    return replace(table, columns=kept | named)


def _kinds(table: RawTable) -> tuple[dict[str, NDArray[np.bool_]], NDArray[np.bool_]]:
    """Masks of the rows of each kind, and of all rows that have a kind."""
    taken = np.zeros(len(table), dtype=np.bool_)
    kinds = {}
    for kind, marks in MARKS.items():
        rows = _rows_of(table, marks)
        kinds[kind] = rows & ~taken
        taken = taken | rows
    return kinds, taken


def _rows_of(table: RawTable, marks: tuple[str, ...]) -> NDArray[np.bool_]:
    """A mask of the rows in which one of these keys has a value."""
    rows = np.zeros(len(table), dtype=np.bool_)
    for name in marks:
        if name in table.columns:
            rows |= np.fromiter((value is not None for value in table.columns[name]), dtype=np.bool_, count=len(table))
    return rows


def _one_kind(kinds: Mapping[str, NDArray[np.bool_]], wanted: str | None, file: str) -> Kind:
    counts = {kind: int(rows.sum()) for kind, rows in kinds.items() if rows.any()}
    if wanted is not None and counts.get(wanted):
        return "rating" if wanted == "rating" else "best-worst"
    said = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
    if set(counts) == {"written condition"}:
        raise InputError(
            f"{said}: {NO_SCORE}", where=file, remedy="collect ratings of the items under these conditions"
        )
    if wanted is not None and counts:
        raise InputError(f"there are no {wanted} answers, but {said}", where=file, remedy="ask for another --kind")
    if len(counts) > 1:
        what = f"judgements of several kinds: {said}"
        more = f"; {NO_SCORE}" if "written condition" in counts else ""
        raise InputError(what + more, where=file, remedy="take one with --kind best-worst or --kind rating")
    return "rating" if "rating" in counts else "best-worst"
