"""Batches that timed out or were abandoned: answers stay, unanswered questions go back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from similitude.collect.annotation.store.second_round import open_second_rounds
from similitude.collect.annotation.store.skips import release_skipped
from similitude.collect.annotation.store.study_record import StudyRecord
from similitude.collect.annotation.store.tables import batch, question, slot

__all__ = ["close_batches", "expire_due", "open_batch_of"]

AT_ONCE = 50
"""How many batches one dealing closes at most; the next one goes on."""

_DUE = (
    sa.select(batch.c.id)
    .where(sa.text("batch.state = 'open'"), batch.c.expires <= sa.bindparam("moment"))
    .order_by(batch.c.expires)
    .limit(AT_ONCE)
    .with_for_update(skip_locked=True)
)


def expire_due(connection: sa.Connection, there: StudyRecord, now: datetime) -> int:
    """Close open batches whose time is over; returns how many.

    A batch is over when ``now`` has reached its end. If the clock is set back, people keep their questions for longer.
    If it jumps ahead, batches close early, and late answers are still accepted as long as nobody else holds the
    question. Either way no answer is lost.
    """
    ids = connection.execute(_DUE, {"moment": now}).scalars().all()
    close_batches(connection, there, ids)
    return len(ids)


def close_batches(connection: sa.Connection, there: StudyRecord, ids: Sequence[int]) -> None:
    """Close these open batches as expired; unanswered questions become free again."""
    if not ids:
        return
    connection.execute(sa.update(batch).where(batch.c.id.in_(ids), batch.c.state == "open").values(state="expired"))
    retired = sa.select(question.c.retired).where(question.c.id == slot.c.question_id).scalar_subquery()
    back = sa.case((sa.and_(slot.c.purpose == "work", sa.not_(retired)), "free"), else_="void")
    unanswered = sa.update(slot).where(slot.c.batch_id.in_(ids), slot.c.state == "held")
    # The slot keeps batch and position: a late answer is still welcome while nobody else was dealt the question.
    connection.execute(unanswered.values(state=back, annotator_id=None))
    release_skipped(connection, there, ids)
    open_second_rounds(connection, there, ids)


def open_batch_of(connection: sa.Connection, annotator_id: int) -> int | None:
    """The open batch of an annotator, if any; locked."""
    query = sa.select(batch.c.id).where(batch.c.annotator_id == annotator_id, batch.c.state == "open")
    return connection.execute(query.with_for_update()).scalar_one_or_none()
