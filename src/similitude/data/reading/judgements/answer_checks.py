"""What makes an answer unfit, checked over whole columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from similitude.data.judgements import Kind, tuple_name
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.problems import excerpt, listing
from similitude.data.scale import Scale
from similitude.errors import InputError, ScaleError

__all__ = ["checked", "off_scale", "unknown_items"]

ITEMS = pl.col("items")
BLANK_ANNOTATOR = "name the annotator in every row, or leave all unnamed with --column annotator="
SAME_QUESTION = "give every tuple a question of its own, or name none with --column question="


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCheck:
    """One thing that may be wrong with an answer.

    Attributes:
        needs: the columns without which the question does not arise.
        bad: which answers are, as an expression over the frame.
        what: the message, given the answer as a row.
        remedy: how to mend it.
    """

    needs: tuple[str, ...]
    bad: pl.Expr
    what: Callable[[Mapping[str, Any]], str]
    remedy: str


def _says(message: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda _: message


def _outside(answer: str) -> AnswerCheck:
    def what(row: Mapping[str, Any]) -> str:
        return f"{answer} answer {excerpt(row[answer])} is not in its tuple ({listing(row['items'])})"

    return AnswerCheck(
        needs=(answer, "items"),
        bad=~ITEMS.list.contains(pl.col(answer)),
        what=what,
        remedy="an answer is one of the items shown",
    )


def _no_answer(answer: str) -> AnswerCheck:
    return AnswerCheck(
        needs=(answer,),
        bad=pl.col(answer).is_null(),
        what=_says(f"there is no {answer} answer"),
        remedy="every row needs a best and a worst",
    )


CHECKS: Mapping[Kind, tuple[AnswerCheck, ...]] = {
    "best-worst": (
        AnswerCheck(
            needs=("items",),
            bad=ITEMS.is_null() | (ITEMS.list.len() < 2),
            what=lambda row: f"a tuple of {len(row['items'] or ())} items",
            remedy="a tuple has two items at least",
        ),
        AnswerCheck(
            needs=("items",),
            bad=ITEMS.list.eval(pl.element().is_null() | (pl.element() == "")).list.any(),
            what=_says("an item of the tuple is blank"),
            remedy="name every item of the tuple",
        ),
        _no_answer("best"),
        _no_answer("worst"),
        _outside("best"),
        _outside("worst"),
    ),
    "rating": (
        AnswerCheck(
            needs=("item",), bad=pl.col("item").is_null(), what=_says("the item is blank"), remedy="name every item"
        ),
        AnswerCheck(
            needs=("value",),
            bad=~pl.col("value").is_finite(),
            what=lambda row: f"rating {row['value']} is not a finite number",
            remedy="leave such answers out",
        ),
        AnswerCheck(
            needs=("value", "applies"),
            bad=pl.col("value").is_null() & (pl.col("applies").is_null() | pl.col("applies")),
            what=_says("there is no rating"),
            remedy="every answer needs a rating, unless it says that the question does not apply",
        ),
    ),
}


def checked(answers: Answers) -> Answers:
    """The answers with every problem that one file alone brings to light."""
    for check in CHECKS[answers.kind]:
        if set(check.needs) <= set(answers.frame.columns):
            bad = answers.frame.select(check.bad.fill_null(value=False)).to_series()
            answers = answers.with_problems(bad.to_numpy(), check.what, check.remedy)
    return _with_one_tuple_a_question(_with_annotators_named(answers))


def off_scale(answers: Answers, scale: Scale) -> Answers:
    """The answers with ratings that do not lie on the scale found bad."""
    values = answers.frame["value"].fill_null(scale.low).to_numpy()
    return answers.with_problems(
        ~scale.holds(values),
        lambda row: f"rating {row['value']:g} is off the scale {scale}",
        "mend it, or declare the scale with --scale",
        ScaleError,
    )


def unknown_items(answers: Answers, known: pl.Series, where: str) -> Answers:
    """The answers about items that nobody knows found bad.

    Args:
        answers: those of one file.
        known: ids of the items there are.
        where: the name of the benchmark that holds them.
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
        lambda _: f"unknown item {excerpt(next(names))}; '{where}' does not hold it",
        "name the file that has all items with --items",
    )


def _with_annotators_named(answers: Answers) -> Answers:
    """Either every answer names its annotator or none does."""
    if "annotator" not in answers.frame.columns:
        return answers
    blank = answers.frame["annotator"].is_null()
    if blank.all():
        return answers
    return answers.with_problems(blank.to_numpy(), lambda _: "the annotator is blank", BLANK_ANNOTATOR)


def _with_one_tuple_a_question(answers: Answers) -> Answers:
    """A question that is named stands for one set of items."""
    frame = answers.frame
    if answers.kind == "rating" or "question" not in frame.columns or frame["question"].null_count() == frame.height:
        return answers
    sets = frame.select("question", shown=tuple_name(pl.col("items")))
    other = sets.select(pl.col("shown") != pl.col("shown").first().over("question")).to_series().fill_null(value=False)
    return answers.with_problems(other.to_numpy(), _other_tuple, SAME_QUESTION, InputError)


def _other_tuple(row: Mapping[str, Any]) -> str:
    return f"question {excerpt(row['question'])} stood for other items above than for ({listing(row['items'])})"
