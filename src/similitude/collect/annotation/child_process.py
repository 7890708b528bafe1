"""Work on files from outside in a child process with limits on memory and time: what goes wrong there ends there."""

from __future__ import annotations

import multiprocessing
import os
import resource
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from similitude.errors import InputError

__all__ = ["ReadingLimitError", "in_child"]

SECONDS = 60.0
"""For reading one uploaded file, which takes about a second for 100,000 rows."""
MEMORY = 1 << 30
"""Bytes that a child may take beyond what it begins with."""
PRELOADED = (
    "__main__",
    "similitude.collect.annotation.drafts.new_study",
    "similitude.collect.annotation.shelf",
    "similitude.data.addresses",
)
"""Imported once by the process that children are forked from, so that each begins within milliseconds."""

T = TypeVar("T")


class ReadingLimitError(InputError):
    """A file needs more memory or time than a server gives to one file."""


_children = multiprocessing.get_context("forkserver")
_children.set_forkserver_preload(list(PRELOADED))


def in_child(work: Callable[..., T], *args: Any, seconds: float = SECONDS) -> T:
    """The result of a function, computed in a child process; its errors are raised here.

    Args:
        work: a function of a module.
        args: its arguments.
        seconds: how long it may take.

    Raises:
        ReadingLimitError: it took more memory or time than it may; nothing of it is left.
    """
    receiver, sender = _children.Pipe(duplex=False)
    child = _children.Process(target=_run, args=(sender, seconds, work, args), daemon=True)
    child.start()
    sender.close()
    try:
        if not receiver.poll(seconds):
            remedy = "upload a part of it, or put the file into the study's folder by hand"
            raise ReadingLimitError(f"reading the file takes more than {seconds:g} seconds", remedy=remedy)
        done, result = receiver.recv()
    except EOFError:
        what = f"reading the file takes more than {MEMORY >> 30} GB of memory"
        raise ReadingLimitError(what, remedy="it may hold far more than its size says; upload a part of it") from None
    finally:
        receiver.close()
        child.kill()
        child.join()
        child.close()
    if not done:
        raise result
    made: T = result
    return made


def _run(sender: Connection, seconds: float, work: Callable[..., Any], args: tuple[Any, ...]) -> None:
    _limit(seconds)
    try:
        told = (True, work(*args))
    except MemoryError:
        os._exit(1)
    except Exception as error:
        error.add_note(traceback.format_exc())
        told = (False, error)
    sender.send(told)


def _limit(seconds: float) -> None:
    """Limit this process: memory in use, processor time (should its parent be gone), no core dump, no last words."""
    os.environ["POLARS_MAX_THREADS"] = "2"
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    most = pages * os.sysconf("SC_PAGE_SIZE") + MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
