"""Upgrades of the tables to the newest schema, with Alembic and without an ini file."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError

from similitude.collect.annotation.store.database import Database, connect, writing
from similitude.errors import ArgumentError

__all__ = ["migrate", "open_database"]

ONE_AT_A_TIME = threading.Lock()
"""Alembic keeps the migration that runs in a global variable, so threads take turns."""
LOCK = 7_302_511_043
"""An arbitrary number that names our migrations among PostgreSQL's advisory locks."""


def open_database(url: str | Path, *, migrate: bool = True, create: bool = True) -> Database:
    """Open a database and upgrade its tables.

    Args:
        url: a path or ``sqlite:///path`` for SQLite, ``postgresql://user@host/name`` for PostgreSQL.
        migrate: False leaves the tables as they are.
        create: whether to make a missing SQLite file; else it is an error.

    Raises:
        ArgumentError: the kind of database is unknown, or a newer version of Similitude made it.
        StoreUnavailable: the database cannot be reached.
    """
    db = connect(url, create=create)
    try:
        if migrate:
            _migrate(db)
    except BaseException:
        db.close()
        raise
    return db


def migrate(db: Database, revision: str = "head") -> None:
    """Run the migrations that this database has not seen; several workers may start at once."""
    location = Path(__file__).parent / "migrations"
    config = Config()
    config.set_main_option("script_location", str(location).replace("%", "%%"))
    config.set_main_option("version_path_separator", "os")
    script = ScriptDirectory(str(location))

    def steps(current: Any, _: Any) -> Iterable[Any]:
        return script._upgrade_revs(revision, current)

    with ONE_AT_A_TIME, writing(db) as connection, EnvironmentContext(config, script, fn=steps) as environment:
        if db.dialect == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK})
        environment.configure(connection=connection, transactional_ddl=True, transaction_per_migration=False)
        try:
            environment.run_migrations()
        except CommandError as error:
            what = f"the database was made by another version of Similitude ({error})"
            raise ArgumentError(what, remedy="use that version, or a newer one") from None


_migrate = migrate
