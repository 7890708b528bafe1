"""Attempts that are counted over all workers: logins that failed, and how often one may try again."""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa

from similitude.collect.annotation.store.console_record import salt_in
from similitude.collect.annotation.store.database import Database, writing
from similitude.collect.annotation.store.passwords import salted
from similitude.collect.annotation.store.tables import attempt

__all__ = ["allowed", "count_failure", "seconds_to_wait"]

FAILED = "login failed"
SLOWLY = "login slowly"


def allowed(db: Database, action: str, who: str, *, limit: int, seconds: float, now: datetime) -> bool:
    """Whether another attempt is allowed: at most ``limit`` in this many seconds, over all workers.

    An allowed attempt is counted, a refused one is not. ``who`` (an address, a name) is kept as a salted hash, and
    deleted when it no longer matters.
    """
    with writing(db) as connection:
        if _counted(db, connection, action, who, seconds, now) >= limit:
            return False
        _count(db, connection, action, who, now)
        return True


def seconds_to_wait(
    db: Database, name: str, address: str, *, limit: int, window: float, pause: float, now: datetime
) -> float:
    """How long a login must wait before its password is looked at; 0 for no time.

    Only failures count: ``limit`` of them in ``window`` seconds for a name, or from an address. Beyond that a password
    for this name from this address is looked at every ``pause`` seconds. So guessing is slow, and yet nobody can lock
    out somebody who knows the password: guesses from elsewhere do not use up their turn.
    """
    with writing(db) as connection:
        failures = [_counted(db, connection, FAILED, who, window, now) for who in _keys(name, address)]
        if max(failures) < limit:
            return 0.0
        turn = f"{address}\n{name}"
        if _counted(db, connection, SLOWLY, turn, pause, now):
            return pause
        _count(db, connection, SLOWLY, turn, now)
        return 0.0


def count_failure(db: Database, name: str, address: str, *, now: datetime) -> None:
    """Count a login that failed, for its name and for its address."""
    with writing(db) as connection:
        for who in _keys(name, address):
            _count(db, connection, FAILED, who, now)


def _keys(name: str, address: str) -> tuple[str, str]:
    return f"name {name}", f"address {address}"


def _counted(db: Database, connection: sa.Connection, action: str, who: str, seconds: float, now: datetime) -> int:
    """How many attempts there were; those that no longer matter are deleted."""
    since = now - timedelta(seconds=seconds)
    # A clock that was set back must not keep somebody out for long: tries "in the future" do not count.
    old = (attempt.c.action == action) & ((attempt.c.at <= since) | (attempt.c.at > now + timedelta(seconds=60)))
    connection.execute(sa.delete(attempt).where(old))
    mine = (attempt.c.action == action) & (attempt.c.who_hash == salted(salt_in(db, connection), action, who))
    return int(connection.execute(sa.select(sa.func.count()).select_from(attempt).where(mine)).scalar_one())


def _count(db: Database, connection: sa.Connection, action: str, who: str, now: datetime) -> None:
    row = {"action": action, "who_hash": salted(salt_in(db, connection), action, who), "at": now}
    connection.execute(sa.insert(attempt).values(row))
