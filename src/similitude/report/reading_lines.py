"""How files were understood, as lines of a name and a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from similitude.data.provenance import FileReading
from similitude.data.scale import Scale

__all__ = ["reading_lines", "scale_line"]

ORIGINS = {
    "declared": "declared",
    "format": "fixed by the format",
    "inferred": "guessed from the scores; --scale decides",
}
MOST_COLUMNS = 12
OF_ANSWERS = ("rows are", "people", "positions", "repeats", "last by")
"""Decisions about the answers in a file, which have lines of their own."""

ANYTHING = "anything"
USUAL = {"quotes": "enclose fields", "encoding": "utf-8", "header": "yes", "found out": ANYTHING}
"""Settings of containers that go without saying; records in JSON hold all."""

SIGNS = {",": "comma", ";": "semicolon", "|": "bar", " ": "space", "\t": "tab"}


def reading_lines(reading: FileReading) -> Iterator[tuple[str, str]]:
    """What was understood of one file: storage, columns, rows, codes for missing values, and further decisions."""
    answers = {name: value for name, value in reading.details.items() if name in OF_ANSWERS}
    stored = {name: value for name, value in reading.details.items() if name not in OF_ANSWERS}
    yield "file", f"{reading.file}, read as {reading.layout}"
    yield "stored as", ", ".join([reading.container, *_settings(stored)])
    if reading.columns:
        yield "columns", ", ".join(_column(ours, theirs) for ours, theirs in reading.columns.items())
    if reading.unused:
        more = ", ..." if len(reading.unused) > MOST_COLUMNS else ""
        yield "not used", ", ".join(reading.unused[:MOST_COLUMNS]) + more
    yield from answers.items()
    left_out = reading.rows - reading.kept
    yield "rows", f"{reading.rows:,}" + (f", of which {left_out:,} are left out" if left_out > 0 else "")
    if reading.missing:
        yield "missing", ", ".join(f"{code} ({_times(count)})" for code, count in reading.missing.items())


def scale_line(scale: Scale | None) -> str:
    """A scale with where it comes from."""
    return "none" if scale is None else f"{scale} ({ORIGINS.get(scale.origin, scale.origin)})"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _column(ours: str, theirs: str) -> str:
    return ours if ours == theirs else f"{ours} = {theirs}"


def _settings(details: Mapping[str, str]) -> Iterator[str]:
    told = {name: value for name, value in details.items() if USUAL.get(name) not in (value, ANYTHING)}
    return (f"{name}: {SIGNS.get(value, value)}" for name, value in told.items())
