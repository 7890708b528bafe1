"""How files were understood, as lines of a name and a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from similitude.data.provenance import FileReading

__all__ = ["reading_lines", "scale_line"]

ORIGINS = {
    "declared": "declared",
    "format": "fixed by the format",
    "inferred": "guessed from the scores; --scale decides",
}
MOST_COLUMNS = 12


def reading_lines(reading: FileReading) -> Iterator[tuple[str, str]]:
    """What was understood of one file: storage, columns, rows, codes for missing values, and further decisions."""
    stored = ", ".join([reading.container, *_settings(reading.details)])
    yield "file", f"{reading.file}: {stored}; read as {reading.layout}"
    if reading.columns:
        yield "columns", ", ".join(_column(ours, theirs) for ours, theirs in reading.columns.items())
    if reading.unused:
        more = ", ..." if len(reading.unused) > MOST_COLUMNS else ""
        yield "not used", ", ".join(reading.unused[:MOST_COLUMNS]) + more
    left_out = reading.rows - reading.kept
    yield "rows", f"{reading.rows:,}" + (f", of which {left_out:,} are left out" if left_out > 0 else "")
    if reading.missing:
        yield "missing", ", ".join(f"{code} ({count:,} times)" for code, count in reading.missing.items())


def scale_line(scale: str | None, origin: str | None) -> str:
    """A scale with where it comes from."""
    return "none" if scale is None else f"{scale} ({ORIGINS.get(origin or '', origin)})"


def _column(ours: str, theirs: str) -> str:
    return ours if ours == theirs else f"{ours} = {theirs}"


def _settings(details: Mapping[str, str]) -> Iterator[str]:
    return (f"{name} {value}" for name, value in details.items())
