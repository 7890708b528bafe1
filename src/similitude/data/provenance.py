"""Provenance: where data comes from, and how its files were understood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["FileReading", "Provenance", "Skipped", "of_all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReading:
    """How one file was understood.

    Attributes:
        file: its name.
        container: how the values are stored: separated text, JSON lines, Parquet and so on.
        layout: the name of the format that says what the columns mean.
        rows: how many rows there are below the header.
        kept: how many rows, or answers, were kept.
        columns: our columns to the file's.
        unused: columns of the file that were not used.
        details: further decisions, such as ``{"separator": "tab", "encoding": "utf-8", "positions": "from 1"}``.
        missing: codes that mean that a value is missing, to the number of times that they occur.
    """

    file: str
    container: str
    layout: str
    rows: int
    kept: int
    columns: Mapping[str, str] = field(default_factory=dict)
    unused: tuple[str, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A bad row that a reader left out because the user asked to skip bad rows.

    Attributes:
        where: file and line.
        why: what is wrong with it.
    """

    where: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a benchmark comes from.

    Attributes:
        files: the names of the files.
        readings: how each file was understood.
        format: the name of the file format.
        notes: decisions of the reader that the user should know: columns matched, scale inferred, labels hidden.
        warnings: what is likely to be wrong with the data, though it can be read.
        skipped: bad rows that were left out.
        judged_by: who judged; contains "simulated" if nobody did.
        aggregation: how judgements became gold.
        drawn_from: of how many items these were drawn at random; None if they are all.
    """

    files: tuple[str, ...] = ()
    format: str = ""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    readings: tuple[FileReading, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    judged_by: str | None = None
    aggregation: str | None = None
    drawn_from: int | None = None

    def reading_records(self) -> list[dict[str, Any]]:
        """How each file was understood, as JSON types."""
        return [{**asdict(each), "unused": list(each.unused)} for each in self.readings]


def of_all(items: int, drawn_from: int | None) -> str:
    """How many items there are, and of how many they were drawn.

    >>> of_all(600, 1500), of_all(1500, None)
    ('600 of 1,500', '1,500')
    """
    return f"{items:,}" if drawn_from is None else f"{items:,} of {drawn_from:,}"
