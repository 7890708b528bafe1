"""Annotators in the database: reading them, and changing their state."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.records import Annotator, AnnotatorState
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.passwords import completion_code
from similitude.collect.annotation.store.refusals import NotNow, NotThere
from similitude.collect.annotation.store.tables import annotator, pool_result

__all__ = [
    "MAY_WORK",
    "annotator_names",
    "by_pseudonym",
    "may_work",
    "of_row",
    "read_annotator",
    "set_annotator_state",
    "state_after",
]

MAY_WORK = ("training", "qualification", "active", "finished")
"""The states in which somebody may save and send answers; "finished": their last batch may still be open."""

_BY_ID = sa.select(annotator).where(annotator.c.id == sa.bindparam("who"))
_BY_ID_LOCKED = _BY_ID.with_for_update()

ENDED = ("finished", "stopped")
"""The states that come with a completion code."""


def of_row(row: Any) -> Annotator:
    """The record of an annotator."""
    facts = {each.name: getattr(row, each.name) for each in fields(Annotator)}
    reads = None if row.reads is None else tuple(row.reads)
    return Annotator(**{**facts, "platform": row.platform or {}, "reads": reads})


def read_annotator(connection: sa.Connection, annotator_id: int, *, lock: bool = False) -> Annotator:
    """The annotator with this id. ``lock`` keeps others from changing the row until the transaction ends.

    Raises:
        NotThere: there is no such annotator.
    """
    row = connection.execute(_BY_ID_LOCKED if lock else _BY_ID, {"who": annotator_id}).one_or_none()
    if row is None:
        raise NotThere("no_annotator", f"no annotator {annotator_id}")
    return of_row(row)


def by_pseudonym(connection: sa.Connection, pseudonym: str) -> Annotator:
    """The annotator with this pseudonym, locked.

    Raises:
        NotThere: there is no such annotator.
    """
    query = sa.select(annotator).where(annotator.c.pseudonym == pseudonym).with_for_update()
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotThere("no_annotator", f"no annotator '{pseudonym[:40]}'", remedy="look at the list of annotators")
    return of_row(row)


def annotator_names(db: Database) -> dict[str, str]:
    """The pseudonyms in this study by the codes of persons."""
    query = sa.select(annotator.c.person, annotator.c.pseudonym).where(annotator.c.person.is_not(None))
    with reading(db) as connection:
        return {row.person: row.pseudonym for row in connection.execute(query.order_by(annotator.c.id.desc())).all()}


def may_work(who: Annotator) -> None:
    """Check that an annotator may answer.

    Raises:
        NotNow: they have not consented, or may no longer work.
    """
    if who.state == "invited":
        raise NotNow("no_consent", "the annotator has not consented yet")
    if who.state not in MAY_WORK:
        raise NotNow("not_active", f"this annotator is {who.state}")


def state_after(connection: sa.Connection, plan: StudyPlan, who: Annotator, after: AnnotatorState) -> AnnotatorState:
    """The state after a part: training and qualification, if the plan has them, come before the work.

    Who passed the qualification in another study of its pool takes no second one.
    """
    stages: list[AnnotatorState] = ["invited", "training", "qualification", "active"]
    passed = sa.select(pool_result.c.passed).where(pool_result.c.annotator_id == who.id)
    tested = plan.qualification is not None and not connection.execute(passed).scalar_one_or_none()
    planned = {"training": plan.training is not None, "qualification": tested}
    rest = stages[stages.index(after) + 1 :]
    return next(stage for stage in rest if planned.get(stage, True))


def set_annotator_state(
    connection: sa.Connection, who: Annotator, state: AnnotatorState, *, now: datetime, reason: str | None = None
) -> Annotator:
    """Change an annotator's state. Those who are finished or stopped get a completion code."""
    changes: dict[str, Any] = {"state": state, "reason": reason, "seen": max(now, who.seen)}
    if state in ENDED and who.completion_code is None:
        changes["completion_code"] = completion_code()
    connection.execute(sa.update(annotator).where(annotator.c.id == who.id).values(changes))
    return read_annotator(connection, who.id)
