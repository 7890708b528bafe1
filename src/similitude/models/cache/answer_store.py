"""What language models answered, in one SQLite file beside the vectors.

It is no mere cache: an answer may have cost money. So it is on the disk when `AnswerStore.put` returns, nothing is ever
dropped to make room, and where the file cannot be read or written the user is told instead of paying twice. A file that
is damaged is set aside, never deleted, and what can still be read of it is taken over.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import NamedTuple, TypeVar

from similitude.errors import RunError
from similitude.models.cache.sqlite_file import ANSWERS, connect, size_of, transaction
from similitude.models.cache.vector_store import ignore

__all__ = ["AnswerStore", "KeptAnswers"]

T = TypeVar("T")
_Row = tuple[str, bytes, int, str, int]

_AT_ONCE = 1000
_LONG = 512
"""Bytes from which a text is compressed."""
_PLAIN, _PACKED = b"t", b"z"
_TURNS = 5


class KeptAnswers(NamedTuple):
    """What is kept of one model.

    Attributes:
        name: of the model.
        entries: how many answers.
        size: bytes of them.
        kept: when the last was kept, in seconds since 1970.
    """

    name: str
    entries: int
    size: int
    kept: float


@dataclass(frozen=True)
class AnswerStore:
    """A `similitude.data.protocols.AnswerCache` in one file, for any number of threads and processes at once.

    A text that is a JSON object with a field "model" is listed under that name.

    Attributes:
        path: the file; it and its folder are made when something is first kept.
        note: told what the user should know.
    """

    path: Path
    note: Callable[[str], None] = field(default=ignore, repr=False, compare=False)

    def get(self, keys: Sequence[str]) -> list[str | None]:
        """The answer under each key; None where there is none, or where what is there is damaged.

        Raises:
            RunError: the file is there but cannot be read.
        """
        nothing: dict[str, str] = {}
        found = self._look(lambda connection: self._texts(connection, keys), nothing)
        return [found.get(key) for key in keys]

    def put(self, answers: Sequence[tuple[str, str]]) -> None:
        """Keep answers, each with its key: all of them, on the disk, before this returns.

        Raises:
            RunError: they cannot be kept.
        """
        now = int(time.time())
        rows = [_row(key, text, now) for key, text in answers]
        self._use(lambda connection: _insert(connection, rows))

    @property
    def size(self) -> int:
        """Bytes in use."""
        return self._look(size_of, 0)

    def models(self) -> list[KeptAnswers]:
        """What is kept, by model, the one that answered last first."""
        select = (
            "SELECT model, COUNT(*), SUM(LENGTH(text)), MAX(kept)"
            " FROM answer GROUP BY model ORDER BY MAX(kept) DESC, model"
        )
        nothing: list[tuple[str, int, int, float]] = []
        lines = self._look(lambda connection: connection.execute(select).fetchall(), nothing)
        return [KeptAnswers(*line) for line in lines]

    def clear(self, names: Sequence[str] | None = None) -> int:
        """Forget the answers of these models, or all; how many there were."""
        doomed = [kept for kept in self.models() if names is None or kept.name in names]

        def delete(connection: sqlite3.Connection) -> int:
            with transaction(connection):
                connection.executemany("DELETE FROM answer WHERE model = ?", [(kept.name,) for kept in doomed])
            connection.execute("PRAGMA incremental_vacuum").fetchall()
            return sum(kept.entries for kept in doomed)

        return self._look(delete, 0)

    def _texts(self, connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, str]:
        texts, damaged = {}, []
        for start in range(0, len(keys), _AT_ONCE):
            wanted = keys[start : start + _AT_ONCE]
            select = f"SELECT key, text, checksum FROM answer WHERE key IN ({','.join('?' * len(wanted))})"
            for key, blob, checksum in connection.execute(select, wanted):
                if _checksum(key, blob) == checksum:
                    texts[key] = _unpacked(blob)
                else:
                    damaged.append((key,))
        if damaged:
            with transaction(connection):
                connection.executemany("DELETE FROM answer WHERE key = ?", damaged)
            self.note(f"{len(damaged):,} damaged answers ({self.path}) were dropped; they are asked for again")
        return texts

    def _look(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """What the work gives, if there is a file at all."""
        return self._use(work) if self.path.exists() else otherwise

    def _use(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What the work gives; done again, as it may be, where others were in the way or the file was damaged."""
        for turn in range(_TURNS):
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                with connect(self.path, ANSWERS) as connection:
                    return work(connection)
            except (sqlite3.OperationalError, OSError) as error:
                if turn == _TURNS - 1 or not _is_busy(error):
                    raise self._unusable(error) from None
                time.sleep(0.1 * 2**turn)
            except sqlite3.DatabaseError as error:
                if turn == _TURNS - 1:
                    raise self._unusable(error) from None
                self._set_aside(error)
        raise AssertionError  # each turn returns, raises or goes on, and the last does not go on

    def _unusable(self, error: Exception) -> RunError:
        return RunError(
            f"the answers of language models cannot be kept here ({error})",
            where=str(self.path),
            remedy="make room or mend its rights, name another folder in SIMILITUDE_CACHE, or go on with --no-cache",
        )

    def _set_aside(self, error: sqlite3.DatabaseError) -> None:
        """Give the damaged file another name, and a new one what can be read of it; one process at a time."""
        with _alone(self.path.with_suffix(".lock")):
            if _is_sound(self.path):
                return  # another process was faster
            rows = list(_readable(self.path))
            aside = _free_name(self.path)
            for suffix in ("", "-wal"):
                with suppress(FileNotFoundError):
                    self.path.with_name(self.path.name + suffix).replace(aside.with_name(aside.name + suffix))
            self.path.with_name(self.path.name + "-shm").unlink(missing_ok=True)
            with connect(self.path, ANSWERS) as connection:
                _insert(connection, rows)
        told = f"the file of answers was damaged ({error}): it is now {aside}"
        self.note(f"{told}, and the {len(rows):,} answers that can be read are in a new one")


def _insert(connection: sqlite3.Connection, rows: Sequence[_Row]) -> None:
    with transaction(connection):
        connection.executemany("INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?)", rows)


def _row(key: str, text: str, now: int) -> _Row:
    blob = _packed(text)
    return key, blob, _checksum(key, blob), _model(text), now


def _model(text: str) -> str:
    """Whose answer it is, if it says so."""
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
    """Whether others are at the file in a way that SQLite does not wait for, such as opening it after a kill."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One process at a time, by the lock of an empty database, which every platform has."""
    with closing(sqlite3.connect(path, timeout=60, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


def _is_sound(path: Path) -> bool:
    try:
        with connect(path, ANSWERS) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError:
        return False


def _readable(path: Path) -> Iterator[_Row]:
    """Rows of a damaged file that can still be read, from the front up to the damage, and from the back."""
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
