"""The time that people worked: what their browsers measured, held against the server's own clock."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.store.tables import annotator, answer, batch

__all__ = ["NO_WORK", "WorkTime", "work_times"]

SLACK, SHARE = 5.0, 1.05
"""Seconds of a batch, and a share, by which a browser's clock may be ahead of ours before that is impossible."""


class WorkTime(NamedTuple):
    """The time of one person's work.

    Attributes:
        active: seconds of work. Of a batch, no more than passed from its dealing to its last answer, breaks left out.
        last: their last answer.
        impossible: whether a browser claimed more time for a batch than had passed since it was dealt.
    """

    active: float
    last: datetime | None
    impossible: bool


NO_WORK = WorkTime(0.0, None, False)


def work_times(connection: sa.Connection, idle: float) -> dict[int, WorkTime]:
    """The work of every annotator, each question counted up to ``idle`` seconds.

    The seconds of a changed answer hold those of the answer before it, so only the longest of a question counts. Times
    come from the browser, so a batch counts for no more than the time that it was in somebody's hands, whatever the
    order, the tabs or the pages in which it was answered. Answers that were imported bring no such time, and count as
    they say.
    """
    longest = sa.func.max(answer.c.seconds)
    asked = (
        sa.select(
            answer.c.batch_id,
            longest.label("claimed"),
            sa.case((longest > idle, idle), else_=longest).label("counted"),
            sa.func.max(answer.c.at).label("at"),
        )
        .where(~answer.c.withdrawn)
        .group_by(answer.c.batch_id, answer.c.slot_id)
        .subquery()
    )
    query = (
        sa.select(
            batch.c.annotator_id,
            annotator.c.source,
            batch.c.created,
            batch.c.touched,
            batch.c.rested,
            sa.func.sum(asked.c.claimed).label("claimed"),
            sa.func.sum(asked.c.counted).label("counted"),
            sa.func.max(asked.c.at).label("last"),
        )
        .select_from(asked)
        .join(batch, batch.c.id == asked.c.batch_id)
        .join(annotator, annotator.c.id == batch.c.annotator_id)
        .group_by(batch.c.id, annotator.c.source)
        .order_by(batch.c.created)
    )
    by_person: defaultdict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(query).all():
        by_person[row.annotator_id].append(row)
    return {who: _of_batches(rows) for who, rows in by_person.items()}


def _of_batches(rows: list[Any]) -> WorkTime:
    """The work of one person, by their batches in the order of dealing."""
    last = max(row.last for row in rows)
    if rows[0].source == "import":
        return WorkTime(sum(row.counted or 0.0 for row in rows), last, False)
    held = [_passed(row).total_seconds() for row in rows]
    worked = sum(min(row.counted or 0.0, max(0.0, passed - row.rested)) for row, passed in zip(rows, held, strict=True))
    impossible = any((row.claimed or 0.0) > SHARE * passed + SLACK for row, passed in zip(rows, held, strict=True))
    return WorkTime(min(worked, _together(rows).total_seconds()), last, impossible)


def _passed(row: Any) -> timedelta:
    """How long a batch was in its annotator's hands; nothing if the clock was set back.

    A break that follows the last answer moves ``touched`` with it, so that it is in here as it is in ``rested``.
    """
    passed: timedelta = row.touched - row.created
    return max(timedelta(0), passed)


def _together(rows: Iterable[Any]) -> timedelta:
    """The time in which at least one batch was in their hands: an expired one may be answered beside a new one."""
    total, until = timedelta(0), datetime.min.replace(tzinfo=UTC)
    for row in rows:
        total += max(timedelta(0), row.last - max(row.created, until))
        until = max(until, row.last)
    return total
