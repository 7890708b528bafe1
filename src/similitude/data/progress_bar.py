"""Progress bars for terminals and notebooks. They appear once the work has taken half a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from html import escape
from importlib import import_module
from threading import Lock, Timer
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

__all__ = ["DELAY", "NotebookBar", "TerminalBar", "running_notebook"]

DELAY = 0.5
"""Seconds of work before a bar appears."""

LONGEST = 60
"""Longer names of stages are cut."""

REFRESH = 0.1
"""Seconds between two updates of a bar in a notebook."""


class TerminalBar:
    """A listener that shows the current stage on a terminal, its rate and the time left; removed at the end.

    Use it in a ``with`` statement.
    """

    def __init__(
        self, console: Callable[[], Console], title: str = "", *, prints_notes: bool = True, delay: float = DELAY
    ) -> None:
        """A bar.

        Args:
            console: makes the console; called only if the bar appears or a note is to be printed.
            title: stands before the stage.
            prints_notes: print notes below the bar at the end, each once; otherwise the caller shows them.
            delay: seconds of work before the bar appears.
        """
        self._console, self._title, self._prints_notes = console, title, prints_notes
        self._stage, self._done, self._total = "", 0, 0
        self._notes: dict[str, None] = {}
        self._drawn: tuple[Progress, TaskID] | None = None
        self._lock, self._timer = Lock(), Timer(delay, self._appear)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._timer.cancel()
        with self._lock:
            drawn, self._drawn = self._drawn, None
        if drawn is not None:
            drawn[0].stop()
        for text in self._notes if self._prints_notes else ():
            self._console().print(f"note: {text}", style="dim", markup=False, highlight=False, soft_wrap=True)

    def progress(self, stage: str, done: int, total: int) -> None:
        """Advance the current stage, or begin a new one."""
        stage = _cut(stage)
        with self._lock:
            is_new, self._stage, self._done, self._total = stage != self._stage, stage, done, total
            if self._drawn is not None:
                self._draw(*self._drawn, is_new=is_new)

    def note(self, text: str) -> None:
        """Keep a note until the end."""
        self._notes[text] = None

    def _appear(self) -> None:
        """Draw the bar for the first time. Rich is imported here, because most work is done by now."""
        progress = _rich_progress(self._console())
        with self._lock:
            if not self._timer.finished.is_set():
                self._drawn = progress, progress.add_task(self._title or "working", total=None)
                self._draw(*self._drawn, is_new=True)
                progress.start()

    def _draw(self, progress: Progress, task: TaskID, *, is_new: bool) -> None:
        if not self._stage:
            return
        if is_new:
            words = ": ".join(filter(None, (self._title, self._stage)))
            progress.reset(task, description=words, total=self._total or None)
        progress.update(task, completed=self._done, total=self._total or None)


def _rich_progress(console: Console) -> Progress:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text("" if task.speed is None else f"{task.speed:,.0f}/s", style="dim")

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True)


class NotebookBar:
    """A listener that shows the current stage below a notebook's cell, and at the end only the notes.

    Use it in a ``with`` statement.
    """

    def __init__(self, display: ModuleType, *, delay: float = DELAY) -> None:
        """A bar.

        Args:
            display: the module ``IPython.display``.
            delay: seconds of work before the bar appears.
        """
        self._display, self._delay = display, delay
        self._start = self._drawn = time.monotonic()
        self._handle: Any = None
        self._notes: dict[str, None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._handle is not None or self._notes:
            lines = [f"note: {text}" for text in self._notes]
            self._show("".join(f'<div style="opacity:.75">{escape(line)}</div>' for line in lines), "\n".join(lines))

    def progress(self, stage: str, done: int, total: int) -> None:
        """Show how much of a stage is done, at most ten times a second."""
        now = time.monotonic()
        if now - self._start < self._delay or (self._handle is not None and now - self._drawn < REFRESH):
            return
        self._drawn, stage = now, _cut(stage)
        taken = _clock(now - self._start)
        words = f"{done:,} of {total:,}, {taken}" if total else taken
        filled = f'max="{total}" value="{min(done, total)}" ' if total else ""
        bar = f'<progress {filled}style="vertical-align:middle"></progress>'
        figures = f'<span style="font-variant-numeric:tabular-nums">{words}</span>'
        self._show(f"<div>{escape(stage)} {bar} {figures}</div>", f"{stage}: {words}")

    def note(self, text: str) -> None:
        """Keep a note until the end."""
        self._notes[text] = None

    def _show(self, html: str, plain: str) -> None:
        bundle = {"text/html": html, "text/plain": plain}
        if self._handle is None:
            self._handle = self._display.display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)


def _cut(stage: str) -> str:
    return stage if len(stage) <= LONGEST else f"{stage[: LONGEST - 1]}…"


def _clock(seconds: float) -> str:
    """``8 s`` or ``2:05``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes else f"{rest} s"


def running_notebook() -> ModuleType | None:
    """The module ``IPython.display`` if the code runs in a notebook, else None. Imports nothing in a plain script."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return None if getattr(shell, "kernel", None) is None else import_module("IPython.display")
