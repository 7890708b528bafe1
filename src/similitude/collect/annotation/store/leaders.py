"""Leaders and their passwords (argon2)."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

import argon2
import sqlalchemy as sa

from similitude.collect.annotation.records import Leader, LoggedIn
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.leader_sessions import new_session
from similitude.collect.annotation.store.passwords import hashed
from similitude.collect.annotation.store.refusals import Conflict, NotThere
from similitude.collect.annotation.store.tables import leader, leader_session
from similitude.errors import ArgumentError

__all__ = [
    "add_leader",
    "change_password",
    "is_password",
    "leader_row",
    "leaders",
    "log_in",
    "new_leader",
    "password_hash",
    "remove_leader",
    "set_password",
]

SHORTEST_PASSWORD, LONGEST_PASSWORD, LONGEST_NAME = 12, 1000, 100

_hasher = argon2.PasswordHasher()


def add_leader(db: Database, name: str, password: str, *, now: datetime, by: str, admin: bool = False) -> Leader:
    """Add a leader of the study, or of studies; an ``admin`` leads all studies of a server.

    Raises:
        ArgumentError: the password is too short, or the name is empty.
        Conflict: the name is taken.
    """
    kept = password_hash(name, password)
    with writing(db) as connection:
        return new_leader(connection, name, kept, admin=admin, now=now, by=by)


def new_leader(connection: sa.Connection, name: str, kept: str, *, admin: bool, now: datetime, by: str) -> Leader:
    """Add a leader, in an open transaction.

    Raises:
        Conflict: the name is taken.
    """
    if _row(connection, name) is not None:
        raise Conflict("name_taken", f"a leader '{name}' already exists")
    row = {"name": name, "password_hash": kept, "created": now, "admin": admin}
    made = connection.execute(sa.insert(leader).values(row).returning(leader.c.id)).scalar_one()
    record(connection, "leader_added", now=now, by=by, subject=name)
    return Leader(made, name, admin)


def set_password(db: Database, name: str, password: str, *, now: datetime, by: str) -> None:
    """Set a new password for a leader; their sessions end, and their second factor is removed.

    Raises:
        ArgumentError: the password is too short.
        NotThere: there is no such leader.
    """
    kept = password_hash(name, password)
    with writing(db) as connection:
        row = leader_row(connection, name)
        reset = {"password_hash": kept, **dict.fromkeys(("totp_key", "totp_waiting", "totp_step", "recovery"))}
        connection.execute(sa.update(leader).where(leader.c.id == row.id).values(reset))
        connection.execute(sa.delete(leader_session).where(leader_session.c.leader_id == row.id))
        record(connection, "password_set", now=now, by=by, subject=name)


def change_password(db: Database, name: str, old: str, new: str, session: str, *, now: datetime) -> bool:
    """Let a leader change their own password; their other sessions end. False if the old one is wrong.

    Raises:
        ArgumentError: the new password is too short.
    """
    kept = password_hash(name, new)
    if not is_password(db, name, old):
        return False
    with writing(db) as connection:
        row = leader_row(connection, name)
        connection.execute(sa.update(leader).where(leader.c.id == row.id).values(password_hash=kept))
        others = (leader_session.c.leader_id == row.id) & (leader_session.c.token_hash != hashed(session))
        connection.execute(sa.delete(leader_session).where(others))
        record(connection, "password_set", now=now, by=name, subject=name)
    return True


def is_password(db: Database, name: str, password: str) -> bool:
    """Whether this is the leader's password."""
    with reading(db) as connection:
        row = leader_row(connection, name)
    return _fits(row.password_hash, password)


def remove_leader(db: Database, name: str, *, now: datetime, by: str) -> None:
    """Remove a leader; their sessions and tokens end.

    Raises:
        NotThere: there is no such leader.
    """
    with writing(db) as connection:
        row = leader_row(connection, name)
        connection.execute(sa.delete(leader).where(leader.c.id == row.id))
        record(connection, "leader_removed", now=now, by=by, subject=name)


def leaders(db: Database) -> list[Leader]:
    """All leaders, sorted by name."""
    with reading(db) as connection:
        rows = connection.execute(sa.select(leader.c.id, leader.c.name, leader.c.admin).order_by(leader.c.name)).all()
    return [Leader(*row) for row in rows]


def log_in(db: Database, name: str, password: str, *, now: datetime, agent: str = "") -> LoggedIn | None:
    """Start a session for a leader; None if name or password is wrong.

    Args:
        db: the database of leaders.
        name: their name.
        password: their password.
        now: the time.
        agent: what their browser calls itself, for the list of sessions.
    """
    with reading(db) as connection:
        row = _row(connection, name)
    fits = _fits(_nobodys_hash() if row is None else row.password_hash, password)
    if row is None or not fits:
        with writing(db) as connection:  # the name is not written down: people type passwords into that field
            record(connection, "log_in_failed", now=now, by="unknown")
        return None
    proven = row.totp_key is None
    with writing(db) as connection:
        return LoggedIn(new_session(connection, row.id, name, now=now, agent=agent, proven=proven), proven)


def password_hash(name: str, password: str) -> str:
    """The hash that is kept of a new password.

    Raises:
        ArgumentError: the password is too short, or the name is empty.
    """
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise ArgumentError("a leader needs a name", remedy=f"one line of at most {LONGEST_NAME} characters")
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        what = f"the password has {len(password)} characters"
        raise ArgumentError(what, remedy=f"use {SHORTEST_PASSWORD} to {LONGEST_PASSWORD}")
    return _hasher.hash(password)


@cache
def _nobodys_hash() -> str:
    """A hash that is checked for unknown names, so that they take as long as wrong passwords."""
    return _hasher.hash("a password that nobody has")


def _fits(kept: str, password: str) -> bool:
    if len(password) > LONGEST_PASSWORD:
        return False
    try:
        return _hasher.verify(kept, password.encode("utf-8", "surrogatepass"))
    except argon2.exceptions.VerifyMismatchError:
        return False


def _row(connection: sa.Connection, name: str) -> Any:
    return connection.execute(sa.select(leader).where(leader.c.name == name)).one_or_none()


def leader_row(connection: sa.Connection, name: str) -> Any:
    """The row of a leader.

    Raises:
        NotThere: there is no such leader.
    """
    row = _row(connection, name)
    if row is None:
        raise NotThere(
            "no_leader", f"no leader '{name[:40]}'", remedy="run `similitude annotate leader STUDY` to list them"
        )
    return row
