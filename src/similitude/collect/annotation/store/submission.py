"""Submission of a batch: its answers become final, and training, qualification and gold are decided."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import sqlalchemy as sa

from similitude.collect.annotation.records import Annotator, AnnotatorState, Result, Sent
from similitude.collect.annotation.store.annotator_progress import gold_result, qualification_result, training_result
from similitude.collect.annotation.store.annotators import read_annotator, set_annotator_state, state_after
from similitude.collect.annotation.store.answers import may_save
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.batches import owned_batch
from similitude.collect.annotation.store.database import Database, writing
from similitude.collect.annotation.store.pools import note_result
from similitude.collect.annotation.store.refusals import Conflict
from similitude.collect.annotation.store.second_round import open_second_rounds
from similitude.collect.annotation.store.skips import release_skipped
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import batch

__all__ = ["send_batch"]


def send_batch(db: Database, annotator_id: int, batch_id: int, *, now: datetime) -> Sent:
    """Send a complete batch. Sending it again gives the same acknowledgement.

    This decides training and qualification, and whether enough gold answers were right. The state and reason of
    ``annotator`` and ``result`` say whether somebody was stopped, and why.

    Raises:
        Conflict: questions have no answer, or the batch timed out with some left.
        NotThere: there is no such batch.
        NotYours: it was dealt to somebody else.
        NotNow: the annotator may not work, or the study is closed.
    """
    with writing(db) as connection:
        there = study_in(db, connection)
        who = read_annotator(connection, annotator_id, lock=True)
        held = owned_batch(connection, annotator_id, batch_id, lock=True)
        if held.state == "sent":
            result = _result_again(connection, there, who, held.purpose)
            return Sent(batch=held.id, purpose=held.purpose, at=held.sent, replayed=True, annotator=who, result=result)
        may_save(there, who)
        if held.answered < held.size:
            key = "batch_expired" if held.state == "expired" else "batch_incomplete"
            raise Conflict(key, f"{held.size - held.answered} questions of this batch have no answer")
        connection.execute(sa.update(batch).where(batch.c.id == held.id).values(state="sent", sent=now))
        release_skipped(connection, there, [held.id])
        open_second_rounds(connection, there, [held.id])
        who, result = _AFTER.get(held.purpose, _after_work)(connection, there, who, now)
        return Sent(batch=held.id, purpose=held.purpose, at=now, replayed=False, annotator=who, result=result)


Decided = tuple[Annotator, Result | None]


def _after_training(connection: sa.Connection, there: StudyRecord, who: Annotator, now: datetime) -> Decided:
    result = training_result(connection, there, who)
    if result.passed is None:
        return who, result
    return _passed_or_stopped(connection, there, who, result, "training", now), result


def _after_qualification(connection: sa.Connection, there: StudyRecord, who: Annotator, now: datetime) -> Decided:
    result = qualification_result(connection, there, who)
    if there.plan.qualification is not None and there.plan.qualification.review:
        return set_annotator_state(connection, who, "waiting", now=now), result
    if result.passed is None:
        return who, result
    note_result(connection, who.id, passed=result.passed, by="rule", now=now)
    return _passed_or_stopped(connection, there, who, result, "qualification", now), result


def _after_work(connection: sa.Connection, there: StudyRecord, who: Annotator, now: datetime) -> Decided:
    result = gold_result(connection, there, who)
    if result is None or result.passed is not False:
        return set_annotator_state(connection, who, who.state, now=now, reason=who.reason), None
    return stop(connection, who, "gold", result, now), result


def _passed_or_stopped(
    connection: sa.Connection,
    there: StudyRecord,
    who: Annotator,
    result: Result,
    stage: AnnotatorState,
    now: datetime,
) -> Annotator:
    if result.passed:
        return set_annotator_state(connection, who, state_after(connection, there.plan, who, stage), now=now)
    return stop(connection, who, stage, result, now)


def stop(connection: sa.Connection, who: Annotator, reason: str, result: Result, now: datetime) -> Annotator:
    """Stop an annotator who is below a threshold, and log why."""
    detail = {"reason": reason, "right": result.right, "of": result.of, "needed": result.needed}
    record(connection, "stopped", now=now, by="rule", subject=who.pseudonym, detail=detail)
    return set_annotator_state(connection, who, "stopped", now=now, reason=reason)


def _result_again(connection: sa.Connection, there: StudyRecord, who: Annotator, purpose: str) -> Result | None:
    if purpose == "training":
        return training_result(connection, there, who)
    if purpose == "qualification":
        return qualification_result(connection, there, who)
    return gold_result(connection, there, who) if who.reason == "gold" else None


_AFTER: dict[str, Callable[[sa.Connection, StudyRecord, Annotator, datetime], Decided]] = {
    "training": _after_training,
    "qualification": _after_qualification,
}
