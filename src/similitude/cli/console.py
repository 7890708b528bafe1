"""Where output goes: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from rich.console import Console, RenderableType

if TYPE_CHECKING:
    from similitude.report.page.sheet import Sheet

__all__ = [
    "deliver",
    "errors",
    "print_json",
    "print_notes",
    "print_path",
    "results",
    "show",
    "show_with_page",
    "write_page",
]


class Recorded(Protocol):
    """What has a record."""

    def record(self) -> Any:
        """Ready for JSON."""
        ...


Found = TypeVar("Found", bound=Recorded)

WIDTH_WITHOUT_TERMINAL = 160
"""So that a table in a pipe or a log file is not folded to 80 columns."""


def _console(*, stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, width=None if stream.isatty() else WIDTH_WITHOUT_TERMINAL)


results = _console(stderr=False)
errors = _console(stderr=True)


def print_json(content: Any) -> None:
    """Machine-readable results, whole, on standard output."""
    sys.stdout.write(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def deliver(target: str, text: str) -> None:
    """To standard output for "-", else to a file, whole or not at all; the file's path is printed."""
    from similitude.data.writing.atomic import write_atomically

    if target == "-":
        sys.stdout.write(text)
        return
    write_atomically(Path(target), lambda draft: draft.write_text(text, encoding="utf-8"))
    print_path(target)


def print_path(path: str | Path) -> None:
    """Name a file that was written, on a line of its own."""
    results.print(str(path), markup=False, highlight=False, soft_wrap=True)


def write_page(path: Path, sheet: Sheet) -> None:
    """Write a page, whole or not at all."""
    from similitude.data.writing.atomic import write_atomically
    from similitude.report.page.sheet import sheet_page

    text = sheet_page(sheet)
    write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8"))


def show(
    found: Found,
    view: Callable[[Found], RenderableType],
    *,
    json: bool,
    quiet: bool = False,
    notes: Iterable[str] = (),
) -> None:
    """Print what was found with notes about it, or its record as JSON."""
    if json:
        print_json(found.record())
        return
    print_notes(notes, quiet=quiet)
    results.print(view(found))


def show_with_page(
    found: Found,
    view: Callable[[Found], RenderableType],
    sheet: Callable[[Found], Sheet],
    *,
    page: Path | None,
    json: bool,
) -> None:
    """Print what was found, and write a page of it where one is asked for."""
    if page is not None:
        write_page(page, sheet(found))
    show(found, view, json=json)
    if page is not None and not json:
        print_path(page)


def print_notes(notes: Iterable[str], *, quiet: bool = False) -> None:
    """What the user should know about the result, on standard error."""
    for note in () if quiet else notes:
        errors.print(f"note: {note}", style="dim", markup=False, highlight=False, soft_wrap=True)
