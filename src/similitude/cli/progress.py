"""Progress on standard error while systems score and items are resampled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from similitude.cli.console import errors

__all__ = ["system_progress"]

_COLUMNS = (
    TextColumn("{task.description}"),
    BarColumn(),
    MofNCompleteColumn(),
    TimeElapsedColumn(),
    TextColumn("left"),
    TimeRemainingColumn(),
)


@contextmanager
def system_progress(title: str, *, quiet: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """A bar that names the work at hand; nothing at all where standard error is no terminal."""
    with Progress(*_COLUMNS, console=errors, transient=True, disable=quiet or not errors.is_terminal) as progress:
        task = progress.add_task(title, total=None)

        def advance(stage: str, done: int, total: int) -> None:
            progress.update(task, description=f"{title}: {stage}", completed=done, total=total)

        yield advance
