"""Of several answers of one annotator to one question, the first counts."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.plural import counted

__all__ = ["Counted", "answers_that_count"]


class Counted(NamedTuple):
    """The answers that count, and what has to be known of those that do not."""

    frame: pl.DataFrame
    notes: tuple[str, ...]


def answers_that_count(judgements: Judgements) -> Counted:
    """The first answer of each annotator to each question; for ratings, to each item.

    Repeats are there to check annotators, or a row was copied: counting them would weigh one annotator more. Answers
    of unnamed annotators all count, because nobody can tell whether they repeat. Rows without a value (the question
    does not apply) do not count.

    >>> rows = {"annotator": ["x", "x", "y"], "item": ["a", "a", "a"], "value": [1.0, 3.0, 2.0]}
    >>> kept = answers_that_count(Judgements(name="made", frame=pl.DataFrame(rows)))
    >>> kept.frame["value"].to_list(), kept.notes
    ([1.0, 2.0], ('1 answer repeats an earlier one by the same annotator and does not count',))
    """
    is_rating = judgements.kind == "rating"
    answers = judgements.rated() if is_rating else judgements.frame
    asked = "item" if is_rating else "question"
    is_first = pl.col("annotator").is_null() | pl.struct("annotator", asked).is_first_distinct()
    first = answers.filter(is_first)
    notes = [
        _repeats(answers.height - first.height),
        _not_applicable(judgements.frame.height - answers.height),
        _alone(judgements),
    ]
    return Counted(first, tuple(note for note in notes if note))


def _repeats(number: int) -> str | None:
    verbs = "repeats an earlier one" if number == 1 else "repeat earlier ones"
    does = "does" if number == 1 else "do"
    return f"{counted(number, 'answer')} {verbs} by the same annotator and {does} not count" if number else None


def _not_applicable(number: int) -> str | None:
    verb, holds = ("says", "holds") if number == 1 else ("say", "hold")
    what = f"{counted(number, 'answer')} {verb} that the question does not apply, and {holds} no value"
    return what if number else None


def _alone(judgements: Judgements) -> str | None:
    is_alone = len(judgements.annotators) == 1 and judgements.frame["annotator"].null_count() == 0
    who = f"'{judgements.annotators[0]}'" if is_alone else ""
    return f"all answers are by one annotator, {who}: nothing says whether others would agree" if is_alone else None
