"""Progress bars on standard error while systems run and items are resampled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from similitude.cli.console import errors
from similitude.cli.patience import PlainLines, bar_shown
from similitude.data.listeners import OptionalListener
from similitude.data.progress_bar import TerminalBar

if TYPE_CHECKING:
    from similitude.data.protocols import Listener

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(title: str, *, quiet: bool = False) -> Iterator[Listener]:
    """A progress bar on standard error, or plain lines now and then if that is no terminal.

    Commands print notes with their results.
    """
    if quiet:
        yield OptionalListener()
    elif not errors.is_terminal:
        lines = PlainLines(title)
        with bar_shown(lines):
            yield lines
    else:
        with bar_shown(), TerminalBar(lambda: errors, title, prints_notes=False) as bar:
            yield bar
