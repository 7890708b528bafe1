"""Judgements: one person's answers, as they were given."""

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
    """What every judgement carries: who answered which question, in which round, and how long it took."""

    annotator: str
    question: str
    round: str = "first"
    seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BestWorst(_Answer):
    """Which item of a tuple is the best and which is the worst."""

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
    """Two phrases written for one pair: one under which it is alike, one under which it differs."""

    group: str
    alike: str
    differ: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification(_Answer):
    """Whether a condition applies to an item and, if so, a rating."""

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
"""The columns of a table of best-worst judgements, which belong to no single item."""

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
"""The columns of a table of ratings and verifications.

``applies`` is null for plain ratings; where it is false there is no value. ``group`` is the group of people that the
annotator belongs to. ``question`` differs from ``item`` where one item was asked twice.
"""
