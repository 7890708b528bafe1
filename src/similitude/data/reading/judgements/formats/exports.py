"""Exports of annotation tools: rows with what was shown, and answers to one or several questions.

Tools store what they showed and what annotators answered under names that the project chose. By these names
we find the answers that are ratings, or the best and the worst item of a tuple.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.column_names import find_column
from similitude.data.reading.judgements.answer_columns import with_times, with_values
from similitude.data.reading.judgements.answer_values import answer_texts
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.column_names import (
    ALIASES,
    TEXTS,
    match_judgement_columns,
    missing_column,
    named_like_answers,
)
from similitude.data.reading.judgements.column_types import text_column, typed_answers
from similitude.data.reading.judgements.families import numbered_families
from similitude.data.reading.judgements.format import JudgementSource
from similitude.data.reading.judgements.formats.best_worst import TupleColumns, best_worst_answers
from similitude.data.reading.judgements.item_texts import items_of
from similitude.data.reading.judgements.tables import some_rows, some_values
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.tables import Column, RawTable
from similitude.errors import ColumnError

__all__ = ["Export", "export_answers", "keep_rows"]

SQUARE = re.compile(r"\d\D+\d$|\d[\W_]*[A-Za-z]$")
"""Names such as p1_1 or text1_a: of two pairs, they may be numbered by pair and text, or by text and pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """Rows of an export.

    Attributes:
        table: where the rows come from.
        shown: what the annotator saw, by the project's names.
        given: the answers, by the project's names; None if a question was not answered.
        comments: the answers that the tool knows as free text, which are no ratings unless a name or the user says so.
        context: question, annotator, seconds and time, by our names, if the tool stores them.
        notes: decisions that the user should know.
    """

    table: RawTable
    shown: Mapping[str, Column]
    given: Mapping[str, Column]
    comments: Collection[str] = ()
    context: Mapping[str, Column] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def keep_rows(export: Export, which: NDArray[np.bool_]) -> Export:
    """Some of the rows."""
    shown, given, context = (
        {name: some_values(column, which) for name, column in columns.items()}
        for columns in (export.shown, export.given, export.context)
    )
    table = some_rows(replace(export.table, columns={}), which)
    return replace(export, table=table, shown=shown, given=given, context=context)


def export_answers(export: Export, source: JudgementSource) -> Answers:
    """The best-worst answers or the ratings of an export.

    Raises:
        ColumnError: it has neither, or several answers could be the rating.
    """
    best, worst = (_named(export.given, name, source.columns) for name in ("best", "worst"))
    if best is not None and worst is not None and source.kind != "rating":
        return _best_worst(export, source, best, worst)
    if source.kind == "best-worst":
        raise _missing(export, "no answers for best and worst", "best")
    return _ratings(export, source)


def _named(columns: Mapping[str, Column], ours: str, chosen: Mapping[str, str]) -> str | None:
    """The project's name for one of our columns."""
    if chosen.get(ours) in columns:
        return chosen[ours]
    return find_column(columns, ALIASES[ours])


def _missing(export: Export, what: str, ours: str) -> ColumnError:
    file = export.table.file
    error = missing_column(what, [*export.shown, *export.given], ours, file)
    return ColumnError(error.what.replace("columns there", "shown and answered"), where=file, remedy=error.remedy)


def _best_worst(export: Export, source: JudgementSource, best: str, worst: str) -> Answers:
    families = numbered_families(export.shown)
    chosen = [name.strip() for name in source.columns.get("items", "").split(",") if name.strip()]
    shown = chosen or _preferred(families)
    if not shown or not set(shown) <= set(export.shown):
        raise _missing(export, "no numbered columns for the items of a tuple", "items")
    answered = _answered(export.given[best]) | _answered(export.given[worst])
    kept = keep_rows(export, answered)
    columns = TupleColumns({name: kept.shown[name] for name in shown}, kept.given[best], kept.given[worst])
    # Several tasks may show the same tuple, so the question is the tuple, not the task.
    context = {name: column for name, column in kept.context.items() if name not in ("question", "time")}
    answers = best_worst_answers(kept.table, columns, context, {"best": best, "worst": worst}, source)
    answers = with_times(answers, kept.context.get("time"))
    notes = (*export.notes, *_unanswered(answered, f"{best} and {worst}", export.table.file))
    return replace(answers, notes=(*notes, f"{export.table.file}: tuples stand in {listing(shown)}", *answers.notes))


