"""Changes to the study: put into its database and extended."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.plan import Study, StudyPlan
from similitude.collect.annotation.records import Question, StudyState
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, writing
from similitude.collect.annotation.store.questions import put_questions, retire_absent
from similitude.collect.annotation.store.second_round import catch_up
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import annotator, answer, stage_question, study
from similitude.errors import ArgumentError

__all__ = ["add_questions", "lock_study", "put_study"]

STUDY_LOCK = 7_302_511_044


def put_study(
    db: Database, planned: Study, *, now: datetime, by: str = "command line", state: StudyState = "open"
) -> StudyRecord:
    """Put a study into an empty database, or update the study that is there; answers are never touched.

    A question whose texts changed gets a new version, and each answer records its version. Questions that left the plan
    are no longer asked. If the number of judgements changes, slots that nobody holds are opened or closed. A new second
    round opens for questions whose first round is over. ``state`` is that of a study which is new.

    Raises:
        ArgumentError: the database holds another study, or this one with answers to another
        task or on a scale with other ends.
    """
    with writing(db) as connection:
        lock_study(db, connection)
        there = connection.execute(sa.select(study.c.name, study.c.plan, study.c.version, study.c.state)).one_or_none()
        plan = planned.plan.model_dump(mode="json", by_alias=True)
        if there is None:
            first = {"id": 1, "name": planned.plan.name, "plan": plan, "version": 1, "state": state, "created": now}
            connection.execute(sa.insert(study).values({**first, "salt": secrets.token_hex(32)}))
            record(connection, "study_made", now=now, by=by, subject=planned.plan.name)
        elif there.plan != plan:
            _check_same(connection, there, planned.plan)
            changed = {"plan": plan, "version": there.version + 1, "name": planned.plan.name}
            connection.execute(sa.update(study).values(changed))
            record(connection, "plan_changed", now=now, by=by, detail={"version": there.version + 1})
        new = put_questions(connection, planned.questions, planned.plan, origin="plan", now=now)
        gone = retire_absent(connection, planned.questions)
        if new or gone:
            record(connection, "questions_changed", now=now, by=by, detail={"new_or_changed": new, "retired": gone})
        current = study_in(db, connection)
        reopened = catch_up(connection, current)
        if reopened:
            record(connection, "second_round_opened", now=now, by=by, detail={"questions": reopened})
        return current


def lock_study(db: Database, connection: sa.Connection) -> None:
    """Let one transaction at a time change the study's questions."""
    if db.dialect == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:number)"), {"number": STUDY_LOCK})


def _check_same(connection: sa.Connection, there: Any, plan: StudyPlan) -> None:
    if there.name != plan.name and there.state != "draft":
        what = f"the database holds the study '{there.name}', not '{plan.name}'"
        raise ArgumentError(what, remedy="use one database for each study: --database")
    answered = connection.execute(sa.select(answer.c.id).where(~answer.c.withdrawn).limit(1)).one_or_none() is not None
    if there.plan["task"] != plan.task and answered:
        what = f"the task was '{there.plan['task']}' and people have answered; it cannot become '{plan.task}'"
        raise ArgumentError(what, where=plan.name, remedy="make a new study with its own database")
    _check_ends(connection, StudyPlan.model_validate(there.plan), plan)
    followed = (there.plan.get("follows") or {}).get("study")
    takes = plan.follows.study if plan.follows is not None else None
    if followed != takes and connection.execute(sa.select(stage_question.c.question_id).limit(1)).first() is not None:
        what = f"the study has questions from '{followed}'; it cannot follow {takes or 'none'}"
        raise ArgumentError(what, where=plan.name, remedy="make a new study with its own database")


def _check_ends(connection: sa.Connection, before: StudyPlan, after: StudyPlan) -> None:
    """Refuse other ends of a scale that people have answered on: a 5 of 0..5 is no 5 of 0..100."""
    by_people = (answer.c.annotator_id == annotator.c.id) & (annotator.c.source != "preview") & ~answer.c.withdrawn
    if (
        before.scale == after.scale
        or connection.execute(sa.select(answer.c.id).where(by_people).limit(1)).first() is None
    ):
        return
    old, new = before.annotation_task().scale, after.annotation_task().scale
    if old is None or new is None or (old.low, old.high) == (new.low, new.high):
        return
    what = (
        f"people have answered on a scale of {old.low:g} to {old.high:g}; it cannot become {new.low:g} to {new.high:g}"
    )
    remedy = "keep the ends of the scale (its step and labels may change), or make a new study with its own database"
    raise ArgumentError(what, where=after.name, remedy=remedy)


def add_questions(db: Database, questions: Sequence[Question], *, now: datetime, by: str) -> int:
    """Add questions to a running study; an existing question whose texts differ gets a new version.

    Returns:
        How many questions are new or changed.

    Raises:
        ArgumentError: a question does not fit the task.
    """
    with writing(db) as connection:
        lock_study(db, connection)
        there = study_in(db, connection)
        for question in questions:
            faults = there.task.faults(question)
            if faults:
                raise ArgumentError(
                    faults[0], where=f"question '{question.key}'", remedy="correct it; nothing was added"
                )
        new = put_questions(connection, questions, there.plan, origin="api", now=now)
        record(connection, "questions_added", now=now, by=by, detail={"new_or_changed": new})
    return new
