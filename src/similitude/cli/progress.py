"""Progress bars on standard error while systems run and items are resampled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from similitude.cli.console import errors

__all__ = ["NoteKeeper", "ProgressBar", "progress_bar"]


class _Rate(ProgressColumn):
    """A column with the number of steps per second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:,.0f}/s", style="dim")


class ProgressBar:
    """A listener that shows the current stage of a run, its rate and the time left."""

    def __init__(self, progress: Progress, task: TaskID, title: str) -> None:
        self._progress, self._task, self._title, self._stage = progress, task, title, ""

    def progress(self, stage: str, done: int, total: int) -> None:
        """Advance the current stage, or begin a new one."""
        if stage != self._stage:
            self._stage = stage
            self._progress.reset(self._task, description=f"{self._title}: {stage}", total=total)
        self._progress.update(self._task, completed=done, total=total)

    def note(self, text: str) -> None:
        """Do nothing: a run holds its notes, which are printed with its table."""


class NoteKeeper:
    """A listener that passes progress on to a bar and keeps the notes for later."""

    def __init__(self, bar: ProgressBar) -> None:
        self.progress = bar.progress
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        """Keep a note."""
        self.notes.append(text)


@contextmanager
def progress_bar(title: str, *, quiet: bool = False) -> Iterator[ProgressBar]:
    """A progress bar on standard error, hidden if that is no terminal."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=errors, transient=True, disable=quiet or not errors.is_terminal) as progress:
        yield ProgressBar(progress, progress.add_task(title, total=None), title)
