"""The study in its database: put there from its plan, read back, paused and resumed."""

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
from similitude.collect.annotation.store.refusals import Conflict
from similitude.collect.annotation.store.second_round import catch_up
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import answer, study
from similitude.errors import ArgumentError

__all__ = ["add_questions", "put_study", "set_state"]

STUDY_LOCK = 7_302_511_044


def put_study(db: Database, planned: Study, *, now: datetime, by: str = "command line") -> StudyRecord:
    """Put a study into an empty database, or bring the one that is there up to date; answers are never touched.

    A question whose texts changed gets a new version, and later answers say which one they were given to. A question
    that left the plan is asked no more. More or fewer judgements per question open or close slots that nobody holds. A
    second round that the plan asks for now is opened for questions whose first round is over.

    Raises:
        ArgumentError: the database holds another study, or this one with another task and answers to it.
    """
    with writing(db) as connection:
        _lock(db, connection)
        there = connection.execute(sa.select(study.c.name, study.c.plan, study.c.version)).one_or_none()
        plan = planned.plan.model_dump(mode="json", by_alias=True)
        if there is None:
            first = {"id": 1, "name": planned.plan.name, "plan": plan, "version": 1, "state": "open", "created": now}
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


def _lock(db: Database, connection: sa.Connection) -> None:
    if db.dialect == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:number)"), {"number": STUDY_LOCK})


def _check_same(connection: sa.Connection, there: Any, plan: StudyPlan) -> None:
    if there.name != plan.name:
        what = f"the database holds the study '{there.name}', not '{plan.name}'"
        raise ArgumentError(what, remedy="use one database for each study: --database")
    answered = connection.execute(sa.select(answer.c.id).limit(1)).one_or_none() is not None
    if there.plan["task"] != plan.task and answered:
        what = f"the task was '{there.plan['task']}' and people have answered; it cannot become '{plan.task}'"
        raise ArgumentError(what, where=plan.name, remedy="make a new study with its own database")


def add_questions(db: Database, questions: Sequence[Question], *, now: datetime, by: str) -> int:
    """Ask more questions in a running study; those that are there under the same key get a new version if they differ.

    Returns:
        How many are new or changed.

    Raises:
        ArgumentError: a question does not fit the task.
    """
    with writing(db) as connection:
        _lock(db, connection)
        there = study_in(db, connection)
        for question in questions:
            faults = there.task.faults(question)
            if faults:
                raise ArgumentError(faults[0], where=f"question '{question.key}'", remedy="nothing was added")
        new = put_questions(connection, questions, there.plan, origin="api", now=now)
        record(connection, "questions_added", now=now, by=by, detail={"new_or_changed": new})
    return new


def set_state(db: Database, state: StudyState, *, now: datetime, by: str) -> StudyRecord:
    """Pause, resume or close the study. A closed one can be opened again; everything is recorded.

    A paused study deals no new work, and people may finish what they hold; a closed one takes no answer either.
    """
    if state not in ("open", "paused", "closed"):
        raise Conflict("state", f"no state '{state}'", remedy="open, paused or closed")
    with writing(db) as connection:
        before = study_in(db, connection).state
        if before != state:
            connection.execute(sa.update(study).values(state=state))
            record(connection, "study_state", now=now, by=by, detail={"from": before, "to": state})
        return study_in(db, connection)