def _preferred(families: Sequence[list[str]]) -> list[str]:
    """The columns of ids if a tuple is shown by ids and texts, else the first family."""
    return next((family for family in families if "id" in family[0].lower()), families[0] if families else [])


class _Asked(NamedTuple):
    """The answers to one question of a page."""

    table: RawTable
    written: list[Any]
    columns: dict[str, pl.Series]
    items: pl.DataFrame | None
    notes: tuple[str, ...]


def _ratings(export: Export, source: JudgementSource) -> Answers:
    questions = _rating_questions(export, source)
    asked = [_asked(export, source, name, at, len(questions)) for at, name in enumerate(questions, start=1)]
    columns = {name: pl.concat([each.columns[name] for each in asked]) for name in asked[0].columns}
    table = asked[0].table if len(asked) == 1 else _joined([each.table for each in asked])
    times = columns.pop("time", None)
    answers = with_times(typed_answers(table, columns, {}, items=_all_items(asked)), times)
    answers = with_values(answers, [value for each in asked for value in each.written], ", ".join(questions), source)
    notes = dict.fromkeys([*(note for each in asked for note in each.notes), *answers.notes])
    idle = [name for name in export.given if name not in questions and name not in export.shown]
    unused = (f"{table.file}: answers not used: {listing(idle)}",) if idle else ()
    return replace(answers, notes=(*export.notes, *notes, *unused))


def _all_items(asked: Sequence[_Asked]) -> pl.DataFrame | None:
    """The items of all questions of the pages, for each answer."""
    items = [each.items for each in asked if each.items is not None]
    return pl.concat(items) if len(items) == len(asked) else None


def _rating_questions(export: Export, source: JudgementSource) -> list[str]:
    """The question whose answers are the ratings, by its name; several if the user or their numbers say so.

    Raises:
        ColumnError: there are several questions, and no name says which is the rating.
    """
    chosen = source.columns.get("value")
    if chosen:
        several = [chosen] if chosen in export.given else [name.strip() for name in chosen.split(",")]
        unknown = next((name for name in several if name not in export.given), None)
        if unknown is not None:
            raise _missing(export, f"no answers to '{unknown}' (wanted for value)", "value")
        return several
    given = [name for name, column in export.given.items() if _answered(column).any()]
    named = [name for name in given if named_like_answers(name)]
    if len(named) == 1:
        return named
    families = numbered_families(export.given)
    page = [family for family in families if named_like_answers(family[0], numbered=True)]
    if not named and len(page) == 1:
        return page[0]
    others = [name for name in given if name not in export.comments and not (name in export.shown and _is_known(name))]
    if len(others) == 1:
        return others
    what = f"several answers may be the rating: {listing(others)}" if others else "no answer is known to be the rating"
    raise _missing(export, f"{what}; {_examples(export.given)}", "value")


def _is_known(name: str) -> bool:
    """Whether a column is named like the item or its texts."""
    return find_column([name], [each for ours in ("item", *TEXTS) for each in ALIASES[ours]]) is not None


def _examples(given: Mapping[str, Column]) -> str:
    seen = {name: answer_texts(column).drop_nulls() for name, column in given.items()}
    return "; ".join(f"'{name}' holds {excerpt(values[0])}" for name, values in seen.items() if len(values)) or "none"


def _asked(export: Export, source: JudgementSource, name: str, number: int, questions: int) -> _Asked:
    file = export.table.file
    answered = _answered(export.given[name])
    kept = keep_rows(export, answered)
    context = {ours: text_column(column) for ours, column in kept.context.items()}
    if questions > 1:
        context |= {"question": context["question"] + f"/{number}"} if "question" in context else {}
        context |= {"seconds": _shared(context["seconds"], questions)} if "seconds" in context else {}
    ids, items, note = _items(kept, source, number if questions > 1 else 0, questions)
    notes = (*note, *_unanswered(answered, f"'{name}'", file))
    return _Asked(kept.table, list(kept.given[name]), {**context, "item": ids}, items, notes)


def _shared(seconds: pl.Series, questions: int) -> pl.Series:
    """The time of a page, divided equally among its questions."""
    return seconds.cast(pl.Float64, strict=False) / questions


class _Named(NamedTuple):
    """The id of each row's item, the items if their texts are shown, and a note on where ids come from."""

    ids: pl.Series
    items: pl.DataFrame | None
    notes: tuple[str, ...]


