"""Progress on standard error while systems score."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from similitude.cli.console import errors

__all__ = ["system_progress"]


@contextmanager
def system_progress(title: str) -> Iterator[Callable[[str, int, int], None]]:
    """A bar that advances with each system and names the one at work."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task(title, total=None)

        def advance(system: str, done: int, total: int) -> None:
            progress.update(task, description=f"{title}: {system}", completed=done, total=total)

        yield advance
