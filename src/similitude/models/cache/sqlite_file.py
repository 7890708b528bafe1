"""The SQLite files of the cache: connections, tables, and the size limit."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

__all__ = ["ANSWERS", "VECTORS", "Tables", "connect", "make_room", "size_of", "transaction"]

_BUSY_SECONDS = 60
_FULL_TO = 0.9
"""How full the cache is after old entries were deleted, so that this does not have to happen again at once."""


class Tables(NamedTuple):
    """The tables of a file.

    Attributes:
        statements: the SQL that creates the tables.
        last: the table that is created last; if it exists, all do.
        synchronous: SQLite's setting: NORMAL may lose the last transactions in a power failure, FULL loses none.
    """

    statements: str
    last: str
    synchronous: str


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
    synchronous="NORMAL",
)

ANSWERS = Tables(
    """
CREATE TABLE IF NOT EXISTS answer (
    key TEXT PRIMARY KEY, text BLOB NOT NULL, checksum INTEGER NOT NULL, model TEXT NOT NULL, kept INTEGER NOT NULL
);
""",
    last="answer",
    synchronous="FULL",
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
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (tables.last,)).fetchone():
            connection.executescript(f"BEGIN IMMEDIATE; {tables.statements} COMMIT;")
        yield connection
    finally:
        connection.close()


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
