"""Vectors in one SQLite file, safe for several processes at once and intact after any of them is killed.

An entry is addressed by the model's fingerprint and a hash of the text. Each has a checksum over both and over the row;
an entry whose checksum is wrong is deleted, computed again, and reported. When the file exceeds its limit, the least
recently used entries are deleted.

A cache must never make an evaluation fail. If the disk is full or the file is not writable, its entries are still read,
work continues without storing more, and one note says so. An unreadable file is renamed, and one note says so.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.protocols import ModelKey
from similitude.models.cache.sqlite_file import (
    VECTORS,
    alone,
    connect,
    connect_to_read,
    is_damage,
    is_sound,
    make_room,
    transaction,
)
from similitude.models.cache.store import Store

__all__ = ["KeptModel", "VectorStore"]

Row = NDArray[np.float32]
T = TypeVar("T")

_TEXTS_PER_QUERY = 1000
_TOUCH_AFTER = 3600
"""A use is recorded again after this many seconds: LRU to the hour, without one write per read."""


class KeptModel(NamedTuple):
    """The cached vectors of one model.

    Attributes:
        name: the model's name, for display.
        fingerprint: a hash of its files and settings.
        entries: the number of texts.
        size: the size of their vectors in bytes.
        used: when one of them was last used, in seconds since 1970.
    """

    name: str
    fingerprint: str
    entries: int
    size: int
    used: float


@dataclass(frozen=True)
class VectorStore(Store):
    """A `similitude.data.protocols.VectorCache` in one file.

    Attributes:
        limit: maximum size in bytes.
    """

    limit: int = 5_000_000_000

    def get(self, model: ModelKey, texts: Sequence[str]) -> list[Row | None]:
        """The row of each text; None if there is none or if it is damaged."""
        addresses = [_address(text) for text in texts]
        found = self._look(lambda connection: _found(connection, model, addresses), _Found({}, [], []))
        if found.stale or found.damaged:
            self._use(lambda connection: _tidy(connection, found), None)
        if found.damaged:
            count = f"{len(found.damaged):,} damaged entries"
            self.note(f"{count} of the cache ({self.path}) were deleted and will be computed again")
        return [found.rows.get(address) for address in addresses]

    def put(self, model: ModelKey, texts: Sequence[str], rows: Row) -> None:
        """Store one row per text: all of them or, if the process is killed, none."""
        now = int(time.time())
        entries = [_entry(model, _address(text), row, now) for text, row in zip(texts, rows, strict=True)]

        def insert(connection: sqlite3.Connection) -> None:
            with transaction(connection):
                number = _model_number(connection, model, add=True)
                connection.executemany(f"INSERT OR REPLACE INTO entry VALUES ({number}, ?, ?, ?, ?)", entries)
            make_room(connection, self.limit)

        self._use(insert, None)

    def recall(self, question: str) -> str | None:
        """The stored answer to a question; None if unknown."""
        select = "SELECT answer FROM fact WHERE question = ?"
        found = self._look(lambda connection: connection.execute(select, (question,)).fetchone(), None)
        return None if found is None else str(found[0])

    def remember(self, question: str, answer: str) -> None:
        """Store the answer to a question."""
        insert = "INSERT OR REPLACE INTO fact VALUES (?, ?)"
        self._use(lambda connection: connection.execute(insert, (question, answer)), None)

    def models(self) -> list[KeptModel]:
        """The cached vectors by model, the most recently used first."""
        select = (
            "SELECT name, fingerprint, COUNT(*), SUM(LENGTH(row)), MAX(used)"
            " FROM entry JOIN model ON entry.model = model.number GROUP BY number ORDER BY MAX(used) DESC, name"
        )
        nothing: list[tuple[str, str, int, int, float]] = []
        lines = self._look(lambda connection: connection.execute(select).fetchall(), nothing)
        return [KeptModel(*line) for line in lines]

    def clear(self, fingerprints: Sequence[str] | None = None) -> int:
        """Delete the entries of these models, or everything; return how many entries were deleted."""
        doomed = [kept for kept in self.models() if fingerprints is None or kept.fingerprint in fingerprints]
        chosen = "(SELECT number FROM model WHERE fingerprint = ?)"

        def delete(connection: sqlite3.Connection) -> int:
            with transaction(connection):
                for kept in doomed:
                    connection.execute(f"DELETE FROM entry WHERE model = {chosen}", (kept.fingerprint,))
                if fingerprints is None:
                    connection.execute("DELETE FROM fact")
            connection.execute("PRAGMA incremental_vacuum").fetchall()
            return sum(kept.entries for kept in doomed)

        return self._look(delete, 0)

    def _look(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run work that reads, if the file exists; a file that cannot be written is enough for it."""
        if not self.path.exists():
            return otherwise
        try:
            with connect(self.path) as connection:
                return work(connection)
        except (sqlite3.Error, OSError, TypeError, ValueError) as error:
            if is_damage(error):
                self._set_aside(error)
                return otherwise
            reason = str(error)
        try:
            with connect_to_read(self.path) as connection:
                found = work(connection)
        except (sqlite3.Error, OSError, TypeError, ValueError):
            self._tell_once("unusable", f"the cache ({self.path}) cannot be used ({reason}); continuing without it")
            return otherwise
        what = f"the cache ({self.path}) cannot be written ({reason})"
        self._tell_once("unusable", f"{what}; what it has is used, and nothing is added")
        return found

    def _use(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run work that writes; on failure, tell the user and return the default."""
        for _ in range(2):
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                with connect(self.path) as connection:
                    return work(connection)
            except (sqlite3.Error, OSError, TypeError, ValueError) as error:
                if not is_damage(error):
                    what = f"the cache ({self.path}) cannot be written ({error})"
                    self._tell_once("unusable", f"{what}; continuing without it")
                    break
                self._set_aside(error)
        return otherwise

    def _set_aside(self, error: Exception) -> None:
        """Rename the damaged file; one process at a time."""
        aside = self.path.with_suffix(".damaged")
        try:
            with alone(self.path):
                if isinstance(error, sqlite3.Error) and is_sound(self.path, VECTORS):
                    return  # another process was faster
                self.path.replace(aside)
                for suffix in ("-wal", "-shm"):
                    self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        except (sqlite3.Error, OSError):
            what = f"the cache ({self.path}) is damaged ({error}) and cannot be renamed"
            self._tell_once("damaged", f"{what}; continuing without it")
        else:
            what = f"the cache was damaged ({error}); it has been renamed to {aside}"
            self._tell_once("damaged", f"{what}, and a new one replaces it")


class _Found(NamedTuple):
    """What a look into the file found.

    Attributes:
        rows: the rows by address.
        stale: time, model and address of the entries whose use is to be recorded.
        damaged: model and address of the entries to delete.
    """

    rows: dict[bytes, Row]
    stale: list[tuple[int, int, bytes]]
    damaged: list[tuple[int, bytes]]


def _found(connection: sqlite3.Connection, model: ModelKey, addresses: Sequence[bytes]) -> _Found:
    found, number, now = _Found({}, [], []), _model_number(connection, model), int(time.time())
    for address, blob, checksum, used in _select(connection, number, addresses):
        if _checksum(model, address, blob) != checksum:
            found.damaged.append((number, address))
            continue
        found.rows[address] = np.frombuffer(blob, np.float32)
        if used < now - _TOUCH_AFTER:
            found.stale.append((now, number, address))
    return found


def _tidy(connection: sqlite3.Connection, found: _Found) -> None:
    """Record the use of entries, and delete damaged ones."""
    with transaction(connection):
        connection.executemany("UPDATE entry SET used = ? WHERE model = ? AND text = ?", found.stale)
        connection.executemany("DELETE FROM entry WHERE model = ? AND text = ?", found.damaged)


def _select(
    connection: sqlite3.Connection, number: int, addresses: Sequence[bytes]
) -> Iterator[tuple[bytes, bytes, int, int]]:
    """Address, row, checksum and time of use of the entries that exist."""
    for start in range(0, len(addresses), _TEXTS_PER_QUERY):
        wanted = addresses[start : start + _TEXTS_PER_QUERY]
        marks = ",".join("?" * len(wanted))
        yield from connection.execute(
            f"SELECT text, row, checksum, used FROM entry WHERE model = {number} AND text IN ({marks})", wanted
        )


def _model_number(connection: sqlite3.Connection, model: ModelKey, *, add: bool = False) -> int:
    """The number of a model in the entries; -1 if it has none and `add` is false."""
    if add:
        connection.execute(
            "INSERT INTO model (fingerprint, name) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (model.fingerprint, model.name),
        )
    found = connection.execute("SELECT number FROM model WHERE fingerprint = ?", (model.fingerprint,)).fetchone()
    return int(found[0]) if found else -1


def _address(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _entry(model: ModelKey, address: bytes, row: Row, now: int) -> tuple[bytes, bytes, int, int]:
    blob = np.ascontiguousarray(row, np.float32).tobytes()
    return address, blob, _checksum(model, address, blob), now


def _checksum(model: ModelKey, address: bytes, blob: bytes) -> int:
    return zlib.crc32(blob, zlib.crc32(address, zlib.crc32(model.fingerprint.encode())))
