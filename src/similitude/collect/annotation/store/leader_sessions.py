"""The sessions of leaders: begun by a login, listed, and ended one by one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import Leader, LeaderSession
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.passwords import hashed, new_secret
from similitude.collect.annotation.store.refusals import NotThere
from similitude.collect.annotation.store.second_factor import fits_second_factor
from similitude.collect.annotation.store.tables import leader, leader_session

__all__ = [
    "end_other_sessions",
    "end_session",
    "leader_of_session",
    "leader_sessions",
    "log_out",
    "new_session",
    "pending_leader",
    "prove_session",
]

SESSION = timedelta(hours=12)
PROOF = timedelta(minutes=5)
"""How long a login may wait for its second factor."""
SEEN_EVERY = timedelta(minutes=5)
LONGEST_AGENT = 300
SHOWN = 16
"""Characters of a session's hash that name it on pages."""


def new_session(
    connection: sa.Connection, leader_id: int, name: str, *, now: datetime, agent: str = "", proven: bool = True
) -> str:
    """Start a session, in an open transaction: the secret for the leader's cookie.

    A session that is not ``proven`` waits for the second factor, and opens no page until then.
    """
    session = new_secret()
    connection.execute(sa.delete(leader_session).where(leader_session.c.expires <= now))
    made = {
        "token_hash": hashed(session),
        "leader_id": leader_id,
        "created": now,
        "seen": now,
        "expires": now + (SESSION if proven else PROOF),
        "agent": agent[:LONGEST_AGENT],
        "proven": proven,
    }
    connection.execute(sa.insert(leader_session).values(made))
    if proven:
        record(connection, "log_in", now=now, by=name)
    return session


def leader_of_session(db: Database, session: str, *, now: datetime) -> Leader | None:
    """The leader whose session this is; None if it is unknown, over, or waits for the second factor."""
    row = _found(db, session, now, proven=True)
    if row is None:
        return None
    if now - row.seen > SEEN_EVERY:
        with writing(db) as connection:
            mine = leader_session.c.token_hash == hashed(session)
            connection.execute(sa.update(leader_session).where(mine).values(seen=now))
    return Leader(row.id, row.name, row.admin)


def pending_leader(db: Database, session: str, *, now: datetime) -> Leader | None:
    """The leader whose login waits for the second factor."""
    row = _found(db, session, now, proven=False)
    return None if row is None else Leader(row.id, row.name, row.admin)


def prove_session(db: Database, session: str, code: str, *, now: datetime) -> str | None:
    """Replace a login that waits by a session, if the code is right; None if it is not."""
    who = pending_leader(db, session, now=now)
    if who is None:
        return None
    with writing(db) as connection:
        if not fits_second_factor(connection, who.id, code, now=now):
            record(connection, "second_factor_failed", now=now, by=who.name)
            return None
        waiting = connection.execute(sa.select(leader_session).where(_is(session))).one_or_none()
        if waiting is None:
            return None
        connection.execute(sa.delete(leader_session).where(_is(session)))
        return new_session(connection, who.id, who.name, now=now, agent=waiting.agent)


def leader_sessions(db: Database, leader_id: int, session: str, *, now: datetime) -> list[LeaderSession]:
    """The sessions of a leader, last seen first; ``here`` marks the given one."""
    mine = (leader_session.c.leader_id == leader_id) & (leader_session.c.expires > now) & leader_session.c.proven
    with reading(db) as connection:
        rows = connection.execute(sa.select(leader_session).where(mine).order_by(leader_session.c.seen.desc())).all()
    return [
        LeaderSession(
            id=row.token_hash[:SHOWN],
            agent=row.agent,
            created=row.created,
            seen=row.seen,
            expires=row.expires,
            here=row.token_hash == hashed(session),
        )
        for row in rows
    ]


def end_session(db: Database, who: Leader, session_id: str, *, now: datetime) -> None:
    """End one of a leader's own sessions.

    Raises:
        NotThere: there is no such session.
    """
    with writing(db) as connection:
        mine = sa.select(leader_session.c.token_hash).where(leader_session.c.leader_id == who.id)
        found = [each for each in connection.execute(mine).scalars() if each[:SHOWN] == session_id]
        if not found:
            raise NotThere("no_session_there", "no such session")
        connection.execute(sa.delete(leader_session).where(leader_session.c.token_hash.in_(found)))
        record(connection, "session_ended", now=now, by=who.name)


def end_other_sessions(db: Database, who: Leader, session: str, *, now: datetime) -> None:
    """End all sessions of a leader but this one."""
    with writing(db) as connection:
        others = (leader_session.c.leader_id == who.id) & ~_is(session)
        connection.execute(sa.delete(leader_session).where(others))
        record(connection, "sessions_ended", now=now, by=who.name)


def log_out(db: Database, session: str, *, now: datetime) -> None:
    """End a session."""
    with writing(db) as connection:
        connection.execute(sa.delete(leader_session).where(_is(session)))


def _is(session: str) -> sa.ColumnElement[bool]:
    return leader_session.c.token_hash == hashed(session)


def _found(db: Database, session: str, now: datetime, *, proven: bool) -> Any:
    query = (
        sa.select(leader.c.id, leader.c.name, leader.c.admin, leader_session.c.seen)
        .join(leader_session, leader_session.c.leader_id == leader.c.id)
        .where(_is(session), leader_session.c.expires > now, leader_session.c.proven.is_(proven))
    )
    with reading(db) as connection:
        return connection.execute(query).one_or_none()
