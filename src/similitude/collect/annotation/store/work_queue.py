"""The next work of an annotator: their open batch, a new one, or why there is none."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import Annotator, Work, WorkKind
from similitude.collect.annotation.store.annotators import read_annotator, set_annotator_state
from similitude.collect.annotation.store.batch_claim import deal_known, deal_work
from similitude.collect.annotation.store.batch_expiry import expire_due
from similitude.collect.annotation.store.batches import batch_in
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.own_questions import more_may_come, wrote_it
from similitude.collect.annotation.store.readable import readable, readable_only, unread_work
from similitude.collect.annotation.store.study_life import ENDED
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.submissions import assignment_is_done
from similitude.collect.annotation.store.tables import batch, question, slot

__all__ = ["next_work"]

_COUNT_DONE = (
    sa.select(sa.func.count())
    .select_from(slot)
    .where(slot.c.annotator_id == sa.bindparam("who"), slot.c.purpose.in_(["work", "preview"]), slot.c.state == "done")
)
_OPEN_BATCH = sa.select(batch).where(
    batch.c.annotator_id == sa.bindparam("who"), batch.c.state == "open", batch.c.expires > sa.bindparam("moment")
)
WORKING = ("training", "qualification", "active", "finished")
PAGES: dict[str, WorkKind] = {
    "invited": "consent",
    "waiting": "waiting",
    "stopped": "stopped",
    "declined": "declined",
    "excluded": "excluded",
    "withdrawn": "withdrawn",
}


def next_work(db: Database, annotator_id: int, *, now: datetime) -> Work:
    """What an annotator does next.

    A question gets exactly the wanted number of judgements: each has a slot, and a batch claims free slots in one
    transaction. Nobody gets a question twice, except as a repeat. The choice is random; it depends on the seed, the
    pseudonym, the number of the batch and the free slots.

    Raises:
        NotThere: there is no such annotator.
        StoreUnavailable: the database cannot be reached.
    """
    with reading(db) as connection:
        held = _without_dealing(connection, study_in(db, connection), annotator_id, now)
    if held is not None:
        return held
    with writing(db) as connection:
        there = study_in(db, connection)
        read_annotator(connection, annotator_id, lock=True)
        expire_due(connection, there, now)
        held = _without_dealing(connection, there, annotator_id, now)
        return held if held is not None else _deal(db, connection, there, annotator_id, now)


def _without_dealing(connection: sa.Connection, there: StudyRecord, annotator_id: int, now: datetime) -> Work | None:
    """The answer if no slot needs to be claimed; None if a batch has to be made."""
    who = read_annotator(connection, annotator_id)
    if who.state not in WORKING:
        return Work(kind=PAGES[who.state], annotator=who, done=_done(connection, who))
    if there.state in ENDED:
        return Work(kind="closed", annotator=who, done=_done(connection, who))
    row = connection.execute(_OPEN_BATCH, {"who": who.id, "moment": now}).one_or_none()
    if row is not None:
        return Work(kind="batch", annotator=who, batch=batch_in(connection, there, row), done=_done(connection, who))
    if there.state == "paused" or (there.state == "draft" and who.source != "preview"):
        return Work(kind="paused", annotator=who, done=_done(connection, who))
    return None


def _deal(db: Database, connection: sa.Connection, there: StudyRecord, annotator_id: int, now: datetime) -> Work:
    who = read_annotator(connection, annotator_id)
    over = assignment_is_done(connection, there, who)
    if who.state in ("training", "qualification"):
        made = deal_known(connection, there, who, now)
    else:
        made = None if over else deal_work(db, connection, there, who, now)
    if made is not None:
        if who.state == "finished":
            who = set_annotator_state(connection, who, "active", now=now)
        row = connection.execute(sa.select(batch).where(batch.c.id == made)).one()
        return Work(kind="batch", annotator=who, batch=batch_in(connection, there, row), done=_done(connection, who))
    if who.state in ("training", "qualification") and who.reads is not None:
        return Work(kind="unreadable", annotator=who, elsewhere=unread_work(connection, who))
    if not over and _may_come_back(connection, there, who):
        return Work(kind="later", annotator=who, done=_done(connection, who))
    if who.state != "finished":
        who = set_annotator_state(connection, who, "finished", now=now)
    elsewhere = unread_work(connection, who)
    return Work(kind="finished", annotator=who, done=_done(connection, who), elsewhere=elsewhere)


def _done(connection: sa.Connection, who: Annotator) -> int:
    """How many work questions an annotator has answered."""
    return int(connection.execute(_COUNT_DONE, {"who": who.id}).scalar_one())


def _may_come_back(connection: sa.Connection, there: StudyRecord, who: Annotator) -> bool:
    """Whether others hold questions that this annotator could still get."""
    most = there.plan.batch.most
    if who.source == "preview" or (most is not None and _done(connection, who) >= most):
        return False
    if more_may_come(connection, there):
        return True
    conditions: list[Any] = [slot.c.state.in_(["held", "free"])]
    if there.plan.second_round is not None:
        conditions.append(sa.and_(slot.c.state == "done", batch.c.state == "open"))
    query = (
        sa.select(slot.c.id)
        .join(question, question.c.id == slot.c.question_id)
        .join(batch, batch.c.id == slot.c.batch_id, isouter=True)
        .where(slot.c.purpose == "work", sa.or_(*conditions), ~question.c.retired, ~mine_already(who.id))
        .where(~wrote_it(sa.literal(who.id)))
        .limit(1)
    )
    return connection.execute(readable_only(query, readable(connection, who))).first() is not None


def mine_already(annotator_id: int) -> sa.ColumnElement[bool]:
    """Whether an annotator holds or has answered the question of a slot."""
    mine = slot.alias("mine")
    return sa.exists().where(mine.c.annotator_id == annotator_id, mine.c.question_id == slot.c.question_id)
