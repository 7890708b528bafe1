"""File formats of benchmarks, and their registry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import RawTable
from similitude.errors import ExtensionError, SimilitudeError
from similitude.registry import Maker, Registry

__all__ = [
    "FORMATS",
    "GENERAL",
    "NATIVE",
    "AnyFormat",
    "BenchmarkSource",
    "FileFormat",
    "Format",
    "describe_formats",
    "described",
    "fits",
    "lacks_of_format",
    "tables_of",
]

AnyFormat = TypeVar("AnyFormat", bound="FileFormat")

GENERAL = -100.0
"""The priority of formats that fit files of many kinds, which are tried last."""


NATIVE = ColumnLayout(quiet=False)
"""The layout of general formats: usual names of columns, and no scale but the one that the file states."""


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
        names: whether a table with these columns is of this format, whatever holds it: separated text, JSON, Parquet,
            a data frame. None for formats that are not recognised by the names of their columns.
    """

    tables: Callable[[BenchmarkSource], Sequence[RawTable]]
    layout: ColumnLayout = field(default_factory=ColumnLayout)
    names: Callable[[Sequence[str]], bool] | None = None


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


def fits(known: FileFormat, seen: Sniffer) -> bool:
    """Whether a file or folder looks like one of this format.

    Raises:
        ExtensionError: the format is another package's, and fails.
    """
    with _told(known, known.fits, seen.path):
        return known.fits(seen)


def tables_of(known: Format, source: BenchmarkSource) -> Sequence[RawTable]:
    """The raw tables that a format reads.

    Raises:
        InputError: the file is not as the format has it.
        ExtensionError: the format is another package's, and fails or gives something else.
    """
    with _told(known, known.tables, source.path):
        tables = known.tables(source)
        return tables if _is_ours(known.tables) else [_whole(each) for each in tables]


@contextmanager
def _told(known: FileFormat, function: Callable[..., object], path: Path) -> Iterator[None]:
    """Tell of a format of another package that it failed, with the file; the traceback is the cause."""
    try:
        yield
    except (SimilitudeError, OSError):
        raise
    except Exception as error:
        if _is_ours(function):
            raise
        what = f"format '{known.name}' cannot read it: {type(error).__name__}: {error}"
        remedy = f"correct the file, mend the package ({function.__module__}), or name another --format"
        raise ExtensionError(what, where=path.name, remedy=remedy) from error


def _is_ours(function: Callable[..., object]) -> bool:
    return getattr(function, "__module__", "similitude").partition(".")[0] in ("similitude", "functools")


def _whole(table: RawTable) -> RawTable:
    """A table of another package, whose columns must be as long as its places."""
    counts = {**{name: len(column) for name, column in table.columns.items()}, "ends": len(table.ends)}
    for name, count in counts.items():
        if count != len(table):
            raise ValueError(f"{name} has {count} values, and starts has {len(table)}")
    return table


def describe_formats() -> list[tuple[str, str, str]]:
    """Name, mark of recognition and summary of every format of benchmarks."""
    return described(FORMATS)


def described(formats: Registry[AnyFormat]) -> list[tuple[str, str, str]]:
    """Name, mark of recognition and summary of every format in a registry."""
    known = [maker() for maker in formats.listed().makers.values()]
    return [(each.name, each.recognised, each.summary) for each in known]
