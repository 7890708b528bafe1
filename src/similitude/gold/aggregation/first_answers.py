"""The first answer of each annotator to each question; later ones do not count."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.plural import counted

__all__ = ["FirstAnswers", "first_answers"]


class FirstAnswers(NamedTuple):
    """The answers that count, and notes on those that do not."""

    frame: pl.DataFrame
    notes: tuple[str, ...]


def first_answers(judgements: Judgements) -> FirstAnswers:
    """The first answer of each annotator to each question; for ratings, to each item.

    Repeats check an annotator's consistency, or are copied rows: counting them would give that annotator more weight.
    All answers of unnamed annotators count, because their repeats cannot be recognised. Rows without a value (the
    question does not apply) do not count.

    >>> rows = {"annotator": ["x", "x", "y"], "item": ["a", "a", "a"], "value": [1.0, 3.0, 2.0]}
    >>> kept = first_answers(Judgements(name="made", frame=pl.DataFrame(rows)))
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
    return FirstAnswers(first, tuple(note for note in notes if note))


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
    return f"all answers are by one annotator, {who}: whether others would agree is unknown" if is_alone else None
