"""Counts of answers over time, and of the seconds that they took."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.tables import EPOCH, MICROSECOND, annotator, answer, slot

__all__ = ["SECONDS", "AnswerCounts", "answer_counts"]

SECONDS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
"""The edges of the classes of seconds, about evenly spaced by ratio; the last class is open."""
UNITS = (timedelta(hours=1), timedelta(hours=6), timedelta(days=1), timedelta(days=7), timedelta(days=28))
MOST_BARS = 60


class AnswerCounts(NamedTuple):
    """Answers to work that count, over time and by their seconds.

    Attributes:
        unit: the length of a bar: an hour, six, a day, a week or four.
        starts: the beginning of every bar, without gaps, in UTC.
        counts: the answers of every bar.
        seconds: the answers in every class of `SECONDS`.
    """

    unit: timedelta
    starts: tuple[datetime, ...]
    counts: tuple[int, ...]
    seconds: tuple[int, ...]

    @property
    def total(self) -> int:
        """All answers."""
        return sum(self.counts)


def answer_counts(db: Database) -> AnswerCounts:
    """The counts, in one pass over all answers: for a thread in the background."""
    with reading(db) as connection:
        hours = _by_hour(connection)
        seconds = _by_seconds(connection)
    unit = _unit(hours)
    width = unit // UNITS[0]
    bars: dict[int, int] = {}
    for hour, count in hours.items():
        bars[hour // width] = bars.get(hour // width, 0) + count
    places = range(min(bars), max(bars) + 1) if bars else range(0)
    return AnswerCounts(
        unit, tuple(EPOCH + place * unit for place in places), tuple(bars.get(place, 0) for place in places), seconds
    )


def _unit(hours: dict[int, int]) -> timedelta:
    span = (max(hours) - min(hours) + 1) * UNITS[0] if hours else UNITS[0]
    return next((unit for unit in UNITS if span <= MOST_BARS * unit), UNITS[-1])


def _counting(*columns: Any) -> sa.Select[Any]:
    return (
        sa.select(*columns)
        .select_from(answer)
        .join(slot, slot.c.id == answer.c.slot_id)
        .join(annotator, annotator.c.id == answer.c.annotator_id)
        .where(slot.c.answer_id == answer.c.id, slot.c.purpose == "work", ~answer.c.withdrawn)
        .where(annotator.c.state != "excluded", annotator.c.source != "preview")
    )


def _by_hour(connection: sa.Connection) -> dict[int, int]:
    hour = sa.type_coerce(answer.c.at, sa.BigInteger()) // (UNITS[0] // MICROSECOND)
    found = connection.execute(_counting(hour.label("in_hour"), sa.func.count()).group_by(sa.text("in_hour")))
    return {int(row[0]): int(row[1]) for row in found}


def _by_seconds(connection: sa.Connection) -> tuple[int, ...]:
    low_to_high = list(enumerate(SECONDS))
    place = sa.case(*((answer.c.seconds >= edge, at) for at, edge in reversed(low_to_high)), else_=0)
    query = _counting(place.label("of_class"), sa.func.count()).where(answer.c.seconds.is_not(None))
    found = {int(row[0]): int(row[1]) for row in connection.execute(query.group_by(sa.text("of_class")))}
    return tuple(found.get(at, 0) for at in range(len(SECONDS)))
