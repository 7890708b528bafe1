"""One question with everything that was answered, changed and decided."""

from __future__ import annotations

import math
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.answer_records import GivenAnswer, GivenSkip, QuestionDetail, Wording
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.decisions import decisions_of
from similitude.collect.annotation.store.question_summary import question_state
from similitude.collect.annotation.store.refusals import NotThere
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import annotator, answer, question, skip, slot, wording

__all__ = ["question_detail", "question_number"]


def question_number(db: Database, key: str) -> int:
    """The number of the question with this key.

    Raises:
        NotThere: there is no such question.
    """
    with reading(db) as connection:
        found = connection.execute(sa.select(question.c.id).where(question.c.key == key)).scalar_one_or_none()
    if found is None:
        raise NotThere("no_question", f"no question '{key[:40]}'")
    return int(found)


def question_detail(db: Database, number: int) -> QuestionDetail:
    """A question by its number.

    Raises:
        NotThere: there is no such question.
    """
    with reading(db) as connection:
        there = study_in(db, connection)
        row = connection.execute(sa.select(question).where(question.c.id == number)).one_or_none()
        if row is None:
            raise NotThere("no_question", f"no question {number}")
        wordings = _wordings(connection, there, number)
        answers = _answers(connection, there, row, {each.version: each for each in wordings})
        open_slot = (slot.c.purpose == "work") & slot.c.state.in_(["free", "held"])
        wanting = connection.execute(sa.select(slot.c.id).where(slot.c.question_id == number, open_slot)).first()
        return QuestionDetail(
            number=number,
            key=row.key,
            kind=row.kind,
            state=question_state(row, wanting=wanting is not None),
            wanted=row.wanted,
            disagreement=there.task.spread([each.value for each in answers if each.counts]),
            wordings=wordings,
            answers=answers,
            skips=_skips(connection, number),
            decisions=decisions_of(connection, number),
        )


def _wordings(connection: sa.Connection, there: StudyRecord, number: int) -> tuple[Wording, ...]:
    query = sa.select(wording).where(wording.c.question_id == number).order_by(wording.c.version)
    return tuple(
        Wording(row.version, row.at, there.task.shown(row.texts), tuple(row.texts), row.expected)
        for row in connection.execute(query)
    )


def _answers(
    connection: sa.Connection, there: StudyRecord, asked: Any, wordings: dict[int, Wording]
) -> tuple[GivenAnswer, ...]:
    query = (
        sa.select(answer, slot.c.purpose, slot.c.round, slot.c.ordering, slot.c.answer_id)
        .add_columns(annotator.c.pseudonym, annotator.c.state)
        .select_from(slot)
        .join(answer, (answer.c.slot_id == slot.c.id) & (answer.c.annotator_id == slot.c.annotator_id))
        .join(annotator, annotator.c.id == answer.c.annotator_id)
        .where(slot.c.question_id == asked.id, ~answer.c.withdrawn, annotator.c.source != "preview")
        .order_by(answer.c.id)
    )
    return tuple(_given(there, asked, row, wordings) for row in connection.execute(query))


def _given(there: StudyRecord, asked: Any, row: Any, wordings: dict[int, Wording]) -> GivenAnswer:
    worded = wordings.get(row.version) or next(iter(wordings.values()))
    current = row.id == row.answer_id
    return GivenAnswer(
        annotator=row.pseudonym,
        state=row.state,
        purpose=row.purpose,
        round=row.round,
        version=row.version,
        value=row.value,
        shown=there.task.shown(worded.items, row.ordering),
        seconds=None if row.seconds is None or math.isnan(row.seconds) else row.seconds,
        at=row.at,
        current=current,
        counts=current and row.purpose == asked.kind and row.state != "excluded",
        comment=row.comment,
    )


def _skips(connection: sa.Connection, number: int) -> tuple[GivenSkip, ...]:
    """The last skip of everybody who skipped the question."""
    query = (
        sa.select(skip, annotator.c.pseudonym, slot.c.state)
        .join(slot, slot.c.id == skip.c.slot_id)
        .join(annotator, annotator.c.id == skip.c.annotator_id)
        .where(slot.c.question_id == number, ~skip.c.withdrawn, annotator.c.source != "preview")
        .order_by(skip.c.id)
    )
    last = {row.slot_id: row for row in connection.execute(query)}
    return tuple(
        GivenSkip(row.pseudonym, row.reason, row.note, row.at, row.state == "skipped") for row in last.values()
    )
