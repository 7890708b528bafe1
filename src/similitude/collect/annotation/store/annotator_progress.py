"""An annotator's results in training, qualification and gold, counted from their answers."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.records import Annotator, Purpose, Result
from similitude.collect.annotation.store.readable import Readable, readable, readable_only
from similitude.collect.annotation.store.study_record import StudyRecord
from similitude.collect.annotation.store.tables import answer, batch, question, slot, wording

__all__ = ["counted", "gold_result", "per_round", "qualification_result", "training_result"]

SLACK = 1e-9
"""So that 3 of 4 reaches 75 %, whatever floats say."""


def per_round(connection: sa.Connection, plan: StudyPlan, languages: Readable = None) -> int:
    """The number of training questions per round: the rounds share them equally, up to the plan's limit.

    With ``languages`` only questions in these count.
    """
    if plan.training is None:
        return 1
    query = sa.select(sa.func.count()).select_from(question).where(question.c.kind == "training", ~question.c.retired)
    there = int(connection.execute(readable_only(query, languages)).scalar_one())
    return max(1, min(plan.training.limit, there) // plan.training.rounds)


def counted(
    connection: sa.Connection, there: StudyRecord, who: Annotator, purpose: Purpose, tolerance: float
) -> tuple[int, int]:
    """The right answers and all answers for a purpose, in closed batches."""
    same = (wording.c.question_id == slot.c.question_id) & (wording.c.version == slot.c.version)
    query = (
        sa.select(answer.c.value, wording.c.expected)
        .select_from(slot)
        .join(answer, answer.c.id == slot.c.answer_id)
        .join(wording, same)
        .join(batch, batch.c.id == slot.c.batch_id)
        .where(slot.c.annotator_id == who.id, slot.c.purpose == purpose, batch.c.state != "open")
    )
    rows: list[Any] = [row for row in connection.execute(query).all() if row.expected is not None]
    right = sum(there.task.is_right(row.value, row.expected, tolerance) for row in rows)
    return right, len(rows)


def training_result(connection: sa.Connection, there: StudyRecord, who: Annotator) -> Result:
    """The accuracy over all training rounds so far; it is decided after the last round (USTS 3.2)."""
    planned = there.plan.training
    assert planned is not None
    right, of = counted(connection, there, who, "training", planned.tolerance)
    over = of >= per_round(connection, there.plan, readable(connection, who)) * planned.rounds
    passed = right / of >= planned.pass_ - SLACK if over else None
    return Result(right, of, planned.pass_, passed)


def qualification_result(connection: sa.Connection, there: StudyRecord, who: Annotator) -> Result:
    """The share of right answers once every qualification question is answered; None if a leader decides."""
    planned = there.plan.qualification
    assert planned is not None
    right, of = counted(connection, there, who, "qualification", planned.tolerance)
    if planned.review:
        return Result(right, of, planned.pass_, None)
    asked = sa.select(sa.func.count()).select_from(question)
    asked = asked.where(question.c.kind == "qualification", ~question.c.retired)
    over = of >= connection.execute(readable_only(asked, readable(connection, who))).scalar_one()
    return Result(right, of, planned.pass_, right / of >= planned.pass_ - SLACK if over and of else None)


def gold_result(connection: sa.Connection, there: StudyRecord, who: Annotator) -> Result | None:
    """Whether an annotator's share of right gold answers is high enough; None if the plan has no gold."""
    planned = there.plan.gold
    if planned is None:
        return None
    right, of = counted(connection, there, who, "gold", planned.tolerance)
    passed = right / of >= planned.stop_below - SLACK if of >= planned.after else None
    return Result(right, of, planned.stop_below, passed)
