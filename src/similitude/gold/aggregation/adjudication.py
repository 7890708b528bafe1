"""Leaders' decisions in gold: left out, or preferred to what people answered.

A decision never joins the answers: it is either ignored, or it alone settles its question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, get_args

import polars as pl

from similitude.data.judgements import Judgements
from similitude.data.plural import agreeing, listed
from similitude.errors import UnknownNameError
from similitude.gold.aggregation.aggregation import Aggregated

__all__ = [
    "Adjudicated",
    "decided_acceptance",
    "is_preferred",
    "note_of_decisions",
    "with_decided_answers",
    "with_decided_scores",
]

Adjudicated = Literal["ignore", "prefer"]
"""What gold does with decisions."""
COLUMN = "adjudicated"
MOST_LISTED = 20


def is_preferred(judgements: Judgements, adjudicated: str) -> bool:
    """Whether decisions settle their questions.

    Raises:
        UnknownNameError: neither "ignore" nor "prefer".
    """
    if adjudicated not in get_args(Adjudicated):
        raise UnknownNameError("way to use decisions", adjudicated, get_args(Adjudicated))
    return adjudicated == "prefer" and judgements.adjudicated is not None


def note_of_decisions(judgements: Judgements, adjudicated: str) -> tuple[str, ...]:
    """A note that counts the decisions, and says whether gold uses them."""
    rows = judgements.adjudicated
    if rows is None:
        return ()
    if adjudicated == "ignore":
        made = agreeing(rows.height, "decision", "of a leader is", "of leaders are")
        return (f"{made} not used: --adjudicated prefer lets them settle their questions",)
    if judgements.kind == "best-worst":
        return (_settled(rows["question"].to_list()),)
    is_answered = rows["item"].is_in(judgements.frame["item"].implode())
    names, alone = rows["item"].filter(is_answered).to_list(), rows["item"].filter(~is_answered).to_list()
    made = agreeing(len(alone), "decision", "of a leader is", "of leaders are")
    return (
        *([_settled(names)] if names else []),
        *([f"{made} left out, because nobody else answered: {listed(alone, MOST_LISTED)}"] if alone else []),
    )


def _settled(names: list[str]) -> str:
    made = agreeing(len(names), "decision", "of a leader settles its question", "of leaders settle their questions")
    return f"{made} in place of people's answers: {listed(names, MOST_LISTED)}"


def with_decided_answers(judgements: Judgements) -> Judgements:
    """Best-worst answers in which the decision on a tuple takes the place of all answers to it."""
    rows = judgements.adjudicated
    if rows is None or judgements.kind != "best-worst":
        return judgements
    others = judgements.frame.filter(~pl.col("question").is_in(rows["question"].implode()))
    return replace(judgements, frame=pl.concat([others, rows]))


def decided_acceptance(judgements: Judgements) -> Mapping[str, bool]:
    """Whether the question applies, by item, according to decisions."""
    rows = judgements.adjudicated
    if rows is None or "applies" not in rows.columns:
        return {}
    said = rows.drop_nulls("applies")
    return dict(zip(said["item"].to_list(), said["applies"].to_list(), strict=True))


def with_decided_scores(made: Aggregated, judgements: Judgements) -> Aggregated:
    """Scores or labels that are decisions where there is one; what people answered stays: spread, counts, shares.

    The column ``adjudicated`` marks them. They have no standard error, which is one of people's answers.
    """
    rows = judgements.adjudicated
    if rows is None:
        return made
    if judgements.kind == "best-worst":
        shown = rows["items"].explode().unique()
        frame = made.frame.with_columns(pl.col("id").is_in(shown.implode()).alias(COLUMN))
        tuples = agreeing(
            rows.height, "tuple", "is answered by a leader's decision", "are answered by leaders' decisions"
        )
        return replace(made, frame=frame, how=f"{made.how}; {tuples}")
    known = rows.drop_nulls("value").select(id="item", decided="value")
    frame = made.frame.join(known, on="id", how="left", maintain_order="left")
    is_decided = pl.col("decided").is_not_null()
    changed = {COLUMN: is_decided}
    if made.scale is None:
        labels = pl.Series("label", made.categories, dtype=pl.String)
        named = labels.gather(frame["decided"].cast(pl.Int64))
        changed["label"] = pl.when(is_decided).then(named).otherwise("label")
    else:
        changed["score"] = pl.when(is_decided).then("decided").otherwise("score")
    if "standard_error" in frame.columns:
        changed["standard_error"] = pl.when(~is_decided).then("standard_error")
    number = frame["decided"].count()
    noun = "label" if made.scale is None else "score"
    decided = agreeing(number, noun, "is a leader's decision", "are leaders' decisions")
    how = f"{made.how}; {decided}" if number else made.how
    return replace(made, frame=frame.with_columns(**changed).drop("decided"), how=how)
