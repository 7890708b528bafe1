"""ratings-long: one row per answer, with item, rater and value, such as ``task worker label``; numbers or words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from similitude.data.reading.column_names import find_column, matching_notes
from similitude.data.reading.format import GENERAL
from similitude.data.reading.judgements.answer_columns import time_column, with_times, with_values
from similitude.data.reading.judgements.answer_status import refuse_rejected
from similitude.data.reading.judgements.answer_values import answer_texts
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.column_names import (
    ALIASES,
    CONTEXT,
    FACTS,
    TEXTS,
    match_judgement_columns,
    missing_column,
)
from similitude.data.reading.judgements.column_types import matched_facts, scale_of_ratings, text_column, typed_answers
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.judgements.item_texts import items_of
from similitude.data.reading.judgements.long_checks import refuse_row_ids, refuse_summaries
from similitude.data.reading.judgements.tables import header_of, read_table
from similitude.data.reading.problems import listing
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import Column, RawTable
from similitude.errors import InputError

__all__ = ["ratings_long"]

SUMMARY = "one row per answer: item (task, unit), annotator (worker, rater), value (label, rating): numbers or words"
RECOGNISED = "the header names the annotator, the value or applies, and the item or its texts"

FEW, SHORT = 20, 40
"""More or longer answers are texts, not categories."""

OURS = ("item", "value", *CONTEXT, "applies", *FACTS, *TEXTS, "time")
ANSWER = ("item", *CONTEXT, "applies")


def ratings_long() -> JudgementFormat:
    """Tables with one rating per row."""
    return JudgementFormat(
        name="ratings-long", priority=GENERAL, summary=SUMMARY, recognised=RECOGNISED, fits=_fits, answers=_answers
    )


def _fits(sniffer: Sniffer) -> bool:
    there = header_of(sniffer)

    def has(name: str) -> bool:
        return bool(sniffer.columns.get(name) or find_column(there, ALIASES[name]))

    answered = has("value") or has("applies")
    return has("annotator") and answered and (has("item") or (has("left") and has("right")))


def _answers(source: JudgementSource) -> list[Answers]:
    table = read_table(source)
    there = list(table.columns)
    matched = time_column(match_judgement_columns(there, OURS, source.columns, table.file), table)
    if "value" not in matched and "applies" not in matched:
        raise missing_column("no column for value", there, "value", table.file)
    _refuse_rivals(table, matched, source)
    _refuse_comparisons(table, matched)
    refuse_row_ids(table, matched, source)
    refuse_summaries(table, matched, source)
    refuse_rejected(table, matched.values())
    columns: dict[str, Column] = {name: table.columns[theirs] for name, theirs in matched.items()}
    ids = text_column(columns["item"]) if "item" in matched else None
    items = items_of({name: columns[name] for name in TEXTS if name in columns}, ids)
    if "item" not in matched:
        if items is None:
            raise missing_column("no column for item", there, "item", table.file)
        columns["item"] = items["id"]
    facts = matched_facts(table, matched)
    answers = typed_answers(table, _only(columns, ANSWER), matched, items=items, facts=facts, columns=matched)
    if "value" in columns:
        answers = with_values(answers, columns["value"], matched["value"], source)
    answers = with_times(answers, columns.get("time"))
    notes = (*table.notes, *matching_notes(there, matched), *answers.notes)
    return [replace(answers, scale=scale_of_ratings(facts, table.file), notes=notes)]


def _refuse_comparisons(table: RawTable, matched: Mapping[str, str]) -> None:
    """Check that answers do not name one of the two texts, as in comparisons.

    Raises:
        InputError: every answer does.
    """
    if not {"value", "left", "right"} <= matched.keys():
        return
    value, left, right = (answer_texts(table.columns[matched[name]]) for name in ("value", "left", "right"))
    sides = value.is_in(["left", "right"]) | value.eq(left) | value.eq(right)
    if len(value.drop_nulls()) and sides.filter(value.is_not_null()).all():
        what = f"every answer in column '{matched['value']}' names one of two sides, as comparisons do"
        remedy = "read comparisons with --column items=A,B --column best=NAME --format pairs"
        raise InputError(what, where=table.file, remedy=remedy)


def _refuse_rivals(table: RawTable, matched: Mapping[str, str], source: JudgementSource) -> None:
    """Check that no second column is named like an answer and holds other answers."""
    chosen = matched.get("value")
    if chosen is None or "value" in source.columns:
        return
    first = answer_texts(table.columns[chosen])
    rivals = [
        name for name in _named_like_values(table, matched) if _is_rival(answer_texts(table.columns[name]), first)
    ]
    if rivals:
        both = listing([chosen, *rivals], 4)
        what = f"columns {both} are all named like answers: which is the answer?"
        raise InputError(what, where=table.file, remedy="name it with --column value=NAME")


def _named_like_values(table: RawTable, matched: Mapping[str, str]) -> list[str]:
    free = [name for name in table.columns if name not in matched.values()]
    return [name for name in free if find_column([name], ALIASES["value"])]


def _is_rival(column: pl.Series, answers: pl.Series) -> bool:
    """Whether a column holds short answers that vary and are not those that were found."""
    given = column.drop_nulls()
    if given.n_unique() < 2 or column.equals(answers):
        return False
    numeric = given.cast(pl.Float64, strict=False).null_count() == 0
    return numeric or (given.n_unique() <= FEW and int(given.str.len_chars().max() or 0) <= SHORT)  # type: ignore[arg-type]


def _only(columns: Mapping[str, Column], names: tuple[str, ...]) -> dict[str, Column]:
    return {name: columns[name] for name in names if name in columns}
