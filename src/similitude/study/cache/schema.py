"""The SQLite file of the cache: its tables, and how it is kept within its limit."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["connect", "make_room", "size_of"]

_BUSY_SECONDS = 60
_FULL_TO = 0.9
"""How full the cache is left when it had to make room, so that it does not have to again at once."""

_TABLES = """
CREATE TABLE IF NOT EXISTS model (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entry (
    model INTEGER NOT NULL, text BLOB NOT NULL, row BLOB NOT NULL, checksum INTEGER NOT NULL, used INTEGER NOT NULL,
    PRIMARY KEY (model, text)
);
CREATE INDEX IF NOT EXISTS entry_used ON entry (used);
CREATE TABLE IF NOT EXISTS fact (question TEXT PRIMARY KEY, answer TEXT NOT NULL);
"""


@contextmanager
def connect(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection with our tables, closed at the end. Each process, and each use, has its own.

    The write-ahead log lets others read while one writes, and makes every transaction whole or undone after a kill.
    """
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL")
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'fact'").fetchone():
            connection.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")
        yield connection
    finally:
        connection.close()


def size_of(connection: sqlite3.Connection) -> int:
    """Bytes in use: the file's pages, less the free ones."""
    pages, free, size = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def make_room(connection: sqlite3.Connection, limit: int) -> None:
    """Drop the entries not used for longest, if the limit is passed, until there is some room again."""
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
