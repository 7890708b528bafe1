"""Answers that have just arrived, appended to a file before anything else happens.

A transaction takes milliseconds, in which a process that asks many questions at a time may be killed with several
answers at hand. One line appended to a file takes microseconds and survives a kill of the process. The lines are only
read again if the process ended before its transactions: the next one that opens the store takes them over.
"""

from __future__ import annotations

import json
import os
import uuid
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["ArrivedAnswers", "leftover_answers"]

_MARK = ".arrived-"


class ArrivedAnswers:
    """The answers of one process; its file exists from the first answer until `close`."""

    def __init__(self, store: Path) -> None:
        self._path = store.with_name(f"{store.name}{_MARK}{uuid.uuid4().hex}")
        self._file: int | None = None

    def add(self, key: str, text: str) -> None:
        """Append an answer.

        Raises:
            OSError: it cannot be written.
        """
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            _lock(self._file)
        content = json.dumps([key, text])
        os.write(self._file, f"{zlib.crc32(content.encode()):08x} {content}\n".encode())

    def close(self, *, is_stored: bool) -> None:
        """Close the file, and delete it if all its answers are stored."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            if is_stored:
                self._path.unlink(missing_ok=True)


def leftover_answers(store: Path) -> Iterator[tuple[Path, list[tuple[str, str]]]]:
    """Files of processes that ended before their answers were stored, and the answers in each.

    Args:
        store: the file of the store.
    """
    for path in sorted(store.parent.glob(f"{store.name}{_MARK}*")) if store.parent.is_dir() else ():
        with suppress(OSError):
            file = os.open(path, os.O_RDWR)
            try:
                if _lock(file):
                    yield path, list(_lines(path))
            finally:
                os.close(file)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The whole lines of a file; the last may be cut."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        checksum, _, content = line.partition(" ")
        if checksum == f"{zlib.crc32(content.encode()):08x}":
            key, text = json.loads(content)
            yield key, text


def _lock(file: int) -> bool:
    """Lock a file for this process; false if another one that lives has locked it, or locks do not exist here."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
