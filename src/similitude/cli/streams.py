"""The standard streams of a command, whatever they lead to: closed, a full disk, or a terminal that is not UTF-8."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys

__all__ = ["discard_output", "explained_failure", "prepare_streams"]

CHOSEN = "PYTHONIOENCODING"
LOST_OUTPUT = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""Why standard output cannot be written: the errors name no file."""


def prepare_streams() -> None:
    """Make standard output and standard error fit for every text.

    A stream that is closed is replaced by one that leads nowhere. Pipes and files get UTF-8, as all files that are
    written do, unless PYTHONIOENCODING chooses; a terminal shows ? for what it has no sign for.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
    stream = sys.stdout
    if (
        not isinstance(stream, io.TextIOWrapper)
        or CHOSEN in os.environ
        or codecs.lookup(stream.encoding).name == "utf-8"
    ):
        return
    if stream.isatty():
        stream.reconfigure(errors="replace")
    else:
        stream.reconfigure(encoding="utf-8")


def discard_output() -> None:
    """Let what is still to be printed lead nowhere, so that the end of the program does not fail on it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def explained_failure(error: OSError | UnicodeEncodeError) -> str | None:
    """What the system refused, in one line; None if the error is of another kind."""
    if isinstance(error, UnicodeEncodeError):
        if CHOSEN not in os.environ:
            return None
        sign = error.object[error.start]
        return f"standard output: {error.encoding} has no sign for {sign!a}; unset {CHOSEN}, or set it to utf-8"
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error.strerror}; check permissions and free space"
    if error.errno in LOST_OUTPUT:
        return f"standard output: {error.strerror}"
    return None
