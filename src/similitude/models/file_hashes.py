"""Hashes of files, remembered until a file changes: those of large files from one process to the next.

A remembered hash counts only for a file with the same size, inode, modification time and change time. The change time
is set by the kernel at every write, and no program can set it back. Besides, blocks of the file are compared when a
process first uses it, and the whole file is read again after a week. A file that changed within the last two seconds is
not remembered, since it may change again without a change of its times.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from pathlib import Path
from typing import NamedTuple, Protocol

from similitude.errors import ArgumentError

__all__ = ["FileStat", "Memory", "hash_of_file", "is_regular"]

_LARGE = 1 << 20
_BLOCKS, _BLOCK = 64, 4096
"""The blocks that are compared at first use: 256 kB of any file, the first and the last block among them."""
_READ_AGAIN_AFTER = 7 * 24 * 3600
_COARSEST_CLOCK = 2.0
"""The coarsest timestamps of a file system, in seconds: those of FAT."""
_HAS_CHANGE_TIME = os.name == "posix"
"""Elsewhere `st_ctime` is the time of creation, so a large file is read at its first use in every process."""
_TRIES = 5


class Memory(Protocol):
    """Stores the hashes of large files between runs, as a `VectorCache` does."""

    def recall(self, question: str) -> str | None:
        """The stored answer to a question; None if unknown."""
        ...

    def remember(self, question: str, answer: str) -> None:
        """Store the answer to a question."""


class FileStat(NamedTuple):
    """What the file system says of a file; it changes whenever the content does."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, known: os.stat_result) -> FileStat:
        """The relevant part of the result of `os.stat`."""
        return cls(known.st_dev, known.st_ino, known.st_size, known.st_mtime_ns, known.st_ctime_ns)

    def has_settled(self, now: float) -> bool:
        """Whether a change from now on would also change the times."""
        return now - self.changed / 1e9 > _COARSEST_CLOCK


class _KnownHash(NamedTuple):
    """The hash of a file, the hash of some of its blocks, and when it was read in full."""

    full: str
    blocks: str
    read: float

    @property
    def is_due(self) -> bool:
        """Whether the file must be read in full again; also if the clock was set back."""
        return not 0 <= time.time() - self.read < _READ_AGAIN_AFTER


_known: dict[FileStat, _KnownHash] = {}
"""Hashes of files that this process has read, or whose blocks it has compared."""


def hash_of_file(path: Path, memory: Memory | None) -> str:
    """SHA-256 of a file; if it has not changed, the remembered hash.

    Raises:
        OSError: the file cannot be read.
        ArgumentError: it was written all the time while it was read.
    """
    for _ in range(_TRIES):
        before, started = FileStat.of(path.stat()), time.time()
        found = _hash_in_state(path, before, started, memory if before.size >= _LARGE else None)
        if FileStat.of(path.stat()) == before:
            return found
        _known.pop(before, None)
    raise ArgumentError("is being written", where=str(path), remedy="wait until the file is complete")


def _hash_in_state(path: Path, now: FileStat, started: float, memory: Memory | None) -> str:
    known = _known.get(now)
    if known is not None and not known.is_due:
        return known.full
    question = f"hash of {path.resolve()}: {', '.join(f'{name} {value}' for name, value in now._asdict().items())}"
    found = _recalled(path, question, memory)
    if found is None:
        found = _KnownHash(_read(path), "" if memory is None else _read_blocks(path, now.size), started)
        if memory is not None and now.has_settled(started):
            memory.remember(question, json.dumps(found))
    if now.has_settled(started):
        _known[now] = found
    return found.full


def _recalled(path: Path, question: str, memory: Memory | None) -> _KnownHash | None:
    """The remembered hash, if it is recent and the blocks of the file are still the same."""
    answer = None if memory is None or not _HAS_CHANGE_TIME else memory.recall(question)
    try:
        full, blocks, read = json.loads(answer or "null")
        known = _KnownHash(str(full), str(blocks), float(read))
    except (ValueError, TypeError):
        return None
    return None if known.is_due or known.blocks != _read_blocks(path, path.stat().st_size) else known


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_blocks(path: Path, size: int) -> str:
    digest = hashlib.sha256(str(size).encode())
    last = max(size - _BLOCK, 0)
    with path.open("rb", buffering=0) as file:
        for number in range(_BLOCKS):
            file.seek(last * number // (_BLOCKS - 1))
            digest.update(file.read(_BLOCK))
    return digest.hexdigest()


def is_regular(known: os.stat_result) -> bool:
    """Whether it is a file with content, not a pipe or a device."""
    return stat.S_ISREG(known.st_mode)
