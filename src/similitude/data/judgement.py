"""Judgement: one person's answer to one question."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

__all__ = [
    "BEST_WORST_SCHEMA",
    "RATING_SCHEMA",
    "BestWorst",
    "Judgement",
    "Rating",
    "Verification",
    "WrittenConditions",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What all judgements have in common.

    Attributes:
        annotator: who answered.
        question: the id of the question.
        round: the round of annotation.
        seconds: the time taken, if it was recorded.
    """

    annotator: str
    question: str
    round: str = "first"
    seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BestWorst(_Answer):
    """The best and the worst item of a tuple."""

    items: tuple[str, ...]
    best: str
    worst: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating(_Answer):
    """A number on a scale for one item."""

    item: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenConditions(_Answer):
    """Two conditions written for one pair: one under which the texts are alike, one under which they differ."""

    group: str
    alike: str
    differ: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification(_Answer):
    """Whether a condition applies to an item and, if it does, a rating."""

    item: str
    applies: bool
    value: float | None = None


Judgement = BestWorst | Rating | WrittenConditions | Verification

BEST_WORST_SCHEMA = pl.Schema(
    {
        "question": pl.String(),
        "annotator": pl.String(),
        "round": pl.String(),
        "seconds": pl.Float64(),
        "items": pl.List(pl.String()),
        "best": pl.String(),
        "worst": pl.String(),
    }
)
"""The columns of best-worst judgements."""

RATING_SCHEMA = pl.Schema(
    {
        "question": pl.String(),
        "annotator": pl.String(),
        "round": pl.String(),
        "seconds": pl.Float64(),
        "item": pl.String(),
        "value": pl.Float64(),
        "applies": pl.Boolean(),
        "group": pl.String(),
    }
)
"""The columns of ratings, verifications and categories.

For categories, ``value`` is the place of the category in `Judgements.categories`, from 0. ``applies`` is null for plain
ratings; if it is false, there is no value. ``group`` is the annotator's group. ``question`` differs from ``item`` if
annotators were asked about an item twice.
"""
