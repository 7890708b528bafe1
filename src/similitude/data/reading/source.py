"""Sources: what is to be read, and how the user said that it is to be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from similitude.data.reading.tables import RawTable

__all__ = ["BenchmarkSource"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkSource:
    """What a format is to read.

    Attributes:
        path: a file or a folder; for the Hugging Face hub the name as the user wrote it, ``hf:owner/name``.
        encoding: the encoding of text files without a byte-order mark.
        columns: the columns that the user named, our names to the file's.
        separator: the separator between fields, if the user named it.
        header: whether the first row holds the names of columns, if the user said so; found out by default.
        decimal: the character before the decimals of a number: a point or a comma.
        missing: codes that the user named for values that are missing, as they are written in the file.
        sheet: the sheet of a workbook, if the user named it.
        table: the columns of an object in memory (a data frame, a list of records), in place of a file.
    """

    path: Path
    encoding: str = "utf-8"
    columns: Mapping[str, str] = field(default_factory=dict)
    separator: str | None = None
    header: bool | None = None
    decimal: str = "."
    missing: tuple[str, ...] = ()
    sheet: str | None = None
    table: RawTable | None = None
