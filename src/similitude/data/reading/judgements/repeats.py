"""Repeated answers, of which the last counts.

Answers are append-only: annotators who change their minds add a row. So of several answers by one annotator to one
question in one round, the last counts. If annotators are not named, all answers count.
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from similitude.data.judgements import Kind
from similitude.data.plural import agreeing

__all__ = ["CountedAnswers", "without_repeats"]

KEYS: dict[Kind, tuple[str, ...]] = {
    "best-worst": ("annotator", "question", "round"),
    "rating": ("annotator", "question", "round", "item"),
}
ANSWERS: dict[Kind, tuple[str, ...]] = {"best-worst": ("best", "worst"), "rating": ("value", "applies")}


class CountedAnswers(NamedTuple):
    """The answers that count, and notes about the others."""

    frame: pl.DataFrame
    notes: tuple[str, ...]


def without_repeats(frame: pl.DataFrame, kind: Kind) -> CountedAnswers:
    """One answer for each annotator, question and round.

    An earlier row with the same answer as the last is a duplicate; one with another answer is superseded.
    """
    key = list(KEYS[kind])
    named = frame.filter(pl.col("annotator").is_not_null())
    if named.select(key).n_unique() == named.height:
        return CountedAnswers(frame, ())
    answer = pl.struct(ANSWERS[kind])
    last = answer.eq_missing(answer.last().over(key)) | pl.col("annotator").is_null()
    marked = frame.with_columns(_last=last).with_columns(
        _kept=pl.col("_last") & ((pl.col("_last").cum_sum().over(key) == 1) | pl.col("annotator").is_null())
    )
    superseded = int((~marked["_last"]).sum())
    duplicates = frame.height - superseded - int(marked["_kept"].sum())
    return CountedAnswers(marked.filter("_kept").drop("_last", "_kept"), _notes(duplicates, superseded))


def _notes(duplicates: int, superseded: int) -> tuple[str, ...]:
    notes = []
    if duplicates:
        rows = agreeing(duplicates, "row", "repeats", "repeat")
        notes.append(f"{rows} an annotator's answer to the same question in the same round; left out")
    if superseded:
        were = agreeing(superseded, "answer", "was", "were")
        notes.append(f"{were} superseded by a later one of the same annotator; the later one counts")
    return tuple(notes)
