"""What a command says of itself while nothing else is on the screen: that it is at work, and for how long.

Reading a large file or loading a model may take long before there is anything to count. On a terminal, a line appears
after two seconds and goes as soon as the command prints or a progress bar takes over. In a pipe or a log file, a plain
line comes after half a minute, and then ever more rarely.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, RLock, Thread
from typing import Any, ClassVar, Self, TextIO

__all__ = ["FIRST_LINE", "PlainLines", "Waiting", "bar_shown", "clock_time", "waiting"]

APPEARS, TICK = 2.0, 1.0
"""Seconds of silence before the line appears on a terminal, and between two updates."""
FIRST_LINE, LATER = 30.0, 2.0
"""Seconds before the first plain line where there is no terminal, and how much longer each later pause is."""
ERASE = "\r\x1b[2K"


class Waiting:
    """The line of one command; use it in a ``with`` statement."""

    current: ClassVar[Waiting | None] = None

    def __init__(self, title: str, stream: TextIO) -> None:
        """A line that is not shown yet.

        Args:
            title: what is at work.
            stream: where to say so: standard error.
        """
        self._title, self._stream, self._is_terminal = title, stream, stream.isatty()
        self._begun = self._silent_since = time.monotonic()
        self._is_drawn = self._is_asking = False
        self._bars, self._lock, self._ended = 0, RLock(), Event()
        self._lines: PlainLines | None = None
        self._thread = Thread(target=self._watch, daemon=True)
        self._outer: tuple[Waiting | None, TextIO, TextIO] | None = None

    def __enter__(self) -> Self:
        self._outer = Waiting.current, sys.stdout, sys.stderr
        Waiting.current = self
        if self._is_terminal:
            sys.stdout, sys.stderr = (_Watched(each, self) for each in self._outer[1:])
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        assert self._outer is not None
        self._ended.set()
        self._erase()
        Waiting.current, sys.stdout, sys.stderr = self._outer

    def wrote(self, text: str) -> None:
        """The command is about to print: the line makes room, and stays away while a question waits for its answer."""
        with self._lock:
            self._erase()
            self._silent_since, self._is_asking = time.monotonic(), not text.endswith("\n")

    @contextmanager
    def replaced(self, lines: PlainLines | None = None) -> Iterator[None]:
        """While a progress bar is shown, the line is not; without a terminal, the bar's lines are said when due."""
        with self._lock:
            self._erase()
            self._bars += 1
            outer, self._lines = self._lines, lines
        try:
            yield
        finally:
            with self._lock:
                self._bars -= 1
                self._lines = outer
                self._silent_since, self._is_asking = time.monotonic(), False

    def _watch(self) -> None:
        pause = FIRST_LINE
        due = self._begun + pause
        while not self._ended.wait(TICK):
            with self._lock:
                if self._ended.is_set():
                    return
                if self._bars:
                    if self._lines is not None:
                        self._lines.say_if_due()
                elif self._is_terminal:
                    self._say()
                elif time.monotonic() >= due:
                    self._say()
                    pause *= LATER
                    due = time.monotonic() + pause

    def _say(self) -> None:
        words = f"{self._title}: at work, {clock_time(time.monotonic() - self._begun)}"
        if not self._is_terminal:
            self._stream.write(f"{words}\n")
        elif not self._is_asking and time.monotonic() - self._silent_since >= APPEARS:
            self._stream.write(f"{ERASE}{words} (Ctrl-C stops)")
            self._is_drawn = True
        self._stream.flush()

    def _erase(self) -> None:
        with self._lock:
            if self._is_drawn:
                self._stream.write(ERASE)
                self._stream.flush()
            self._is_drawn = False


class _Watched:
    """A stream of the command: the line is erased before anything is written."""

    def __init__(self, stream: TextIO, line: Waiting) -> None:
        self._stream, self._line = stream, line

    def write(self, text: str) -> int:
        if text:
            self._line.wrote(text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def waiting(title: str) -> Iterator[None]:
    """Say that a command is at work where it is silent for long; nothing without standard error."""
    if sys.stderr is None or sys.stdout is None:
        yield
        return
    with Waiting(title, sys.stderr):
        yield


@contextmanager
def bar_shown(lines: PlainLines | None = None) -> Iterator[None]:
    """While a progress bar is shown, or these lines stand for it, the line of the command is not."""
    if Waiting.current is None:
        yield
        return
    with Waiting.current.replaced(lines):
        yield


@dataclass
class PlainLines:
    """A listener for pipes and log files: now and then a line that says what is done, and how long the rest will take.

    Attributes:
        title: stands before the stage.
    """

    title: str
    _stage: str = field(default="", init=False)
    _counts: tuple[int, int] = field(default=(0, 0), init=False)
    _begun: float = field(default=0.0, init=False)
    _next: float = field(default_factory=lambda: time.monotonic() + FIRST_LINE, init=False)
    _pause: float = field(default_factory=lambda: FIRST_LINE, init=False)

    def progress(self, stage: str, done: int, total: int) -> None:
        """Print a line if the last one is long ago."""
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._begun = stage, now
        self._counts = done, total
        self._say(now)

    def say_if_due(self) -> None:
        """Print a line if the last one is long ago, although nothing new was told: a stage may take long by itself."""
        if self._stage:
            self._say(time.monotonic())

    def _say(self, now: float) -> None:
        if now < self._next:
            return
        self._pause *= LATER
        self._next = now + self._pause
        (done, total), taken = self._counts, now - self._begun
        counted = f"{done:,} of {total:,}{_time_left(taken, done, total)}" if total else f"{clock_time(taken)} so far"
        sys.stderr.write(f"{self.title}: {self._stage}, {counted}\n")
        sys.stderr.flush()

    def note(self, text: str) -> None:
        """Commands print notes with their results."""


def _time_left(seconds: float, done: int, total: int) -> str:
    """Of a stage, if it goes on as fast as so far; nothing before anything is done."""
    if done <= 0 or total < done or seconds <= 0:
        return ""
    return f", about {clock_time(seconds * (total - done) / done)} left"


def clock_time(seconds: float) -> str:
    """Seconds as people read them.

    >>> clock_time(8.2), clock_time(125), clock_time(7384)
    ('8 s', '2:05 min', '2:03 h')
    """
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600}:{whole // 60 % 60:02} h"
