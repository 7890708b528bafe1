"""File formats of benchmarks, and their registry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable
from similitude.registry import Maker, Registry

__all__ = [
    "FORMATS",
    "GENERAL",
    "AnyFormat",
    "BenchmarkSource",
    "FileFormat",
    "Format",
    "describe_formats",
    "described",
    "lacks_of_format",
]

AnyFormat = TypeVar("AnyFormat", bound="FileFormat")

GENERAL = -100.0
"""The priority of formats that fit files of many kinds, which are tried last."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """What formats of benchmarks and of judgements share.

    Attributes:
        name: the name under which the format is registered.
        summary: one line for listings.
        recognised: the mark by which files of this format are recognised, in words.
        fits: whether a file or folder looks like one of this format.
        priority: formats are tried in descending order of priority. Formats with a mark of their own keep 0; those that
            fit files of many kinds have `GENERAL`, so that the formats of other packages are tried before them.
    """

    name: str
    summary: str
    recognised: str
    fits: Callable[[Sniffer], bool]
    priority: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Format(FileFormat):
    """A file format of benchmarks.

    Attributes:
        tables: reads the raw columns; a folder may hold several tables.
        layout: the meaning of the columns.
    """

    tables: Callable[[BenchmarkSource], Sequence[RawTable]]
    layout: ColumnLayout = field(default_factory=ColumnLayout)


def lacks_of_format(name: str, maker: Maker, kind: type = Format, reads: str = "tables") -> Iterator[str]:
    """The requirements of a format that the format of this function does not meet."""
    try:
        made = maker()
    except TypeError as error:
        yield f"cannot be made without arguments ({error})"
        return
    if not isinstance(made, kind):
        yield f"is a {type(made).__name__}, not a {kind.__module__}.{kind.__qualname__}"
        return
    if made.name != name:  # type: ignore[attr-defined]
        yield f"calls itself '{made.name}': set name='{name}'"  # type: ignore[attr-defined]
    yield from (
        f"has no {part}, one line for listings" for part in ("summary", "recognised") if not getattr(made, part)
    )
    yield from (f"has a {part} that cannot be called" for part in ("fits", reads) if not callable(getattr(made, part)))


FORMATS: Registry[Format] = Registry(
    "format", "similitude.formats", contract=lacks_of_format, priority=lambda maker: float(maker().priority)
)
"""All formats of benchmarks, in descending order of priority. Other packages add formats with entry points."""


def describe_formats() -> list[tuple[str, str, str]]:
    """Name, mark of recognition and summary of every format of benchmarks."""
    return described(FORMATS)


def described(formats: Registry[AnyFormat]) -> list[tuple[str, str, str]]:
    """Name, mark of recognition and summary of every format in a registry."""
    known = [maker() for maker in formats.listed().makers.values()]
    return [(each.name, each.recognised, each.summary) for each in known]
