"""The study as the database holds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.records import StudyState
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.refusals import NotThere
from similitude.collect.annotation.store.tables import study
from similitude.collect.annotation.tasks import AnnotationTask

__all__ = ["FACTS", "StudyRecord", "read_study", "study_in", "study_of"]

FACTS = (study.c.version, study.c.state.label("study_state"), study.c.salt, study.c.created.label("study_created"))
_FACTS = sa.select(*FACTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRecord:
    """The study as the database holds it. ``version`` counts changes of the plan."""

    plan: StudyPlan
    version: int
    state: StudyState
    task: AnnotationTask
    salt: str = field(repr=False)
    created: datetime


def read_study(db: Database) -> StudyRecord:
    """The study.

    Raises:
        NotThere: the database is empty.
    """
    with reading(db) as connection:
        return study_in(db, connection)


def study_in(db: Database, connection: sa.Connection) -> StudyRecord:
    """The study, in an open transaction.

    Raises:
        NotThere: the database is empty.
    """
    facts = connection.execute(_FACTS).one_or_none()
    if facts is None:
        raise NotThere("no_study", "the database holds no study", remedy="run `similitude annotate serve STUDY`")
    return study_of(db, connection, facts)


def study_of(db: Database, connection: sa.Connection, facts: Any) -> StudyRecord:
    """The study of a row that has `FACTS`; its plan is parsed once per version."""
    known = db.cache.get(facts.version)
    if known is None:
        plan = StudyPlan.model_validate(connection.execute(sa.select(study.c.plan)).scalar_one())
        known = (plan, plan.annotation_task())
        db.cache = {facts.version: known}
    plan, task = known
    return StudyRecord(
        plan=plan,
        version=facts.version,
        state=facts.study_state,
        task=task,
        salt=facts.salt,
        created=facts.study_created,
    )
