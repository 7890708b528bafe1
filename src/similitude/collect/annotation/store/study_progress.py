"""The progress of a study: how far, how fast, and when it will be done."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import Progress
from similitude.collect.annotation.store.batch_expiry import expire_due
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.study_record import study_in
from similitude.collect.annotation.store.tables import annotator, answer, batch, question, slot

__all__ = ["answers_left_out", "close_due", "progress"]

WINDOW = timedelta(hours=24)
LEAST_ANSWERS = 5
"""With fewer no rate is told."""


def close_due(db: Database, *, now: datetime) -> None:
    """Close batches whose time is over, so that counts are right."""
    due = sa.select(batch.c.id).where(batch.c.state == "open", batch.c.expires <= now).limit(1)
    with reading(db) as connection:
        found = connection.execute(due).first()
    while found:
        with writing(db) as connection:
            found = expire_due(connection, study_in(db, connection), now) or None  # type: ignore[assignment]


def progress(db: Database, *, now: datetime) -> Progress:
    """The progress of the study at this moment."""
    close_due(db, now=now)
    with reading(db) as connection:
        there = study_in(db, connection)
        states = _counts(connection, slot.c.state, slot.c.purpose == "work")
        held, free = states.get("held", 0), states.get("free", 0)
        done = states.get("done", 0) - answers_left_out(connection)
        asked, complete = _questions(connection)
        rounds = _counts(connection, question.c.second_round, (question.c.kind == "work") & ~question.c.retired)
        rate, last = _rate(connection, now)
        return Progress(
            state=there.state,
            questions=asked,
            complete=complete,
            wanted=done + held + free,
            done=done,
            held=held,
            free=free,
            rate=rate,
            expected=now + timedelta(hours=(held + free) / rate) if rate > 0 and held + free else None,
            second_round=rounds.get("opened", 0),
            undecided=rounds.get("undecided", 0) if there.plan.second_round else 0,
            annotators=_counts(connection, annotator.c.state, annotator.c.source != "preview"),
            last_answer=last,
            skipped=states.get("skipped", 0),
        )


def answers_left_out(connection: sa.Connection) -> int:
    """Answers to work of excluded people, which count nowhere."""
    excluded = sa.select(annotator.c.id).where(annotator.c.state == "excluded")
    theirs = slot.c.annotator_id.in_(excluded) & (slot.c.purpose == "work") & (slot.c.state == "done")
    return int(connection.execute(sa.select(sa.func.count()).select_from(slot).where(theirs)).scalar_one())


def _counts(connection: sa.Connection, column: sa.ColumnElement[Any], which: sa.ColumnElement[bool]) -> dict[str, int]:
    rows = connection.execute(sa.select(column, sa.func.count()).where(which).group_by(column)).all()
    return {row[0]: row[1] for row in rows}


def _questions(connection: sa.Connection) -> tuple[int, int]:
    asked = (question.c.kind == "work") & ~question.c.retired
    unfinished = sa.exists().where(
        slot.c.question_id == question.c.id, slot.c.purpose == "work", slot.c.state.in_(["free", "held"])
    )
    total = connection.execute(sa.select(sa.func.count()).select_from(question).where(asked)).scalar_one()
    complete = sa.select(sa.func.count()).select_from(question).where(asked, ~unfinished)
    return int(total), int(connection.execute(complete).scalar_one())


def _rate(connection: sa.Connection, now: datetime) -> tuple[float, datetime | None]:
    """Judgements per hour since the first one of the last 24 hours, and the time of the last one."""
    counts = (slot.c.answer_id == answer.c.id) & (slot.c.purpose == "work")
    recent = (
        sa.select(sa.func.count(), sa.func.min(answer.c.at))
        .join(slot, counts)
        .where(answer.c.at > now - WINDOW, answer.c.at <= now)
    )
    count, first = connection.execute(recent).one()
    last = connection.execute(sa.select(sa.func.max(answer.c.at))).scalar_one()
    if count < LEAST_ANSWERS:
        return float("nan"), last
    hours = max((now - first).total_seconds(), 60.0) / 3600
    return count / hours, last
