"""Batches as annotators see them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import Batch, BatchQuestion, Feedback, Skipped
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.refusals import NotThere, NotYours
from similitude.collect.annotation.store.remarks import reasons_in
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import answer, batch, question, slot, wording
from similitude.collect.annotation.tasks import Answer

__all__ = ["batch_in", "feedback_on", "owned_batch", "part_of", "question_in", "read_batch"]

_FACTS = (
    "id", "purpose", "state", "round", "created", "expires", "sent", "touched", "paused", "rested", "fresh", "pace",
)  # fmt: skip
_BY_ID = sa.select(batch).where(batch.c.id == sa.bindparam("held"))
_BY_ID_LOCKED = _BY_ID.with_for_update()
_QUESTIONS = (
    sa.select(
        slot.c.position,
        slot.c.purpose,
        slot.c.version,
        slot.c.ordering,
        slot.c.state,
        question.c.key,
        wording.c.texts,
        wording.c.expected,
        answer.c.value,
        answer.c.comment,
    )
    .join(question, question.c.id == slot.c.question_id)
    .join(wording, (wording.c.question_id == slot.c.question_id) & (wording.c.version == slot.c.version))
    .join(answer, answer.c.id == slot.c.answer_id, isouter=True)
    .where(slot.c.batch_id == sa.bindparam("held"))
    .order_by(slot.c.position)
)


def read_batch(db: Database, annotator_id: int, batch_id: int) -> Batch:
    """An annotator's own batch, open or closed.

    Raises:
        NotThere: there is no such batch.
        NotYours: it belongs to somebody else.
    """
    with reading(db) as connection:
        return batch_in(connection, study_in(db, connection), owned_batch(connection, annotator_id, batch_id))


def owned_batch(connection: sa.Connection, annotator_id: int, batch_id: int, *, lock: bool = False) -> Any:
    """The row of an annotator's own batch.

    Raises:
        NotThere: there is no such batch.
        NotYours: it belongs to somebody else.
    """
    row = connection.execute(_BY_ID_LOCKED if lock else _BY_ID, {"held": batch_id}).one_or_none()
    if row is None:
        raise NotThere("no_batch", f"no batch {batch_id}")
    if row.annotator_id != annotator_id:
        raise NotYours("not_yours", "this batch belongs to somebody else")
    return row


def batch_in(connection: sa.Connection, there: StudyRecord, row: Any) -> Batch:
    """A batch with its questions, as worded when the batch was made."""
    rows = connection.execute(_QUESTIONS, {"held": row.id}).all()
    skipped = reasons_in(connection, row.id) if any(each.state == "skipped" for each in rows) else {}
    questions = tuple(question_in(each, there, skipped.get(each.position)) for each in rows)
    answered = sum(each.settled for each in questions)
    return part_of(row, questions, size=len(questions), answered=answered)


def part_of(row: Any, questions: tuple[BatchQuestion, ...], *, size: int, answered: int) -> Batch:
    """A batch with some of its questions."""
    return Batch(**{name: getattr(row, name) for name in _FACTS}, questions=questions, size=size, answered=answered)


def question_in(row: Any, there: StudyRecord, skipped: Skipped | None = None) -> BatchQuestion:
    """The question of a slot's row, as worded when its batch was made."""
    return BatchQuestion(
        position=row.position,
        key=row.key,
        version=row.version,
        shown=there.task.shown(row.texts, row.ordering),
        answer=row.value,
        feedback=None if row.value is None else feedback_on(row, row.value, there),
        comment=row.comment or "",
        skipped=skipped,
    )


def feedback_on(place: Any, value: Answer, there: StudyRecord) -> Feedback | None:
    """Feedback on a training answer; None for all others, so that nobody learns which questions are gold."""
    if place.purpose != "training" or place.expected is None or there.plan.training is None:
        return None
    right = there.task.is_right(value, place.expected, there.plan.training.tolerance)
    return Feedback(right=right, expected=place.expected)
