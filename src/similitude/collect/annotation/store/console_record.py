"""The console's own record: a server with many studies has one database for leaders, beside those of the studies."""

from __future__ import annotations

import secrets
from datetime import datetime

import sqlalchemy as sa

from similitude.collect.annotation.store.database import Database, writing
from similitude.collect.annotation.store.study_record import study_in
from similitude.collect.annotation.store.tables import console

__all__ = ["make_console", "salt_in"]

CONSOLE_LOCK = 7_302_511_045


def make_console(db: Database, *, now: datetime) -> None:
    """Make this database that of a console, once; several workers may do so at the same time."""
    with writing(db) as connection:
        if db.dialect == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:number)"), {"number": CONSOLE_LOCK})
        if connection.execute(sa.select(console.c.id)).first() is None:
            connection.execute(sa.insert(console).values(id=1, salt=secrets.token_hex(32), created=now))


def salt_in(db: Database, connection: sa.Connection) -> str:
    """The salt for the hashes of names and addresses: the console's, or that of a study which is served alone."""
    found = connection.execute(sa.select(console.c.salt)).scalar_one_or_none()
    return str(found) if found is not None else study_in(db, connection).salt
