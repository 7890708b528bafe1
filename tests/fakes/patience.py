"""Waiting for something to become true, as long as a busy machine may need; the deadline is only against hanging."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Found = TypeVar("Found")

SECONDS = 300.0


def until(
    condition: Callable[[], Found],
    what: str,
    said: Callable[[], str] = str,
    *,
    process: subprocess.Popen[Any] | None = None,
) -> Found:
    """Wait until the condition holds, and return what it found.

    Args:
        condition: asked again and again; it holds when what it returns is true.
        what: is waited for, in words.
        said: what else to tell when it never becomes true.
        process: that has to live until then.
    """
    end = time.monotonic() + SECONDS
    while not (found := condition()):
        assert process is None or process.poll() is None, f"it ended before: {what}\n{said()}"
        assert time.monotonic() < end, f"waited {SECONDS:g} s in vain for: {what}\n{said()}"
        time.sleep(0.005)
    return found


@contextmanager
def killed_after(process: subprocess.Popen[Any]) -> Iterator[None]:
    """Kill the process at the end, however that comes about."""
    with process:
        try:
            yield
        finally:
            process.kill()
