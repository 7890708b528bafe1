"""The SQLite files of the cache: connections, tables, and the size limit."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "ANSWERS",
    "VECTORS",
    "OtherVersionError",
    "Tables",
    "alone",
    "connect",
    "connect_to_read",
    "is_damage",
    "is_sound",
    "make_room",
    "size_of",
    "transaction",
]

_BUSY_SECONDS = 60
_SHORT_READ = 522
"""SQLITE_IOERR_SHORT_READ, which Python has no name for before 3.11.4: the file ends too early."""
_FULL_TO = 0.9
"""How full the cache is after old entries were deleted, so that this does not have to happen again at once."""


class Tables(NamedTuple):
    """The tables of a file.

    Attributes:
        statements: the SQL that creates the tables.
        last: the table that is created last; if it exists, all do.
        columns: the columns of each table.
        synchronous: SQLite's setting: NORMAL may lose the last transactions in a power failure, FULL loses none.
        version: of the tables and of what is in them. A file of an older version is emptied, unless the version is 0.
    """

    statements: str
    last: str
    columns: dict[str, str]
    synchronous: str
    version: int


class OtherVersionError(sqlite3.OperationalError):
    """The file was written by a newer version of Similitude."""


VECTORS = Tables(
    """
CREATE TABLE IF NOT EXISTS model (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entry (
    model INTEGER NOT NULL, text BLOB NOT NULL, row BLOB NOT NULL, checksum INTEGER NOT NULL, used INTEGER NOT NULL,
    PRIMARY KEY (model, text)
);
CREATE INDEX IF NOT EXISTS entry_used ON entry (used);
CREATE TABLE IF NOT EXISTS fact (question TEXT PRIMARY KEY, answer TEXT NOT NULL);
""",
    last="fact",
    columns={
        "model": "number, fingerprint, name",
        "entry": "model, text, row, checksum, used",
        "fact": "question, answer",
    },
    synchronous="NORMAL",
    version=2,
)

ANSWERS = Tables(
    """
CREATE TABLE IF NOT EXISTS answer (
    key TEXT PRIMARY KEY, text BLOB NOT NULL, checksum INTEGER NOT NULL, model TEXT NOT NULL, kept INTEGER NOT NULL
);
""",
    last="answer",
    columns={"answer": "key, text, checksum, model, kept"},
    synchronous="FULL",
    version=0,
)


@contextmanager
def connect(path: Path, tables: Tables = VECTORS) -> Iterator[sqlite3.Connection]:
    """A connection to a file that has our tables. Every process, and every use, opens its own.

    The write-ahead log lets others read during a write, and makes every transaction atomic if a process is killed.
    """
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute(f"PRAGMA synchronous = {tables.synchronous}")
        if not _is_ready(connection, tables):
            _make_tables(connection, tables)
        yield connection
    finally:
        connection.close()


@contextmanager
def connect_to_read(path: Path, tables: Tables = VECTORS) -> Iterator[sqlite3.Connection]:
    """A connection to a file that cannot be written; what is in its write-ahead log must be there to be read too.

    Raises:
        sqlite3.Error: it cannot be read either.
    """
    log = path.with_name(f"{path.name}-wal")
    way = "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True, isolation_level=None)
    try:
        if not _is_ready(connection, tables):
            raise OtherVersionError("it was written by another version of Similitude")
        yield connection
    finally:
        connection.close()


def _is_ready(connection: sqlite3.Connection, tables: Tables) -> bool:
    """Whether the file has our tables, in our version."""
    (there,) = connection.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = ?", (tables.last,)).fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > tables.version:
        raise OtherVersionError("it was written by a newer version of Similitude")
    return bool(there) and version == tables.version


def _make_tables(connection: sqlite3.Connection, tables: Tables) -> None:
    """Make the tables; those of an older version, whose rows are of no use, are dropped."""
    with transaction(connection):
        if _is_ready(connection, tables):
            return  # another process was faster
        for name in tables.columns if tables.version else ():
            connection.execute(f"DROP TABLE IF EXISTS {name}")
        for statement in tables.statements.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {tables.version}")
    connection.execute("PRAGMA incremental_vacuum").fetchall()


def is_damage(error: Exception) -> bool:
    """Whether the content of the file is to blame, not its place: no database, torn pages, or other tables."""
    if isinstance(error, TypeError | ValueError):
        return True  # a value of another type than was stored
    code = getattr(error, "sqlite_errorcode", 0)
    if not isinstance(error, sqlite3.DatabaseError) or isinstance(error, OtherVersionError):
        return False
    return not isinstance(error, sqlite3.OperationalError) or code in (sqlite3.SQLITE_ERROR, _SHORT_READ)


def is_sound(path: Path, tables: Tables) -> bool:
    """Whether the file can be opened, has our columns, and none of its pages is torn."""
    try:
        with connect(path, tables) as connection:
            for name, columns in tables.columns.items():
                connection.execute(f"SELECT {columns} FROM {name} LIMIT 0")
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError:
        return False


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Let one process in at a time, by locking an empty database beside a file, which works on every platform."""
    lock = path.with_suffix(".lock")
    with closing(sqlite3.connect(lock, timeout=_BUSY_SECONDS, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction: commit on success, roll back on error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # if the disk is full, SQLite has already rolled back
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def size_of(connection: sqlite3.Connection) -> int:
    """Bytes in use: the pages of the file except the free ones."""
    pages, free, size = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def make_room(connection: sqlite3.Connection, limit: int) -> None:
    """If the file exceeds its limit, delete the least recently used entries until there is room again."""
    if size_of(connection) <= limit:
        return
    while (size := size_of(connection)) > _FULL_TO * limit:
        (entries,) = connection.execute("SELECT COUNT(*) FROM entry").fetchone()
        if not entries:
            break
        doomed = max(1, int(entries * (1 - _FULL_TO * limit / size)))
        connection.execute(
            "DELETE FROM entry WHERE rowid IN (SELECT rowid FROM entry ORDER BY used, rowid LIMIT ?)", (doomed,)
        )
    connection.execute("PRAGMA incremental_vacuum").fetchall()
