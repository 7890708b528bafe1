"""One person's work: their answers over time, their speed, their habits, gold and repeats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

import numpy as np
import sqlalchemy as sa

from similitude.collect.annotation.answer_habits import Trial, habits_of
from similitude.collect.annotation.answer_records import Person, PersonAnswer
from similitude.collect.annotation.records import Annotator
from similitude.collect.annotation.store.annotators import of_row
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.questions import CHUNK
from similitude.collect.annotation.store.refusals import NotThere
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import annotator, answer, question, slot, wording
from similitude.stats import spearman

__all__ = ["read_person"]

LEAST_TIMES = 5
"""With fewer answers no trend is told."""


def read_person(db: Database, pseudonym: str) -> Person:
    """All about one person's work, from one moment of the database.

    Raises:
        NotThere: there is no such annotator.
    """
    with reading(db) as connection:
        there = study_in(db, connection)
        row = connection.execute(sa.select(annotator).where(annotator.c.pseudonym == pseudonym)).one_or_none()
        if row is None:
            raise NotThere("no_annotator", f"no annotator '{pseudonym[:40]}'", remedy="look at the list of annotators")
        who = of_row(row)
        rows = _rows(connection, who)
        answers = _answers(there, rows)
        others = _others(connection, who, [each.question_id for each in rows if each.purpose == "work"])
    work = [each for each in answers if each.current and each.purpose == "work"]
    times = [each.seconds for each in work if each.seconds is not None]
    return Person(
        annotator=who,
        excluded=who.state == "excluded",
        answers=answers,
        seconds=median(times) if times else float("nan"),
        slowing=_trend(times),
        habits=habits_of(there.task, [Trial(each.value, each.shown, others[each.number]) for each in work]),
    )


def _trend(times: Sequence[float]) -> float:
    if len(times) < LEAST_TIMES:
        return float("nan")
    return float(spearman(np.arange(len(times), dtype=np.float64), np.array(times)))


def _rows(connection: sa.Connection, who: Annotator) -> list[Any]:
    same = (wording.c.question_id == slot.c.question_id) & (wording.c.version == slot.c.version)
    query = (
        sa.select(answer.c.id, answer.c.question_id, answer.c.value, answer.c.seconds, answer.c.at, answer.c.comment)
        .add_columns(slot.c.purpose, slot.c.round, slot.c.ordering, slot.c.answer_id)
        .add_columns(question.c.key, wording.c.texts, wording.c.expected)
        .select_from(slot)
        .join(answer, (answer.c.slot_id == slot.c.id) & (answer.c.annotator_id == slot.c.annotator_id))
        .join(question, question.c.id == slot.c.question_id)
        .join(wording, same)
        .where(slot.c.annotator_id == who.id, ~answer.c.withdrawn)
        .order_by(answer.c.id)
    )
    return list(connection.execute(query).all())


def _answers(there: StudyRecord, rows: Sequence[Any]) -> tuple[PersonAnswer, ...]:
    first = {row.question_id: row.value for row in rows if row.purpose == "work" and row.id == row.answer_id}
    tolerance = there.plan.gold.tolerance if there.plan.gold else 0.5
    return tuple(_answer(there, row, first, tolerance) for row in rows)


def _answer(there: StudyRecord, row: Any, first: Mapping[int, Any], tolerance: float) -> PersonAnswer:
    known = row.purpose in ("gold", "training", "qualification") and row.expected is not None
    before = first.get(row.question_id) if row.purpose == "repeat" else None
    return PersonAnswer(
        number=row.question_id,
        key=row.key,
        purpose=row.purpose,
        round=row.round,
        value=row.value,
        shown=there.task.shown(row.texts, row.ordering),
        seconds=row.seconds,
        at=row.at,
        current=row.id == row.answer_id,
        right=there.task.is_right(row.value, row.expected, tolerance) if known and there.task.checkable else None,
        comment=row.comment,
        same=None if before is None else row.value == before or there.task.is_right(row.value, before, tolerance),
    )


def _others(connection: sa.Connection, who: Annotator, numbers: Sequence[int]) -> dict[int, list[Mapping[str, Any]]]:
    """What other people who count answered to these questions."""
    found: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for start in range(0, len(numbers), CHUNK):
        query = (
            sa.select(slot.c.question_id, answer.c.value)
            .join(answer, answer.c.id == slot.c.answer_id)
            .join(annotator, annotator.c.id == slot.c.annotator_id)
            .where(slot.c.question_id.in_(numbers[start : start + CHUNK]), slot.c.purpose == "work")
            .where(slot.c.annotator_id != who.id, annotator.c.state != "excluded", annotator.c.source != "preview")
        )
        for row in connection.execute(query):
            found[row.question_id].append(row.value)
    return found
