"""Agreement over time and between pairs of people, computed by functions that the server is handed."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np

from similitude.collect.annotation.store import (
    Database,
    keep_snapshot,
    kept_snapshots,
    timed_judgements,
)
from similitude.collect.annotation.store.judgement_table import TimedJudgements
from similitude.collect.annotation.store.tables import EPOCH, MICROSECOND
from similitude.collect.annotation.web.analysis import Figure
from similitude.data.judgements import Judgements

__all__ = ["AgreementTrack", "Comparisons", "Moment", "PairFigure", "Pairs", "track_agreement"]

MOST_MOMENTS = 12
LEAST_ANSWERS = 4
STEPS = (timedelta(hours=1), timedelta(hours=6), timedelta(days=1), timedelta(days=7), timedelta(days=28))


class PairFigure(NamedTuple):
    """How far two people agree; ``value`` is nan where they share too little."""

    one: str
    other: str
    shared: int
    value: float


class Pairs(NamedTuple):
    """Agreement of all pairs: "pearson" correlations, or shares of "same" choices."""

    measure: str
    rows: tuple[PairFigure, ...]


class Comparisons(NamedTuple):
    """The functions: one figure of all judgements, with its interval, and a figure of every pair of people."""

    headline: Callable[[Judgements], Figure | None]
    pairs: Callable[[Judgements], Pairs]


class Moment(NamedTuple):
    """The figure of the answers up to a moment that count today."""

    at: datetime
    answers: int
    value: float
    low: float
    high: float


class AgreementTrack(NamedTuple):
    """Agreement over time, under the name of its figure, and of pairs."""

    name: str
    moments: tuple[Moment, ...]
    pairs: Pairs


FIGURES = ("value", "low", "high")
UNDEFINED: dict[str, Any] = {"name": "", **dict.fromkeys(FIGURES)}
NOTHING = AgreementTrack("", (), Pairs("same", ()))


def track_agreement(db: Database, comparisons: Comparisons, *, now: datetime) -> AgreementTrack:
    """Agreement at up to twelve moments, and of pairs; what was computed before of the same answers is not again."""
    timed = timed_judgements(db)
    if timed is None:
        return NOTHING
    ends = _moments(timed.moments)
    kept = kept_snapshots(db, ends)
    name, found = "", []
    for end in ends:
        until = int((timed.moments <= (end - EPOCH) // MICROSECOND).sum())
        basis = _basis(timed, end)
        known = kept.get((end, basis))
        if known is None:
            known = _figure(comparisons, timed, end)
            keep_snapshot(db, end, basis, known, now=now)
        name = str(known["name"]) or name
        found.append(Moment(end, until, *(_number(known[each]) for each in FIGURES)))
    return AgreementTrack(name, tuple(found), comparisons.pairs(timed.judgements))


def _number(kept: Any) -> float:
    return math.nan if kept is None else float(kept)


def _moments(moments: Any) -> list[datetime]:
    """Ends of hours, days or weeks in which there were answers, at most twelve, and the last answer itself."""
    if len(moments) < LEAST_ANSWERS:
        return []
    first, last = (EPOCH + int(each) * MICROSECOND for each in (moments.min(), moments.max()))
    step = next((step for step in STEPS if last - first <= (MOST_MOMENTS - 1) * step), None)
    step = step or STEPS[-1] * math.ceil((last - first) / ((MOST_MOMENTS - 1) * STEPS[-1]))
    places = np.unique(moments // (step // MICROSECOND))
    ends = [EPOCH + (int(place) + 1) * step for place in places[:-1]]
    return [*ends, last]


def _basis(timed: TimedJudgements, end: datetime) -> str:
    """Which answers count up to a moment."""
    numbers = timed.numbers[timed.moments <= (end - EPOCH) // MICROSECOND]
    return hashlib.sha256(numbers.tobytes()).hexdigest()[:32]


def _figure(comparisons: Comparisons, timed: TimedJudgements, end: datetime) -> dict[str, Any]:
    chosen = timed.moments <= (end - EPOCH) // MICROSECOND
    if int(chosen.sum()) < LEAST_ANSWERS:
        return UNDEFINED
    frame = timed.judgements.frame.filter(chosen)
    figure = comparisons.headline(replace(timed.judgements, frame=frame))
    if figure is None:
        return UNDEFINED
    values: Sequence[float | None] = (figure.value, figure.low, figure.high)
    written = [None if value is None or not math.isfinite(value) else value for value in values]
    return {"name": figure.name, **dict(zip(FIGURES, written, strict=True))}
