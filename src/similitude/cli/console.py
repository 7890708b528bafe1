"""Where output goes: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import os
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
    "make_console",
    "print_json",
    "print_notes",
    "print_path",
    "print_warnings",
    "results",
    "show",
    "show_with_page",
    "write_page",
]


class Recorded(Protocol):
    """Anything with a JSON record."""

    def record(self) -> Any:
        """The content as JSON types."""
        ...


Found = TypeVar("Found", bound=Recorded)

WIDTH_WITHOUT_TERMINAL = 160
"""The width of tables in pipes and log files, unless COLUMNS says another."""


class PipedConsole(Console):
    """A console that leaves it to the program to end when nobody reads its output any more."""

    def on_broken_pipe(self) -> None:
        """Raise the error on; rich would end the program with exit code 1, which means that a part failed."""
        raise BrokenPipeError


def make_console(*, stderr: bool = False) -> Console:
    """A console as wide as COLUMNS or the terminal say, and plain with NO_COLOR: no colours, no bold."""
    stream = sys.stderr if stderr else sys.stdout
    knows_width = stream.isatty() or os.environ.get("COLUMNS", "").isdigit()
    return PipedConsole(
        stderr=stderr,
        width=None if knows_width else WIDTH_WITHOUT_TERMINAL,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
    )


results = make_console()
errors = make_console(stderr=True)


def print_json(content: Any) -> None:
    """Print results as JSON to standard output."""
    sys.stdout.write(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def deliver(target: str, text: str) -> None:
    """Write text to standard output for "-", or atomically to a file whose path is then printed."""
    from similitude.data.writing.atomic import write_atomically

    if target == "-":
        sys.stdout.write(text)
        return
    write_atomically(Path(target), lambda draft: draft.write_text(text, encoding="utf-8"))
    print_path(target)


def print_path(path: str | Path) -> None:
    """Print the path of a written file on its own line."""
    results.print(str(path), markup=False, highlight=False, soft_wrap=True)


def write_page(path: Path, sheet: Sheet) -> None:
    """Write an HTML page atomically."""
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
    """Print results and notes, or the record of the results as JSON."""
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


def print_warnings(warnings: Iterable[str]) -> None:
    """Print what is likely to be wrong with the data to standard error, whether or not notes are wanted."""
    for warning in warnings:
        errors.print(f"warning: {warning}", style="bold yellow", markup=False, highlight=False, soft_wrap=True)


def print_notes(notes: Iterable[str], *, quiet: bool = False) -> None:
    """Print notes about the result to standard error."""
    for note in () if quiet else notes:
        errors.print(f"note: {note}", style="dim", markup=False, highlight=False, soft_wrap=True)