def _items(export: Export, source: JudgementSource, number: int, questions: int) -> _Named:
    """The items that the rows are about."""
    file = export.table.file
    if number:
        return _numbered_items(export, source, number, questions)
    name = _named(export.shown, "item", source.columns)
    ids = None if name is None else text_column(export.shown[name])
    matched = match_judgement_columns(list(export.shown), TEXTS, source.columns, file)
    _refuse_some_of_many(export, source, matched)
    items = items_of({ours: export.shown[theirs] for ours, theirs in matched.items()}, ids)
    if ids is not None:
        return _Named(ids, items, () if name == "item" else (f"{file}: items are named by '{name}'",))
    if items is not None:
        return _Named(items["id"], items, (f"{file}: items are named after their texts",))
    if "question" not in export.context:
        raise _missing(export, "nothing names the item", "item")
    return _Named(text_column(export.context["question"]), None, (f"{file}: every task is read as an item of its own",))


def _refuse_some_of_many(export: Export, source: JudgementSource, matched: Mapping[str, str]) -> None:
    """Check that the texts of the pair are not the first two of many, such as word1 and word2 of word1 to word9.

    Raises:
        ColumnError: they are, and the user did not name them.
    """
    if {"left", "right"} & source.columns.keys():
        return
    many = next((each for each in numbered_families(export.shown) if len(each) > 2 and matched.get("left") in each), [])
    if many:
        what = f"one question is about a task that shows many texts: {listing(many)}"
        remedy = "name the two that were judged with --column left=NAME --column right=NAME"
        raise ColumnError(what, where=export.table.file, remedy=remedy)


def _numbered_items(export: Export, source: JudgementSource, number: int, questions: int) -> _Named:
    """What a page shows under this number: an id, one text that is the item, or the two texts of a pair."""
    families = _families_of_page(export, source, questions)
    shown = [export.shown[family[number - 1]] for family in families]
    if len(shown) == 1:
        return _Named(text_column(shown[0]), None, ())
    items = items_of({"left": shown[0], "right": shown[1]}, None) if shown else None
    if items is not None:
        told = f"items are the pairs of texts in {listing(families[0])} and {listing(families[1])}"
        return _Named(items["id"], items, (f"{export.table.file}: {told}",))
    if shown or "question" not in export.context:
        raise _missing(export, "nothing names the items of the page", "items")
    return _Named(text_column(export.context["question"]) + f"/{number}", None, ())


def _families_of_page(export: Export, source: JudgementSource, questions: int) -> list[list[str]]:
    """The columns that show the items of a page: one family of ids or texts, two of texts, or none.

    Raises:
        ColumnError: it is not clear which texts belong together.
    """
    chosen = [source.columns[name].split(",") for name in ("items", "left", "right") if source.columns.get(name)]
    families = [[name.strip() for name in family] for family in chosen]
    families = families or [family for family in numbered_families(export.shown) if len(family) == questions]
    ids = [family for family in families if "id" in family[0].lower()]
    is_there = all(len(family) == questions and set(family) <= set(export.shown) for family in families)
    is_square = not chosen and questions == len(families) == 2 and bool(SQUARE.search(families[0][0]))
    if not is_there or (not ids and (len(families) > 2 or is_square)):
        what = f"it is not clear which texts the {questions} questions of a page are about"
        remedy = "name the texts in the order of the questions: --column left=FIRST,SECOND --column right=FIRST,SECOND"
        there = listing(export.shown)
        raise ColumnError(f"{what}; columns there: {there}", where=export.table.file, remedy=remedy)
    return ids[:1] or families


def _answered(answers: Column) -> NDArray[np.bool_]:
    return answer_texts(answers).is_not_null().to_numpy()


def _unanswered(answered: NDArray[np.bool_], name: str, file: str) -> tuple[str, ...]:
    blank = len(answered) - int(answered.sum())
    return (f"{file}: {blank:,} of {len(answered):,} rows hold no answer to {name}; left out",) if blank else ()


def _joined(tables: Sequence[RawTable]) -> RawTable:
    """The rows of several tables, in order."""
    starts, ends = (np.concatenate([getattr(table, name) for table in tables]) for name in ("starts", "ends"))
    labels = [label for table in tables for label in table.labels or ()]
    return replace(tables[0], columns={}, starts=starts, ends=ends, labels=labels or None)
