"""Checks of answers: items, best and worst, ratings, annotators and questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from similitude.data.judgements import Kind, question_of_items
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.row_checks import RowCheck, bad_rows
from similitude.data.scale import Scale
from similitude.errors import InputError, ScaleError

__all__ = ["checked", "off_scale", "unknown_items"]

ITEMS = pl.col("items")
BLANK_ANNOTATOR = "name the annotator in every row, or leave all unnamed with --column annotator="
SAME_QUESTION = "give every tuple a question of its own, or name none with --column question="


def _answer_check(bad: pl.Expr, what: str | Callable[[Mapping[str, Any]], str], remedy: str, *needs: str) -> RowCheck:
    def message(row: Mapping[str, Any], names: Mapping[str, str]) -> str:
        return what if isinstance(what, str) else what(row)

    return RowCheck(bad=bad, what=message, remedy=remedy, needs=needs)


def _outside(answer: str) -> RowCheck:
    def what(row: Mapping[str, Any]) -> str:
        return f"{answer} answer {excerpt(row[answer])} is not in its tuple ({listing(row['items'])})"

    bad = ~ITEMS.list.contains(pl.col(answer))
    return _answer_check(bad, what, "an answer is one of the items shown", answer, "items")


def _no_answer(answer: str) -> RowCheck:
    what = f"there is no {answer} answer"
    return _answer_check(pl.col(answer).is_null(), what, "every row needs a best and a worst", answer)


TOO_SMALL = ITEMS.is_null() | (ITEMS.list.len() < 2)
BLANK_ITEM = ITEMS.list.eval(pl.element().is_null() | (pl.element() == "")).list.any()
RATED = pl.col("value").is_not_null()
NO_RATING = ~RATED & (pl.col("applies").is_null() | (pl.col("applies") & RATED.any()))
"""No rating although the question applies; a file may also say only whether it applies."""

NEEDS_RATING = "every answer needs a rating, unless it says that the question does not apply"
NEEDS_ANSWER = "name a category in every row, or a code for no answer with --missing CODE"

CHECKS: Mapping[Kind, tuple[RowCheck, ...]] = {
    "best-worst": (
        _answer_check(
            TOO_SMALL,
            lambda row: f"a tuple of {len(row['items'] or ())} items",
            "a tuple has at least 2 items",
            "items",
        ),
        _answer_check(BLANK_ITEM, "an item of the tuple is blank", "name every item of the tuple", "items"),
        _no_answer("best"),
        _no_answer("worst"),
        _outside("best"),
        _outside("worst"),
    ),
    "rating": (
        _answer_check(pl.col("item").is_null(), "the item is blank", "name every item", "item"),
        _answer_check(
            ~pl.col("value").is_finite(),
            lambda row: f"rating {row['value']} is not a finite number",
            "leave such answers out",
            "value",
        ),
        _answer_check(NO_RATING, "there is no rating", NEEDS_RATING, "value", "applies"),
    ),
    "category": (
        _answer_check(pl.col("item").is_null(), "the item is blank", "name every item", "item"),
        _answer_check(NO_RATING, "there is no answer", NEEDS_ANSWER, "value", "applies"),
    ),
}


def checked(answers: Answers) -> Answers:
    """The answers of one file with all problems that can be found without the items and the scale."""
    for check, bad in bad_rows(answers.frame, CHECKS[answers.kind]):
        answers = answers.with_problems(bad, partial(_message, check), check.remedy)
    return _with_one_tuple_a_question(_with_annotators_named(answers))


def _message(check: RowCheck, row: Mapping[str, Any]) -> str:
    return check.what(row, {})


def off_scale(answers: Answers, scale: Scale) -> Answers:
    """The answers, those with a rating off the scale marked as bad."""
    values = answers.frame["value"].fill_null(scale.low).to_numpy()
    return answers.with_problems(
        ~scale.holds(values),
        lambda row: f"rating {row['value']:g} is off the scale {scale}",
        "correct it, or declare the scale with --scale",
        ScaleError,
    )


def unknown_items(answers: Answers, known: pl.Series, where: str) -> Answers:
    """The answers, those about unknown items marked as bad.

    Args:
        answers: the answers of one file.
        known: ids of the known items.
        where: the name of the benchmark that has these items.
    """
    column = pl.col("items") if answers.kind == "best-worst" else pl.concat_list("item")
    named = answers.frame.select(ids=column).with_row_index("at").explode("ids")
    strange = named.filter(pl.col("ids").is_not_null() & ~pl.col("ids").is_in(known.implode()))
    first = dict(zip(reversed(strange["at"].to_list()), reversed(strange["ids"].to_list()), strict=True))
    mask = np.zeros(answers.frame.height, dtype=np.bool_)
    mask[list(first)] = True
    names = iter([first[at] for at in np.flatnonzero(mask & answers.sound)])
    return answers.with_problems(
        mask,
        lambda _: f"unknown item {excerpt(next(names))}, which is not in '{where}'",
        "name the file that has all items with --items",
    )


def _with_annotators_named(answers: Answers) -> Answers:
    """The answers, those without an annotator marked as bad if others have one."""
    if "annotator" not in answers.frame.columns:
        return answers
    blank = answers.frame["annotator"].is_null()
    if blank.all():
        return answers
    return answers.with_problems(blank.to_numpy(), lambda _: "the annotator is blank", BLANK_ANNOTATOR)


def _with_one_tuple_a_question(answers: Answers) -> Answers:
    """The answers, those marked as bad whose question was about other items before."""
    frame = answers.frame
    if (
        answers.kind != "best-worst"
        or "question" not in frame.columns
        or frame["question"].null_count() == frame.height
    ):
        return answers
    sets = frame.select("question", shown=question_of_items(pl.col("items")))
    other = sets.select(pl.col("shown") != pl.col("shown").first().over("question")).to_series().fill_null(value=False)
    return answers.with_problems(other.to_numpy(), _other_tuple, SAME_QUESTION, InputError)


def _other_tuple(row: Mapping[str, Any]) -> str:
    return f"question {excerpt(row['question'])} was about other items above, not about ({listing(row['items'])})"
