"""Listeners that wrap another one and change what it hears, and the bar that a long call shows by itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from similitude.data.progress_bar import NotebookBar, TerminalBar, running_notebook

if TYPE_CHECKING:
    from rich.console import Console

    from similitude.data.protocols import Listener

__all__ = [
    "FixedStage",
    "NamedListener",
    "NoteKeeper",
    "OptionalListener",
    "StageStarts",
    "chosen_listener",
    "with_progress_bar",
]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@contextmanager
def chosen_listener(listener: Listener | None = None, quiet: bool = False) -> Iterator[Listener | None]:
    """The listener that was given, or a progress bar where somebody can see it, which ends with the block.

    ::

        with chosen_listener(listener, quiet) as listener:
            ...

    A bar appears in a notebook, and in a terminal (on standard error), once the work has taken half a second. Notes are
    shown there at the end, each once.

    Args:
        listener: of the caller; it comes back as it is.
        quiet: show no bar and no notes.

    Yields:
        A listener; None if nobody listens: quiet, or a script whose standard error is no terminal.
    """
    if listener is not None or quiet:
        yield listener
    elif (display := running_notebook()) is not None:
        with NotebookBar(display) as bar:
            yield bar
    elif sys.stderr is not None and sys.stderr.isatty():
        with TerminalBar(_standard_error) as drawn:
            yield drawn
    else:
        yield None


def with_progress_bar(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Decorate a long function with keyword arguments ``listener`` and ``quiet``: it gets the `chosen_listener`."""

    @wraps(function)
    def shown(*args: Arguments.args, **named: Arguments.kwargs) -> Result:
        given, quiet = named.get("listener"), named.get("quiet", False)
        with chosen_listener(given, bool(quiet)) as listener:  # type: ignore[arg-type]
            named["listener"] = listener
            return function(*args, **named)

    return shown


def _standard_error() -> Console:
    from rich.console import Console  # imported late: takes time

    return Console(stderr=True)


@dataclass(frozen=True)
class OptionalListener:
    """Passes progress and notes on to another listener, or ignores them if there is none."""

    listener: Listener | None = None

    def progress(self, stage: str, done: int, total: int) -> None:
        """Pass progress on."""
        if self.listener is not None:
            self.listener.progress(stage, done, total)

    def note(self, text: str) -> None:
        """Pass a note on."""
        if self.listener is not None:
            self.listener.note(text)


@dataclass(frozen=True)
class NoteKeeper(OptionalListener):
    """Also keeps the notes, so that they can be shown or recorded once the work is done.

    >>> keeper = NoteKeeper()
    >>> keeper.note("two texts were cut")
    >>> keeper.notes
    ['two texts were cut']
    """

    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Keep a note and pass it on."""
        self.notes.append(text)
        super().note(text)


@dataclass(frozen=True)
class NamedListener(OptionalListener):
    """Puts a name before each stage and, unless told otherwise, before each note."""

    name: str = field(kw_only=True)
    names_notes: bool = field(default=True, kw_only=True)

    def progress(self, stage: str, done: int, total: int) -> None:
        """Pass progress on under the name."""
        super().progress(f"{self.name}, {stage}", done, total)

    def note(self, text: str) -> None:
        """Pass a note on, under the name if notes are named."""
        super().note(f"{self.name}: {text}" if self.names_notes else text)


@dataclass(frozen=True)
class FixedStage(OptionalListener):
    """Reports all progress under one stage, whatever the stages of the work are called."""

    stage: str = field(kw_only=True)

    def progress(self, stage: str, done: int, total: int) -> None:
        """Pass progress on under the fixed stage."""
        super().progress(self.stage, done, total)


@dataclass(frozen=True)
class StageStarts(OptionalListener):
    """Passes on only the start of each stage, for work whose progress is counted elsewhere."""

    def progress(self, stage: str, done: int, total: int) -> None:
        """Pass progress on if nothing has been done yet."""
        if done == 0:
            super().progress(stage, done, total)
