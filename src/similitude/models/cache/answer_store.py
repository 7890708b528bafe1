"""Answers of language models in one SQLite file, beside the vectors.

An answer may have cost money, so this is more than a cache. An answer is on disk when `AnswerStore.put` returns.
Nothing is dropped to make room. If the file cannot be read or written, the user is told, so that nobody pays twice. A
damaged file is renamed, never deleted, and its readable answers are copied to a new file.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import NamedTuple, TypeVar

from similitude.errors import RunError
from similitude.models.cache.arrived_answers import ArrivedAnswers, leftover_answers
from similitude.models.cache.sqlite_file import (
    ANSWERS,
    alone,
    connect,
    connect_to_read,
    is_damage,
    is_sound,
    transaction,
)
from similitude.models.cache.store import Store

__all__ = ["AnswerStore", "KeptAnswers"]

T = TypeVar("T")
_Row = tuple[str, bytes, int, str, int]

_KEYS_PER_QUERY = 1000
_LONG = 512
"""Texts of at least this many bytes are compressed."""
_PLAIN, _PACKED = b"t", b"z"
_TURNS = 5


class KeptAnswers(NamedTuple):
    """The cached answers of one model.

    Attributes:
        entries: the number of answers.
        size: their size in bytes.
        kept: when the last one was stored, in seconds since 1970.
    """

    name: str
    entries: int
    size: int
    kept: float


@dataclass(frozen=True)
class AnswerStore(Store):
    """A `similitude.data.protocols.AnswerCache` in one file, safe for any number of threads and processes.

    An answer that is a JSON object with a field "model" is listed under that model.
    """

    def get(self, keys: Sequence[str]) -> list[str | None]:
        """The answer under each key; None if there is none or if it is damaged.

        Raises:
            RunError: the file exists but cannot be read.
        """
        self._take_over()
        nothing: tuple[dict[str, str], list[tuple[str]]] = ({}, [])
        found, damaged = self._read(lambda connection: _texts(connection, keys), nothing)
        if damaged:
            self._delete_damaged(damaged)
        return [found.get(key) for key in keys]

    def put(self, answers: Sequence[tuple[str, str]]) -> None:
        """Store answers under their keys; all of them are on disk before this returns.

        Raises:
            RunError: they cannot be stored.
        """
        now = int(time.time())
        rows = [_row(key, text, now) for key, text in answers]
        self._use(lambda connection: _insert(connection, rows), None)

    def arrivals(self) -> ArrivedAnswers:
        """A place for answers that have just arrived, until `put` has stored them; they survive a kill."""
        return ArrivedAnswers(self.path)

    def _take_over(self) -> None:
        """Store the answers that had arrived when another process was killed."""
        for path, answers in leftover_answers(self.path):
            with suppress(RunError):  # a file that cannot be written: they stay where they are
                if answers:
                    self.put(answers)
                path.unlink(missing_ok=True)

    def models(self) -> list[KeptAnswers]:
        """The cached answers by model, the one that answered last first."""
        select = (
            "SELECT model, COUNT(*), SUM(LENGTH(text)), MAX(kept)"
            " FROM answer GROUP BY model ORDER BY MAX(kept) DESC, model"
        )
        nothing: list[tuple[str, int, int, float]] = []
        lines = self._look(lambda connection: connection.execute(select).fetchall(), nothing)
        return [KeptAnswers(*line) for line in lines]

    def clear(self, names: Sequence[str] | None = None) -> int:
        """Delete the answers of these models, or of all; return how many were deleted."""
        doomed = [kept for kept in self.models() if names is None or kept.name in names]

        def delete(connection: sqlite3.Connection) -> int:
            with transaction(connection):
                connection.executemany("DELETE FROM answer WHERE model = ?", [(kept.name,) for kept in doomed])
            connection.execute("PRAGMA incremental_vacuum").fetchall()
            return sum(kept.entries for kept in doomed)

        return self._look(delete, 0)

    def _read(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run work that only reads; a file that cannot be written is enough for it.

        Raises:
            RunError: the file exists but cannot be read.
        """
        try:
            return self._look(work, otherwise)
        except RunError as error:
            with suppress(sqlite3.Error, OSError), connect_to_read(self.path, ANSWERS) as connection:
                found = work(connection)
                self._tell_once("read-only", f"{error.what}; those that it has are used")
                return found
            raise

    def _delete_damaged(self, damaged: Sequence[tuple[str]]) -> None:
        def delete(connection: sqlite3.Connection) -> None:
            with transaction(connection):
                connection.executemany("DELETE FROM answer WHERE key = ?", damaged)

        with suppress(RunError):  # a file that cannot be written: the questions are asked again all the same
            self._use(delete, None)
        self.note(f"{len(damaged):,} damaged answers ({self.path}) were deleted; the questions will be asked again")

    def _use(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run the work; try again if another process is in the way or the file is damaged.

        Raises:
            RunError: it failed every time. The default is never returned: answers may have cost money.
        """
        for turn in range(_TURNS):
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                with connect(self.path, ANSWERS) as connection:
                    return work(connection)
            except (sqlite3.DatabaseError, OSError) as error:
                if turn == _TURNS - 1 or not (is_damage(error) or _is_busy(error)):
                    raise self._unusable(error) from None
                if is_damage(error):
                    self._set_aside(error)
                else:
                    time.sleep(0.1 * 2**turn)
        raise AssertionError  # every turn returns, raises or continues, and the last one does not continue

    def _unusable(self, error: Exception) -> RunError:
        return RunError(
            f"cannot store the answers of language models here ({error})",
            where=str(self.path),
            remedy="free disk space, fix the permissions, set SIMILITUDE_CACHE to another folder, or pass --no-cache",
        )

    def _set_aside(self, error: Exception) -> None:
        """Rename the damaged file and copy its readable answers to a new one; one process at a time."""
        with alone(self.path):
            if is_sound(self.path, ANSWERS):
                return  # another process was faster
            rows = list(_readable(self.path))
            aside = _free_name(self.path)
            for suffix in ("", "-wal"):
                with suppress(FileNotFoundError):
                    self.path.with_name(self.path.name + suffix).replace(aside.with_name(aside.name + suffix))
            self.path.with_name(self.path.name + "-shm").unlink(missing_ok=True)
            with connect(self.path, ANSWERS) as connection:
                _insert(connection, rows)
        message = f"the file of answers was damaged ({error}) and has been renamed to {aside}"
        self.note(f"{message}; its {len(rows):,} readable answers were copied to a new file")


def _texts(connection: sqlite3.Connection, keys: Sequence[str]) -> tuple[dict[str, str], list[tuple[str]]]:
    """The answers by key, and the keys of those that are damaged."""
    texts: dict[str, str] = {}
    damaged: list[tuple[str]] = []
    for start in range(0, len(keys), _KEYS_PER_QUERY):
        wanted = keys[start : start + _KEYS_PER_QUERY]
        select = f"SELECT key, text, checksum FROM answer WHERE key IN ({','.join('?' * len(wanted))})"
        for key, blob, checksum in connection.execute(select, wanted):
            if _checksum(key, blob) == checksum:
                texts[key] = _unpacked(blob)
            else:
                damaged.append((key,))
    return texts, damaged


def _insert(connection: sqlite3.Connection, rows: Sequence[_Row]) -> None:
    with transaction(connection):
        connection.executemany("INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?)", rows)


def _row(key: str, text: str, now: int) -> _Row:
    blob = _packed(text)
    return key, blob, _checksum(key, blob), _model(text), now


def _model(text: str) -> str:
    """The model that an answer names; empty if it names none."""
    try:
        return str(json.loads(text)["model"])
    except (ValueError, KeyError, TypeError):
        return ""


def _packed(text: str) -> bytes:
    plain = text.encode("utf-8", "surrogatepass")
    return _PACKED + zlib.compress(plain) if len(plain) >= _LONG else _PLAIN + plain


def _unpacked(blob: bytes) -> str:
    plain = zlib.decompress(blob[1:]) if blob[:1] == _PACKED else blob[1:]
    return plain.decode("utf-8", "surrogatepass")


def _checksum(key: str, blob: bytes) -> int:
    return zlib.crc32(blob, zlib.crc32(key.encode()))


def _is_busy(error: Exception) -> bool:
    """Whether another process uses the file in a way that SQLite does not wait for, such as recovery after a kill."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _readable(path: Path) -> Iterator[_Row]:
    """The readable rows of a damaged file: from the start up to the damage, then from the end."""
    seen = set()
    for order in ("ASC", "DESC"):
        with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path)) as connection:
            for row in connection.execute(f"SELECT * FROM answer ORDER BY rowid {order}"):
                if row[0] not in seen and _checksum(row[0], row[1]) == row[2]:
                    seen.add(row[0])
                    yield row


def _free_name(path: Path) -> Path:
    names = (path.with_suffix(".damaged" if number == 1 else f".damaged-{number}") for number in count(1))
    return next(name for name in names if not name.exists())
