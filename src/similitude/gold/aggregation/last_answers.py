"""The last answer of each annotator to each question, which is the one that counts."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.plural import agreeing
from similitude.gold.aggregation.round_order import rounds_in_order

__all__ = ["LastAnswers", "last_answers", "last_of_each"]

PLACE = "_place"


class LastAnswers(NamedTuple):
    """The answers that count, and notes on those that do not."""

    frame: pl.DataFrame
    notes: tuple[str, ...]


def last_answers(judgements: Judgements) -> LastAnswers:
    """The last answer of each annotator to each question; for ratings and categories, about each item.

    Repeats check an annotator's consistency, correct an answer, or are copied rows: counting them all would give that
    annotator more weight. A later round comes after an earlier one, wherever its rows stand. All answers of unnamed
    annotators count, because their repeats cannot be recognised. Rows without a value (the question does not apply) do
    not count, but they supersede an earlier value.

    >>> rows = {"annotator": ["x", "x", "y"], "item": ["a", "a", "a"], "value": [1.0, 3.0, 2.0]}
    >>> kept = last_answers(Judgements(name="made", frame=pl.DataFrame(rows)))
    >>> kept.frame["value"].to_list(), kept.notes
    ([3.0, 2.0], ('1 answer is followed by a later one of the same annotator; the last one counts',))
    """
    is_tuple = judgements.kind == "best-worst"
    last = last_of_each(judgements.frame, "question" if is_tuple else "item")
    kept = last if is_tuple else last.filter(pl.col("value").is_not_null())
    notes = [
        _repeats(judgements.frame.height - last.height),
        _not_applicable(last.height - kept.height),
        _alone(judgements),
    ]
    return LastAnswers(kept, tuple(note for note in notes if note))


def last_of_each(answers: pl.DataFrame, asked: str = "item") -> pl.DataFrame:
    """The last answer of each named annotator to what was asked, and all unnamed answers, in the order of the rows.

    Args:
        answers: with the columns annotator and round, and the column ``asked``.
        asked: the column that says what was asked.
    """
    key = pl.struct("annotator", asked)
    unnamed = pl.col("annotator").is_null()
    rounds = rounds_in_order(answers["round"]) if "round" in answers.columns else []
    if len(rounds) < 2:
        return answers.filter(unnamed | key.is_last_distinct())
    turn = pl.col("round").replace_strict(rounds, list(range(len(rounds))))
    in_time = answers.with_row_index(PLACE).sort(turn, maintain_order=True)
    return in_time.filter(unnamed | key.is_last_distinct()).sort(PLACE).drop(PLACE)


def _repeats(number: int) -> str | None:
    followed = agreeing(number, "answer", "is", "are")
    return f"{followed} followed by a later one of the same annotator; the last one counts" if number else None


def _not_applicable(number: int) -> str | None:
    says, holds = agreeing(number, "answer", "says", "say"), "holds" if number == 1 else "hold"
    return f"{says} that the question does not apply, and {holds} no value" if number else None


def _alone(judgements: Judgements) -> str | None:
    is_alone = len(judgements.annotators) == 1 and judgements.frame["annotator"].null_count() == 0
    who = f"'{judgements.annotators[0]}'" if is_alone else ""
    return f"all answers are by one annotator, {who}: whether others would agree is unknown" if is_alone else None
