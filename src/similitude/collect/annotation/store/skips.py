"""Skipped questions: kept with their reason, never taken for answers, and asked of others where the plan says so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import Problem, Skipped
from similitude.collect.annotation.store.annotators import may_work, read_annotator
from similitude.collect.annotation.store.batches import owned_batch
from similitude.collect.annotation.store.database import Database, writing
from similitude.collect.annotation.store.questions import free_slot
from similitude.collect.annotation.store.refusals import Conflict, InvalidAnswer, NotNow, NotThere
from similitude.collect.annotation.store.study_life import ENDED
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import batch, question, skip, slot
from similitude.collect.annotation.tasks.form_values import clean, has_bad_characters

__all__ = ["LONGEST_NOTE", "SKIPPABLE", "release_skipped", "skip_question"]

SKIPPABLE = ("work", "gold", "repeat", "preview")
"""Purposes of questions that can be skipped: training and qualification decide on the whole."""
LONGEST_NOTE = 500
LONGEST_NONCE = 200


def skip_question(
    db: Database, annotator_id: int, batch_id: int, position: int, skipped: Skipped, *, nonce: str, now: datetime
) -> None:
    """Skip a question for a reason. Until the batch is sent it can still be answered, or skipped for another reason.

    A form that arrives again (same nonce) changes nothing.

    Raises:
        InvalidAnswer: the reason is missing, or "other" comes without words.
        NotNow: the study has no skipping, this question cannot be skipped, or the person skipped as many as they may.
        NotThere: there is no such batch or question.
        NotYours: the batch belongs to somebody else.
        Conflict: the batch was sent or timed out.
    """
    with writing(db) as connection:
        there = study_in(db, connection)
        who = read_annotator(connection, annotator_id, lock=True)
        if there.state in ENDED:
            raise NotNow("closed", "the study is closed")
        may_work(who)
        held = owned_batch(connection, annotator_id, batch_id, lock=True)
        place = _slot(connection, held, position)
        note = _checked(there, skipped)
        known = (skip.c.annotator_id == annotator_id) & (skip.c.nonce == nonce)
        if connection.execute(sa.select(skip.c.id).where(known)).first() is not None:
            return
        _check_allowed(connection, there, held, place)
        _append(connection, held, place, skipped.reason, note, nonce, now)


def _slot(connection: sa.Connection, held: Any, position: int) -> Any:
    query = sa.select(slot).where(slot.c.batch_id == held.id, slot.c.position == position).with_for_update()
    found = connection.execute(query).one_or_none()
    if found is None or found.annotator_id != held.annotator_id:
        raise NotThere("no_question", f"no question {position} in this batch")
    return found


def _checked(there: StudyRecord, skipped: Skipped) -> str | None:
    """The note as it is kept.

    Raises:
        InvalidAnswer: reason or note are not valid.
    """
    note = clean(skipped.note)
    problems = []
    if skipped.reason not in there.plan.skip.reasons:
        problems.append(Problem("skip_reason", "missing"))
    elif skipped.reason == "other" and not note:
        problems.append(Problem("note", "missing"))
    if len(note) > LONGEST_NOTE:
        problems.append(Problem("note", "too_long", {"limit": LONGEST_NOTE}))
    elif has_bad_characters(note):
        problems.append(Problem("note", "bad_characters"))
    if problems:
        raise InvalidAnswer(problems)
    return note or None


def _check_allowed(connection: sa.Connection, there: StudyRecord, held: Any, place: Any) -> None:
    if held.state == "sent":
        raise Conflict("batch_sent", "this batch was sent; its answers are final")
    if held.state == "expired":
        raise Conflict("batch_expired", "the time for this batch is over")
    planned = there.plan.skip
    if not planned.allowed or place.purpose not in SKIPPABLE:
        raise NotNow("no_skip", "this question cannot be skipped")
    if planned.limit is None:
        return
    others = (slot.c.annotator_id == held.annotator_id) & (slot.c.state == "skipped") & (slot.c.id != place.id)
    if connection.execute(sa.select(sa.func.count()).select_from(slot).where(others)).scalar_one() >= planned.limit:
        raise NotNow("skip_limit", f"this annotator has skipped {planned.limit} questions, which is the most")


def _append(
    connection: sa.Connection, held: Any, place: Any, reason: str, note: str | None, nonce: str, now: datetime
) -> None:
    row = {
        "slot_id": place.id,
        "question_id": place.question_id,
        "annotator_id": held.annotator_id,
        "batch_id": held.id,
        "version": place.version,
        "reason": reason,
        "note": note,
        "seconds": round(max(0.0, (now - held.touched).total_seconds()), 3),
        "at": now,
        "nonce": nonce[:LONGEST_NONCE],
        "withdrawn": False,
    }
    connection.execute(sa.insert(skip).values(row))
    connection.execute(sa.update(slot).where(slot.c.id == place.id).values(state="skipped", answer_id=None))
    more = 0 if place.state in ("done", "skipped") else 1
    changes = {"answered": held.answered + more, "touched": max(now, held.touched)}
    connection.execute(sa.update(batch).where(batch.c.id == held.id).values(changes))


def release_skipped(connection: sa.Connection, there: StudyRecord, batches: Sequence[int]) -> int:
    """Ask somebody else the skipped questions of batches that were just closed, if the plan says so.

    The skipped slot stays with its annotator, who is not asked again; a new slot takes its place, so that a question
    still gets exactly the wanted number of answers. Returns how many slots were opened.
    """
    if not there.plan.skip.again:
        return 0
    successor = slot.alias("successor")
    query = (
        sa.select(slot.c.id, slot.c.question_id, slot.c.place, slot.c.round, question.c.place.label("ring"))
        .join(question, question.c.id == slot.c.question_id)
        .where(slot.c.batch_id.in_(batches), slot.c.state == "skipped", slot.c.purpose == "work", ~question.c.retired)
        .where(~sa.exists().where(successor.c.replaces == slot.c.id))
    )
    rows = connection.execute(query).all()
    if rows:
        made = [free_slot(row.question_id, row.ring, row.round, replaces=row.id) for row in rows]
        connection.execute(sa.insert(slot), made)
    return len(rows)
