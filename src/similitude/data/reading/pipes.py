"""Standard input, pipes and devices: what can be read only once, or never ends."""

from __future__ import annotations

import os
import re
import select
import stat
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from similitude.data.reading.files import status, unreadable
from similitude.errors import InputError
from similitude.paths import printable

__all__ = ["WAIT", "Stream", "stream_of"]

WAIT = 10.0
"""Seconds to wait for somebody to write to a named pipe."""

BLOCK = 1 << 20
STANDARD_INPUT = "-"
INPUT_NAMES = frozenset({STANDARD_INPUT, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")
PAUSE = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A source that can be read only once.

    Attributes:
        path: how the user wrote it.
        name: a name for the copy.
        shown: the source in messages.
    """

    path: str
    name: str
    shown: str

    def blocks(self) -> Iterator[bytes]:
        """The content, block by block.

        Raises:
            InputError: it cannot be read, is a terminal, never ends, or nobody writes to it.
        """
        descriptor = DESCRIPTOR.fullmatch(self.path)
        if self.path == STANDARD_INPUT:
            yield from _blocks(_standard_input(), self.shown)
        elif descriptor:
            with _duplicate(int(descriptor[1]), self.shown) as file:
                yield from _blocks(file, self.shown)
        else:
            with _named_pipe(Path(self.path)) as file:
                yield _await_writer(file, Path(self.path))
                os.set_blocking(file.fileno(), True)
                yield from _blocks(file, self.shown)


def stream_of(path: str | Path) -> Stream | None:
    """The stream that a path names; None for files and folders.

    Raises:
        InputError: the path is a device, a socket, a terminal, or does not exist.
    """
    written = str(path)
    if written in INPUT_NAMES:
        return Stream(path=STANDARD_INPUT, name="standard-input", shown="standard input")
    descriptor = DESCRIPTOR.fullmatch(written)
    if descriptor:
        return Stream(path=written, name=f"pipe-{descriptor[1]}", shown=written)
    found = status(Path(path))
    if stat.S_ISFIFO(found.st_mode):
        return Stream(path=written, name=Path(path).name, shown=printable(written))
    _refuse_special(found, printable(path))
    return None


def _refuse_special(found: os.stat_result, where: str) -> None:
    """Check that a path is a file or a folder."""
    mode = found.st_mode
    if stat.S_ISSOCK(mode):
        raise InputError("is a socket, not a file", where=where, remedy="name a file")
    if stat.S_ISCHR(mode):
        raise _device_error(found.st_rdev, where)
    if stat.S_ISBLK(mode):
        raise InputError("is a disk, not a file", where=where, remedy="name a file on it")


def _device_error(device: int, where: str) -> InputError:
    if device == _null_device():
        return empty(where)
    return InputError("is a device, which may never end", where=where, remedy="name a file, or a pipe")


def _null_device() -> int:
    return Path(os.devnull).stat().st_rdev


def empty(where: str) -> InputError:
    """The error for a stream that ends before it begins."""
    remedy = "check the command that writes to it; it can be read once, by one argument"
    return InputError("holds nothing", where=where, remedy=remedy)


def _standard_input() -> BinaryIO:
    where = "standard input"
    source: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if source is None or source.closed:
        raise InputError("is closed", where=where, remedy="pipe a file into the command, or name one instead of -")
    try:
        number = source.fileno()
    except OSError:  # a file in memory
        return source
    _refuse_endless(number, where)
    return source


def _refuse_endless(number: int, where: str) -> None:
    if os.isatty(number):
        remedy = "pipe a file into the command, or name one instead"
        raise InputError("is a terminal, not a file", where=where, remedy=remedy)
    found = os.fstat(number)
    if stat.S_ISCHR(found.st_mode):
        raise _device_error(found.st_rdev, where)


def _duplicate(number: int, where: str) -> BinaryIO:
    try:
        _refuse_endless(number, where)
        return os.fdopen(os.dup(number), "rb", buffering=0)
    except (OSError, OverflowError):
        raise InputError("is not open", where=where, remedy="check the redirection of the shell") from None


def _blocks(file: BinaryIO, where: str) -> Iterator[bytes]:
    """The rest of a file; a source that does not block is waited for, as None stands for "nothing yet"."""
    try:
        while (block := file.read(BLOCK)) != b"":
            if block is None:
                select.select([file], [], [])
            else:
                yield block
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=where, remedy="name a file") from None


def _named_pipe(path: Path) -> BinaryIO:
    """A named pipe, opened without waiting for a writer."""
    try:
        return os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0)
    except OSError as error:
        raise unreadable(path, error) from None


def _await_writer(file: BinaryIO, path: Path) -> bytes:
    """Wait until somebody has opened a named pipe for writing; the bytes that were read on the way."""
    arrivals = select.poll()
    arrivals.register(file, select.POLLIN)
    deadline = time.monotonic() + WAIT
    while not arrivals.poll(PAUSE * 1000):
        read = file.read(1)
        if read != b"":  # None: reading would block, so there is a writer; a pipe without one ends at once
            return read or b""
        if time.monotonic() > deadline:
            what = f"is a named pipe to which nobody writes; waited {WAIT:g} seconds"
            remedy = "start the command that writes to it first, or name a file"
            raise InputError(what, where=printable(path), remedy=remedy)
    return b""
