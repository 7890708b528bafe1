"""Departure: finishing, opting out, withdrawal of data; exclusion and re-admission by a leader."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from similitude.collect.annotation.records import Annotator, AnnotatorState, Batch
from similitude.collect.annotation.store.annotators import (
    by_pseudonym,
    read_annotator,
    set_annotator_state,
    state_after,
)
from similitude.collect.annotation.store.audit import forget_subject, record
from similitude.collect.annotation.store.batch_expiry import close_batches, open_batch_of
from similitude.collect.annotation.store.batches import batch_in
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.passwords import new_pseudonym
from similitude.collect.annotation.store.payments import forget_ids
from similitude.collect.annotation.store.pools import note_result
from similitude.collect.annotation.store.questions import free_slot
from similitude.collect.annotation.store.refusals import Conflict, NotThere
from similitude.collect.annotation.store.remarks import forget_remarks
from similitude.collect.annotation.store.study_record import study_in
from similitude.collect.annotation.store.tables import (
    annotator,
    annotator_person,
    answer,
    batch,
    exclusion,
    invitation,
    pool_result,
    question,
    slot,
)

__all__ = [
    "decide_qualification",
    "exclude",
    "finish",
    "opt_out",
    "qualification_answers",
    "readmit",
    "remove_person",
    "withdraw",
]

GONE = ("excluded", "withdrawn")


def finish(db: Database, annotator_id: int, *, now: datetime) -> Annotator:
    """Finish early, with a completion code; unanswered questions go to others."""
    return _leave(db, annotator_id, "finished", "early", now)


def opt_out(db: Database, annotator_id: int, *, now: datetime) -> Annotator:
    """Stop taking part. Answers stay; `withdraw` deletes them."""
    return _leave(db, annotator_id, "declined", "opted_out", now)


def _leave(db: Database, annotator_id: int, state: AnnotatorState, reason: str | None, now: datetime) -> Annotator:
    with writing(db) as connection:
        who = read_annotator(connection, annotator_id, lock=True)
        if who.state in (*GONE, "stopped", state):
            return who
        if who.state == "invited" and state == "finished":
            raise Conflict("state", "the annotator has not consented yet")
        _give_back(db, connection, who)
        record(connection, state, now=now, by="annotator", subject=who.pseudonym)
        return set_annotator_state(connection, who, state, now=now, reason=reason)


def _give_back(db: Database, connection: sa.Connection, who: Annotator) -> None:
    held = open_batch_of(connection, who.id)
    if held is not None:
        close_batches(connection, study_in(db, connection), [held])


def withdraw(db: Database, annotator_id: int, *, now: datetime, by: str = "annotator") -> None:
    """Delete an annotator's data: the content of their answers, and everything that identifies them.

    The rows of answers stay, blank and marked, so that counts can be explained; others may answer the questions again.
    The log says that somebody withdrew, but not who. Of somebody who reached the end or about whom a leader decided,
    the record of payment stays: completion code, decisions, amounts and times, and the ids of a platform where the
    plan keeps them.
    """
    with writing(db) as connection:
        who = read_annotator(connection, annotator_id, lock=True)
        if who.state != "withdrawn":
            _withdraw(db, connection, who, now=now, by=by)


def remove_person(db: Database, pseudonym: str, *, why: str, now: datetime, by: str) -> None:
    """Delete somebody's data because they asked a leader for it; see `withdraw`.

    Args:
        db: the database.
        pseudonym: the annotator.
        why: how they asked and how they were recognised; for the log, which does not say who it was.
        now: the moment.
        by: the leader.

    Raises:
        NotThere: there is no such annotator.
        Conflict: their data has been deleted before.
    """
    with writing(db) as connection:
        who = by_pseudonym(connection, pseudonym)
        if who.state == "withdrawn":
            raise Conflict("state", f"{pseudonym} has already withdrawn")
        _withdraw(db, connection, who, now=now, by=by, why=why)


def _withdraw(
    db: Database, connection: sa.Connection, who: Annotator, *, now: datetime, by: str, why: str = ""
) -> None:
    _give_back(db, connection, who)
    mine = slot.c.annotator_id == who.id
    replaced = _pass_on(connection, who.id)
    back = sa.case((sa.and_(slot.c.purpose == "work", slot.c.id.not_in(replaced)), "free"), else_="void")
    nobody = dict.fromkeys(("annotator_id", "answer_id", "batch_id", "position"))
    connection.execute(sa.update(slot).where(mine).values(state=back, **nobody))
    blank = {"value": None, "seconds": None, "comment": None, "withdrawn": True}
    connection.execute(sa.update(answer).where(answer.c.annotator_id == who.id).values(blank))
    connection.execute(sa.update(invitation).where(invitation.c.annotator_id == who.id).values(annotator_id=None))
    _forget(connection, who)
    forget_ids(connection, who)
    forget_remarks(connection, who)
    forget_subject(connection, who.pseudonym)
    record(connection, "withdrawn", now=now, by=by, detail={"why": why} if why else None)


def _pass_on(connection: sa.Connection, annotator_id: int) -> list[int]:
    """Let the slots that replace an annotator's take their places; returns the slots that were replaced.

    Somebody else was already asked for these judgements: after a skip, or by an exclusion that replaces.
    """
    successor = slot.alias("successor")
    living = (successor.c.replaces == slot.c.id) & (successor.c.state != "void")
    query = sa.select(slot.c.id, slot.c.replaces, successor.c.id.label("next")).join(successor, living)
    rows = connection.execute(query.where(slot.c.annotator_id == annotator_id)).all()
    for row in rows:
        connection.execute(sa.update(slot).where(slot.c.id == row.next).values(replaces=row.replaces))
    return [row.id for row in rows]


def _forget(connection: sa.Connection, who: Annotator) -> None:
    identifying = ("external_hash", "platform", "language", "session_hash", "reason", "person", "invitation_id")
    changes = {**dict.fromkeys(identifying), "state": "withdrawn", "pseudonym": f"withdrawn-{new_pseudonym()}"}
    connection.execute(sa.update(annotator).where(annotator.c.id == who.id).values(changes))
    for table in (exclusion, annotator_person, pool_result):
        connection.execute(sa.delete(table).where(table.c.annotator_id == who.id))


def exclude(db: Database, pseudonym: str, *, why: str, replace: bool = False, now: datetime, by: str) -> Annotator:
    """Leave an annotator's answers out of all figures. This is logged, and `readmit` reverses it.

    Args:
        db: the database.
        pseudonym: the annotator.
        why: the reason, for the log.
        replace: also ask others the same questions, so that none lacks judgements.
        now: the moment.
        by: who excludes.

    Raises:
        NotThere: there is no such annotator.
        Conflict: they are already excluded, or have withdrawn.
    """
    with writing(db) as connection:
        who = by_pseudonym(connection, pseudonym)
        if who.state in GONE:
            raise Conflict("state", f"{pseudonym} is already {who.state}")
        _give_back(db, connection, who)
        row = {"annotator_id": who.id, "at": now, "by": by, "why": why, "state_before": who.state}
        connection.execute(sa.insert(exclusion).values(row))
        reopened = _reopen(connection, who.id) if replace else 0
        detail = {"why": why, "reopened": reopened}
        record(connection, "excluded", now=now, by=by, subject=pseudonym, detail=detail)
        return set_annotator_state(connection, who, "excluded", now=now, reason=who.reason)


def _reopen(connection: sa.Connection, annotator_id: int) -> int:
    """Open one more slot for every question that an annotator answered."""
    query = (
        sa.select(slot.c.id, slot.c.question_id, slot.c.place, slot.c.round)
        .join(question, question.c.id == slot.c.question_id)
        .where(slot.c.annotator_id == annotator_id, slot.c.purpose == "work", slot.c.state == "done")
        .where(~question.c.retired)
    )
    rows = connection.execute(query).all()
    if rows:
        connection.execute(
            sa.insert(slot), [free_slot(row.question_id, row.place, row.round, replaces=row.id) for row in rows]
        )
    return len(rows)


def readmit(db: Database, pseudonym: str, *, why: str = "", now: datetime, by: str) -> Annotator:
    """Let an annotator's answers count again. Replacements that nobody has begun are closed.

    Raises:
        NotThere: there is no such annotator.
        Conflict: they are not excluded.
    """
    with writing(db) as connection:
        who = by_pseudonym(connection, pseudonym)
        if who.state != "excluded":
            raise Conflict("state", f"{pseudonym} is {who.state}, not excluded")
        current = (exclusion.c.annotator_id == who.id) & exclusion.c.ended.is_(None)
        before = connection.execute(sa.select(exclusion.c.state_before).where(current)).scalars().first()
        connection.execute(sa.update(exclusion).where(current).values(ended=now))
        closed = _close_replacements(connection, who.id)
        record(connection, "readmitted", now=now, by=by, subject=pseudonym, detail={"why": why, "closed": closed})
        state: AnnotatorState = before or "active"
        return set_annotator_state(connection, who, state, now=now, reason=who.reason)


def _close_replacements(connection: sa.Connection, annotator_id: int) -> int:
    """Remove free slots that replace an annotator's answers."""
    theirs = sa.select(slot.c.id).where(slot.c.annotator_id == annotator_id).scalar_subquery()
    free = slot.c.replaces.in_(theirs) & (slot.c.state == "free")
    return int(connection.execute(sa.update(slot).where(free).values(state="void")).rowcount)


