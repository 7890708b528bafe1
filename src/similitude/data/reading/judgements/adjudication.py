"""Leaders' decisions among the rows of a file: told apart from answers by their round, "adjudication"."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from similitude.data.judgements import ADJUDICATION, Kind
from similitude.data.plural import agreeing
from similitude.data.reading.judgements.answers import OTHER_TIME, TIME
from similitude.errors import InputError

__all__ = ["ToldApart", "without_decisions"]


class ToldApart(NamedTuple):
    """The answers of people, the decisions (None if there are none), and a note that counts them."""

    frame: pl.DataFrame
    decisions: pl.DataFrame | None
    notes: tuple[str, ...]


def without_decisions(frame: pl.DataFrame, kind: Kind, where: str) -> ToldApart:
    """Answers and decisions apart; of several decisions on a question the last holds.

    Raises:
        InputError: there is no answer beside the decisions.
    """
    is_decision = pl.col("round") == ADJUDICATION
    decisions = frame.filter(is_decision)
    if decisions.is_empty():
        return ToldApart(frame, None, ())
    answers = frame.filter(~is_decision)
    if answers.is_empty():
        what = f"every row is a leader's decision (round '{ADJUDICATION}')"
        raise InputError(what, where=where, remedy="give the answers of annotators too")
    asked = "question" if kind == "best-worst" else "item"
    in_time = decisions.sort(TIME, nulls_last=False, maintain_order=True) if TIME in decisions.columns else decisions
    last = in_time.unique(asked, keep="last", maintain_order=True).drop(TIME, OTHER_TIME, strict=False)
    made = agreeing(last.height, "decision", "is", "are")
    note = f"{made} kept apart from the answers (round '{ADJUDICATION}'); no figure of agreement uses them"
    return ToldApart(answers, last, (note,))
