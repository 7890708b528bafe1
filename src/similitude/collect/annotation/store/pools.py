"""Qualification pools: who passed or failed in one study is known to all studies that share the pool.

A result is written in the study's database, in the transaction that decides it, and then delivered to the console's
database. What a dead process did not deliver, the next delivery does.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.persons import Recognised
from similitude.collect.annotation.store.refusals import NotAdmitted, NotThere
from similitude.collect.annotation.store.study_record import study_in
from similitude.collect.annotation.store.tables import annotator, person, pool_member, pool_result
from similitude.errors import ArgumentError

__all__ = [
    "PoolMember",
    "check_pools",
    "deliver_results",
    "note_result",
    "pool_members",
    "set_pool_member",
]

PoolState = Literal["passed", "failed", "removed"]


class PoolMember(NamedTuple):
    """Somebody in a pool. ``study`` is where it was decided; ``by`` is a leader, or "rule" for a threshold."""

    person: str
    state: PoolState
    study: str
    by: str
    why: str
    at: datetime


def check_pools(registry: Database, plan: StudyPlan, who: Recognised) -> bool:
    """Whether somebody has passed the qualification of a study's pool, so that they take no test.

    Raises:
        NotAdmitted: they failed it before, or the study is for members of a pool and they are none.
    """
    needed = plan.access.pool
    shared = plan.qualification.pool if plan.qualification is not None else None
    if needed is None and shared is None:
        return False
    with reading(registry) as connection:
        if needed is not None and _state(connection, needed, who) != "passed":
            raise NotAdmitted("not_in_pool", f"this study is for people in the pool '{needed}'")
        found = None if shared is None else _state(connection, shared, who)
    if found in ("failed", "removed"):
        raise NotAdmitted("pool_failed", f"this person did not pass the qualification of '{shared}'")
    return found == "passed"


def _state(connection: sa.Connection, pool: str, who: Recognised) -> str | None:
    """What a pool says of somebody. Who failed under another name in this browser has failed, unless they passed."""
    query = sa.select(pool_member.c.person_code, pool_member.c.state)
    query = query.where(pool_member.c.pool == pool, pool_member.c.person_code.in_(who.all))
    states = {row.person_code: str(row.state) for row in connection.execute(query).all()}
    if who.person in states:
        return states[who.person]
    return "failed" if "failed" in states.values() else None


def note_result(
    connection: sa.Connection, annotator_id: int, *, passed: bool, by: str, now: datetime, delivered: bool = False
) -> None:
    """Write a result into the study's database, in the transaction that decides it.

    Args:
        connection: of the study's database.
        annotator_id: whose result.
        passed: the result.
        by: who decided.
        now: the time.
        delivered: whether the pool has it already, because it was read there.
    """
    mine = pool_result.c.annotator_id == annotator_id
    values = {"passed": passed, "by": by, "at": now, "delivered": delivered}
    if not connection.execute(sa.update(pool_result).where(mine).values(values)).rowcount:
        connection.execute(sa.insert(pool_result).values(annotator_id=annotator_id, **values))


def deliver_results(db: Database, registry: Database, *, now: datetime) -> int:
    """Deliver the results of a study to its pool; returns how many were new."""
    with reading(db) as connection:
        there = study_in(db, connection)
        query = (
            sa.select(pool_result, annotator.c.person)
            .join(annotator, annotator.c.id == pool_result.c.annotator_id)
            .where(~pool_result.c.delivered, annotator.c.person.is_not(None))
        )
        rows = connection.execute(query).all()
    qualification = there.plan.qualification
    if not rows or qualification is None or qualification.pool is None:
        return 0
    with writing(registry) as connection:
        for row in rows:
            state: PoolState = "passed" if row.passed else "failed"
            member = PoolMember(row.person, state, there.plan.name, row.by, "", row.at)
            _put(connection, qualification.pool, member, now)
    with writing(db) as connection:
        done = sa.update(pool_result).where(pool_result.c.annotator_id.in_([row.annotator_id for row in rows]))
        connection.execute(done.values(delivered=True))
    return len(rows)


def _put(connection: sa.Connection, pool: str, member: PoolMember, now: datetime) -> None:
    """Write a member unless the pool holds a newer decision on them."""
    mine = (pool_member.c.pool == pool) & (pool_member.c.person_code == member.person)
    before = connection.execute(sa.select(pool_member.c.at).where(mine).with_for_update()).scalar_one_or_none()
    values = {"state": member.state, "study": member.study, "by": member.by, "why": member.why, "at": member.at}
    if before is None:
        connection.execute(sa.insert(pool_member).values(pool=pool, person_code=member.person, **values))
    elif before < member.at:
        connection.execute(sa.update(pool_member).where(mine).values(values))
    else:
        return
    detail = {"pool": pool, "state": member.state, "study": member.study, "why": member.why}
    record(connection, "pool", now=now, by=member.by, subject=member.person, detail=detail)


def set_pool_member(
    registry: Database, pool: str, code: str, *, state: PoolState, study: str, why: str, now: datetime, by: str
) -> None:
    """Add somebody to a pool, or remove them; a leader gives the reason, and it is logged.

    Raises:
        NotThere: there is no such person.
        ArgumentError: there is no reason.
    """
    if not why.strip():
        raise ArgumentError("a change of a pool without a reason", remedy="say why")
    with writing(registry) as connection:
        if connection.execute(sa.select(person.c.code).where(person.c.code == code)).first() is None:
            raise NotThere("no_person", f"no person '{code[:40]}'", remedy="look at the annotators")
        _put(connection, pool, PoolMember(code, state, study, by, why.strip(), now), now)


def pool_members(registry: Database, pool: str) -> Sequence[PoolMember]:
    """Everyone in a pool, newest first, also those who failed or were removed."""
    query = sa.select(pool_member).where(pool_member.c.pool == pool)
    with reading(registry) as connection:
        rows: Sequence[Any] = connection.execute(query.order_by(pool_member.c.at.desc())).all()
    return [PoolMember(row.person_code, row.state, row.study, row.by, row.why, row.at) for row in rows]