def qualification_answers(db: Database, pseudonym: str) -> Batch:
    """An annotator's qualification answers, for a leader to read.

    Raises:
        NotThere: there is no such annotator, or they have not sent any.
    """
    with reading(db) as connection:
        there = study_in(db, connection)
        query = (
            sa.select(batch)
            .join(annotator, annotator.c.id == batch.c.annotator_id)
            .where(annotator.c.pseudonym == pseudonym, batch.c.purpose == "qualification", batch.c.state == "sent")
            .order_by(batch.c.id.desc())
        )
        row = connection.execute(query).first()
        if row is None:
            raise NotThere("no_batch", f"'{pseudonym[:40]}' has sent no qualification")
        return batch_in(connection, there, row)


def decide_qualification(db: Database, pseudonym: str, *, passed: bool, now: datetime, by: str) -> Annotator:
    """Pass or fail an annotator's qualification after a leader has read it.

    Raises:
        NotThere: there is no such annotator.
        Conflict: they are not waiting for a decision.
    """
    with writing(db) as connection:
        who = by_pseudonym(connection, pseudonym)
        if who.state != "waiting":
            raise Conflict("state", f"{pseudonym} is {who.state}; no qualification is waiting for a decision")
        record(connection, "qualification", now=now, by=by, subject=pseudonym, detail={"passed": passed})
        note_result(connection, who.id, passed=passed, by=by, now=now)
        if passed:
            state = state_after(connection, study_in(db, connection).plan, who, "qualification")
            return set_annotator_state(connection, who, state, now=now)
        return set_annotator_state(connection, who, "stopped", now=now, reason="review")
