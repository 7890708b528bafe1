"""Progress bars on standard error while systems run and items are resampled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from similitude.cli.console import errors
from similitude.data.listeners import OptionalListener
from similitude.data.progress_bar import TerminalBar

if TYPE_CHECKING:
    from similitude.data.protocols import Listener

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(title: str, *, quiet: bool = False) -> Iterator[Listener]:
    """A progress bar on standard error, hidden if that is no terminal. Commands print notes with their results."""
    if quiet or not errors.is_terminal:
        yield OptionalListener()
        return
    with TerminalBar(lambda: errors, title, prints_notes=False) as bar:
        yield bar
