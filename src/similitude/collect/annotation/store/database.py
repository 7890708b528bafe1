"""The database: SQLite or PostgreSQL, with durable commits and errors that name the remedy."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import exc, pool

from similitude.collect.annotation.store.group_commit import Gate, GroupCommit
from similitude.collect.annotation.store.refusals import StorageFull, StoreUnavailable, Unacceptable
from similitude.errors import ArgumentError, MissingExtraError

__all__ = ["Database", "SchemaDatabase", "connect", "ping", "reading", "translated", "writing"]

BUSY_SECONDS = 30.0
CONNECTIONS = 16
"""To PostgreSQL, of one worker: more would wait for each other there instead of here."""
SQLITE_SETTINGS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # a commit returns after fsync: an acknowledged answer survives a power cut
    f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}",
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",
)
POSTGRESQL_SETTINGS = (
    "SET synchronous_commit = on",
    f"SET lock_timeout = '{int(BUSY_SECONDS)}s'",
    "SET idle_in_transaction_session_timeout = '5min'",
)
DAMAGED = ("file is not a database", "disk image is malformed")
SCHEMA_LOCK = 7_302_511_046
FULL = ("database or disk is full", "No space left on device", "could not extend file", "disk full")


class Database:
    """An open database, safe to share among threads. ``cache`` keeps the parsed plan of the last version seen."""

    def __init__(self, engine: sa.Engine, *, path: Path | None, schema: str | None = None, gate: Any = None) -> None:
        """Take the file's path for SQLite; None for PostgreSQL.

        Databases that are schemas of one PostgreSQL database share its ``engine`` and its ``gate``.
        """
        self.engine = engine
        self.path = path
        self._file = None if path is None else path.stat().st_ino
        self.schema = schema
        self.cache: dict[int, Any] = {}
        self._group = GroupCommit(self._begin, _busy)
        own: AbstractContextManager[None] = nullcontext() if path is not None else Gate(CONNECTIONS, _busy)
        self._gate: AbstractContextManager[None] = own if gate is None else gate

    def __repr__(self) -> str:
        return f"<Database {self.path or self.engine.url.render_as_string(hide_password=True)}>"

    @property
    def dialect(self) -> str:
        """Either "sqlite" or "postgresql"."""
        return self.engine.dialect.name

    @property
    def is_there(self) -> bool:
        """Whether the file is still the one that was opened; connections to one that was removed see a ghost."""
        try:
            return self.path is None or self.path.stat().st_ino == self._file
        except FileNotFoundError:
            return False

    def close(self) -> None:
        """Close all connections; those of a schema belong to the others too and stay."""
        if self.schema is None:
            self.engine.dispose()

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[sa.Connection]:
        """A transaction; see `writing` and `reading`."""
        if writes and self.path is not None:
            with self._group.writing() as connection:
                yield connection
            return
        options: dict[str, Any] = {} if writes or self.path is not None else {"isolation_level": "REPEATABLE READ"}
        with self._gate, self.engine.connect() as connection:
            if self.schema is not None:
                _enter_schema(connection, self.schema)
            with connection.execution_options(**options).begin():
                yield connection

    def _begin(self) -> sa.Connection:
        connection = self.engine.connect().execution_options(writes=True)
        try:
            connection.begin()
        except BaseException:
            connection.close()
            raise
        return connection


class SchemaDatabase:
    """A PostgreSQL database whose schemas are databases of their own; they share its connections."""

    def __init__(self, url: str) -> None:
        self.engine = _postgresql(url)
        self._gate = Gate(CONNECTIONS, _busy)

    def schema(self, name: str, *, create: bool = True) -> Database:
        """One schema, as a database.

        Raises:
            ArgumentError: there is no such schema, and ``create`` is false.
            StoreUnavailable: the database cannot be reached.
        """
        with translated(), self._gate, self.engine.connect() as connection, connection.begin():
            if create:
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(:number)"), {"number": SCHEMA_LOCK})
                connection.execute(sa.schema.CreateSchema(name, if_not_exists=True))
            elif not sa.inspect(connection).has_schema(name):
                raise ArgumentError(f"no schema '{name}'", remedy="run `similitude annotate serve FOLDER` first")
        return Database(self.engine, path=None, schema=name, gate=self._gate)

    def has(self, name: str) -> bool:
        """Whether there is a schema of this name.

        Raises:
            StoreUnavailable: the database cannot be reached.
        """
        with translated(), self._gate, self.engine.connect() as connection:
            return bool(sa.inspect(connection).has_schema(name))

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def _enter_schema(connection: sa.Connection, name: str) -> None:
    """Make a connection see one schema alone. It stays there until it is used for another one."""
    if connection.info.get("schema") == name:
        return
    raw: Any = connection.connection.dbapi_connection
    with raw.cursor() as cursor:
        cursor.execute("SELECT set_config('search_path', %s, false)", (f'"{name}"',))
    raw.commit()  # else a rollback would undo it
    connection.info["schema"] = name


def _busy() -> StoreUnavailable:
    return StoreUnavailable("the database is busy")


def connect(url: str | Path, *, create: bool = True) -> Database:
    """Open a database by URL (``postgresql://...``, ``sqlite:///study.db``) or by the path of a SQLite file.

    Raises:
        ArgumentError: no such kind of database, or no such folder.
    """
    written = str(url)
    if written.startswith(("postgresql", "postgres")):
        return Database(_postgresql(written), path=None)
    if "://" in written and not written.startswith("sqlite:///"):
        kind = written.split("://")[0]
        raise ArgumentError(f"no database of kind '{kind}'", remedy="use a file name or postgresql://...")
    path = Path(written.removeprefix("sqlite:///")).absolute()
    if not path.parent.is_dir():
        raise ArgumentError("its folder does not exist", where=str(path), remedy=f"make {path.parent} first")
    if not path.exists() and not create:
        raise ArgumentError("no such database", where=str(path), remedy="run `similitude annotate serve` first")
    path.touch(mode=0o600)
    return Database(_sqlite(path), path=path)


def _postgresql(written: str) -> sa.Engine:
    if find_spec("psycopg") is None:
        raise MissingExtraError("psycopg, for PostgreSQL,", "annotate")
    parsed = sa.make_url(written).set(drivername="postgresql+psycopg")
    engine = sa.create_engine(
        parsed,
        pool_size=CONNECTIONS,
        max_overflow=4,
        pool_timeout=BUSY_SECONDS,
        pool_pre_ping=True,
        json_serializer=_json,
    )

    @sa.event.listens_for(engine, "connect")
    def _settings(connection: Any, _: Any) -> None:
        with connection.cursor() as cursor:
            for setting in POSTGRESQL_SETTINGS:
                cursor.execute(setting)
        connection.commit()

    return engine


def _sqlite(path: Path) -> sa.Engine:
    def connection() -> sqlite3.Connection:
        # mode=rw: a file that has gone is an error, not a new and empty database.
        address = f"file:{quote(str(path))}?mode=rw"
        made = sqlite3.connect(address, uri=True, check_same_thread=False, timeout=BUSY_SECONDS)
        made.isolation_level = None  # transactions begin where we say so, not where the driver guesses
        return made

    engine = sa.create_engine(
        "sqlite://",
        creator=connection,
        poolclass=pool.QueuePool,
        pool_size=10,
        max_overflow=60,
        pool_timeout=BUSY_SECONDS,
        json_serializer=_json,
    )

    @sa.event.listens_for(engine, "connect")
    def _settings(connection: sqlite3.Connection, record: Any) -> None:
        for setting in SQLITE_SETTINGS:
            connection.execute(setting)
        record.info["file"] = _identity(path)

    @sa.event.listens_for(engine, "checkout")
    def _same_file(connection: Any, record: Any, _: Any) -> None:
        # Writing on into a file that was moved away or deleted would lose answers that we acknowledge.
        if record.info.get("file") != _identity(path):
            raise exc.DisconnectionError("the database file was replaced")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


@contextmanager
def writing(db: Database) -> Iterator[sa.Connection]:
    """A transaction that may write: on disk when it ends, undone when it raises.

    Raises:
        StoreUnavailable: the database cannot be reached or stays busy; nothing was written.
        StorageFull: the disk is full.
    """
    with translated(), db.transaction(writes=True) as connection:
        yield connection


@contextmanager
def reading(db: Database) -> Iterator[sa.Connection]:
    """A transaction that sees the database at one moment.

    Raises:
        StoreUnavailable: the database cannot be reached.
    """
    with translated(), db.transaction(writes=False) as connection:
        yield connection


def ping(db: Database) -> None:
    """Check that the database answers.

    Raises:
        StoreUnavailable: it does not.
    """
    with reading(db) as connection:
        connection.execute(sa.text("SELECT 1"))


@contextmanager
def translated() -> Iterator[None]:
    """Errors of the driver as refusals of the store."""
    try:
        yield
    except exc.IntegrityError:
        raise
    except exc.DataError as error:
        raise Unacceptable() from error
    except (exc.OperationalError, exc.InterfaceError, exc.InternalError, exc.TimeoutError) as error:
        raise _refusal(error) from error
    except exc.DBAPIError as error:
        if not error.connection_invalidated and not any(said in str(error.orig) for said in DAMAGED):
            raise
        raise _refusal(error) from error
    except (sqlite3.OperationalError, sqlite3.DatabaseError, exc.DisconnectionError) as error:
        raise _refusal(error) from error
    except (OverflowError, UnicodeEncodeError) as error:
        raise Unacceptable() from error


def _refusal(error: Exception) -> StoreUnavailable:
    # The text of the driver alone: SQLAlchemy's holds the statement with its parameters, which are people's answers.
    cause = getattr(error, "orig", None) or error
    what = str(cause).strip().splitlines()[0] if str(cause).strip() else type(cause).__name__
    if any(said in what for said in FULL):
        return StorageFull(f"no room in the database: {what}")
    return StoreUnavailable(f"the database cannot be used now: {what}")
