"""Repeated answers, of which the last counts.

Answers are append-only: annotators who change their minds add a row. So of several answers by one annotator to one
question in one round, the last counts: the one with the latest time stamp if the file has time stamps, else the one
that comes last. If annotators are not named, all answers count.
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from similitude.data.judgements import Kind
from similitude.data.plural import agreeing
from similitude.data.reading.judgements.answers import OTHER_TIME, TIME
from similitude.data.reading.problems import excerpt
from similitude.errors import InputError

__all__ = ["CountedAnswers", "without_repeats"]

KEYS: dict[Kind, tuple[str, ...]] = {
    "best-worst": ("annotator", "question", "round"),
    "rating": ("annotator", "question", "round", "item"),
    "category": ("annotator", "question", "round", "item"),
}
ANSWERS: dict[Kind, tuple[str, ...]] = {
    "best-worst": ("best", "worst"),
    "rating": ("value", "applies"),
    "category": ("value", "applies"),
}
BY_TIME = "the last answer is the one with the latest time stamp, which is not always the last in the file"


TWO_WAYS = "time stamps can be read in two ways, month/day or day/month, and give different last answers"
PLAIN_DATES = (
    "write dates as 2024-12-31, or say --column time= if the last answer is the one that comes last in the file"
)
TELL_APART = (
    "name the column that tells them apart: --column item=NAME for what was judged, --column annotator=NAME for who "
    "judged, --column question=NAME or --column round=NAME for several questions or rounds"
)


class CountedAnswers(NamedTuple):
    """The answers that count, the others, and notes about them.

    Attributes:
        frame: the answers that count, in the order of the file.
        superseded: the answers that do not count; None if there are none.
        notes: how many there are.
    """

    frame: pl.DataFrame
    superseded: pl.DataFrame | None
    notes: tuple[str, ...]


def without_repeats(frame: pl.DataFrame, kind: Kind, where: str = "") -> CountedAnswers:
    """One answer for each annotator, question and round.

    An earlier row with the same answer as the last is a duplicate; one with another answer is superseded.

    Args:
        frame: all answers; the columns `TIME` and `OTHER_TIME`, if they are there, are left out of the result.
        kind: the kind of the answers.
        where: the files, for messages.

    Raises:
        InputError: dates can be read in two ways that make different answers the last, or most answers would not count.
    """
    if OTHER_TIME not in frame.columns:
        return _last_answers(frame, kind, where)
    kept = _last_answers(frame.drop(OTHER_TIME), kind, where)
    other = _last_answers(frame.drop(TIME).rename({OTHER_TIME: TIME}), kind, where)
    if not kept.frame.equals(other.frame):
        raise InputError(TWO_WAYS, where=where, remedy=PLAIN_DATES)
    return kept


def _last_answers(frame: pl.DataFrame, kind: Kind, where: str) -> CountedAnswers:
    key = list(KEYS[kind])
    timed = TIME in frame.columns and frame[TIME].null_count() < frame.height
    plain = frame.drop(TIME, strict=False)
    named = plain.filter(pl.col("annotator").is_not_null())
    if named.select(key).n_unique() == named.height:
        return CountedAnswers(plain, None, ())
    by = [TIME, "_place"] if timed else ["_place"]
    ordered = frame.with_row_index("_place").sort(by, nulls_last=False)
    unnamed = pl.col("annotator").is_null()
    answer = pl.struct(ANSWERS[kind])
    marked = ordered.with_columns(
        _kept=unnamed | pl.struct(key).is_last_distinct(),
        _same=answer.eq_missing(answer.last().over(key)),
        _moved=~unnamed & (pl.col("_place").last().over(key) != pl.col("_place").max().over(key)),
    ).sort("_place")
    rest = marked.filter(~pl.col("_kept"))
    duplicates = int(rest["_same"].sum())
    if rest.height > duplicates:
        _refuse_most_superseded(named, key, where)
    notes = [*_notes(duplicates, rest.height - duplicates), *([BY_TIME] if marked["_moved"].any() else [])]
    names = plain.columns
    return CountedAnswers(marked.filter("_kept").select(names), rest.select(names), tuple(notes))


def _refuse_most_superseded(named: pl.DataFrame, key: list[str], where: str) -> None:
    """Check that most answers count: else rows are answers to other questions than the columns say.

    Raises:
        InputError: more answers would be left out than would count.
    """
    counting = named.select(key).n_unique()
    if named.height <= 2 * counting:
        return
    times = named.group_by(key, maintain_order=True).len()
    first = times.row(int(times["len"].arg_max() or 0), named=True)
    about = excerpt(first["question" if key[-1] == "round" else "item"])
    what = (
        f"of {named.height:,} answers only {counting:,} would count, the last of each person to each item: "
        f"{excerpt(first['annotator'])} answered {first['len']:,} times about {about}"
    )
    raise InputError(what, where=where, remedy=TELL_APART)


def _notes(duplicates: int, superseded: int) -> tuple[str, ...]:
    notes = []
    if duplicates:
        rows = agreeing(duplicates, "row", "repeats", "repeat")
        notes.append(f"{rows} an annotator's answer to the same question in the same round; left out")
    if superseded:
        were = agreeing(superseded, "answer", "was", "were")
        notes.append(f"{were} superseded by a later one of the same annotator; the last counts")
    return tuple(notes)
