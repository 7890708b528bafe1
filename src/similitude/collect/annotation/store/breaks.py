"""Breaks: while somebody rests, the time for their batch stands still."""

from __future__ import annotations

from datetime import datetime, timedelta
from statistics import median
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import Annotator
from similitude.collect.annotation.store.annotators import may_work, read_annotator
from similitude.collect.annotation.store.database import Database, writing
from similitude.collect.annotation.store.refusals import NotNow
from similitude.collect.annotation.store.study_record import study_in
from similitude.collect.annotation.store.tables import answer, batch

__all__ = ["begin_break", "end_break", "rhythm"]

AWAY = timedelta(minutes=10)
"""Somebody who was away for so long comes back rested."""
LAST_ANSWERS = 50
"""From so many answers the usual time per question is taken."""

_LAST_BATCH = (
    sa.select(batch.c.created, batch.c.touched, batch.c.fresh)
    .where(batch.c.annotator_id == sa.bindparam("who"))
    .order_by(batch.c.number.desc())
    .limit(1)
)
_SECONDS = (
    sa.select(answer.c.seconds)
    .where(answer.c.annotator_id == sa.bindparam("who"), answer.c.seconds.is_not(None))
    .order_by(answer.c.id.desc())
    .limit(LAST_ANSWERS)
)


def begin_break(db: Database, annotator_id: int, *, now: datetime) -> bool:
    """Begin a break; True if there is a batch whose time stands still now.

    A batch allows the plan's minutes of break in all. Its end moves by what is left of them, so that an abandoned batch
    still comes back.

    Raises:
        NotNow: the study has no breaks, the batch has had all of its break, or the annotator may not work.
    """
    with writing(db) as connection:
        planned = study_in(db, connection).plan.breaks
        may_work(read_annotator(connection, annotator_id, lock=True))
        if not planned.allowed:
            raise NotNow("no_breaks", "the study has no breaks")
        held = _open_batch(connection, annotator_id, now)
        if held is None or held.paused is not None:
            return held is not None
        left = 60 * planned.longest - held.rested
        if left <= 0:
            raise NotNow("break_used", f"this batch has had its {planned.longest:g} minutes of break")
        changes = {"paused": now, "expires": held.expires + timedelta(seconds=left)}
        connection.execute(sa.update(batch).where(batch.c.id == held.id).values(changes))
        return True


def end_break(db: Database, annotator_id: int, *, now: datetime) -> None:
    """End a break: neither the batch nor the next answer is charged for it."""
    with writing(db) as connection:
        there = study_in(db, connection)
        read_annotator(connection, annotator_id, lock=True)
        held = _open_batch(connection, annotator_id, now)
        if held is None or held.paused is None:
            return
        left = max(0.0, 60 * there.plan.breaks.longest - held.rested)
        begun = max(held.paused, held.touched)  # who answers in another tab is not at rest until then
        rested = min(max(0.0, (now - begun).total_seconds()), left)
        touched = held.touched + timedelta(seconds=rested)
        usual = touched + timedelta(minutes=there.plan.batch.minutes)
        changes = {
            "paused": None,
            "rested": held.rested + rested,
            "touched": touched,
            "expires": max(held.expires - timedelta(seconds=left - rested), min(usual, held.expires)),
            "fresh": now,
        }
        connection.execute(sa.update(batch).where(batch.c.id == held.id).values(changes))


def _open_batch(connection: sa.Connection, annotator_id: int, now: datetime) -> Any:
    mine = (batch.c.annotator_id == annotator_id) & (batch.c.state == "open") & (batch.c.expires > now)
    return connection.execute(sa.select(batch).where(mine).with_for_update()).one_or_none()


def rhythm(connection: sa.Connection, who: Annotator, now: datetime) -> dict[str, Any]:
    """What a new batch knows of its annotator: since when they work without a break, and their usual pace."""
    last = connection.execute(_LAST_BATCH, {"who": who.id}).one_or_none()
    working = last is not None and now - last.touched < AWAY
    seconds = connection.execute(_SECONDS, {"who": who.id}).scalars().all() if last is not None else []
    return {
        "fresh": (last.fresh or last.created) if last is not None and working else now,
        "pace": median(seconds) if seconds else None,
    }
