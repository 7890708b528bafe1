"""File formats of benchmarks, and their registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable
from similitude.registry import Registry

__all__ = ["FORMATS", "AnyFormat", "BenchmarkSource", "FileFormat", "Format", "describe_formats", "described"]

AnyFormat = TypeVar("AnyFormat", bound="FileFormat")


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkSource:
    """What a format is to read.

    Attributes:
        path: a file or a folder; for the Hugging Face hub the name as the user wrote it, ``hf:owner/name``.
        encoding: the encoding of text files without a byte-order mark.
        columns: the columns that the user named, our names to the file's.
    """

    path: Path
    encoding: str = "utf-8"
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """What formats of benchmarks and of judgements share.

    Attributes:
        name: the name under which the format is registered.
        summary: one line for listings.
        recognised: the mark by which files of this format are recognised, in words.
        fits: whether a file or folder looks like one of this format.
    """

    name: str
    summary: str
    recognised: str
    fits: Callable[[Sniffer], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format(FileFormat):
    """A file format of benchmarks.

    Attributes:
        tables: reads the raw columns; a folder may hold several tables.
        layout: the meaning of the columns.
    """

    tables: Callable[[BenchmarkSource], Sequence[RawTable]]
    layout: ColumnLayout = field(default_factory=ColumnLayout)


FORMATS: Registry[Format] = Registry("format", "similitude.formats")
"""Every format, in the order in which a file is compared with them; other packages join by entry points."""


def describe_formats() -> list[tuple[str, str, str]]:
    """Name, mark of recognition and summary of every format of benchmarks."""
    return described(FORMATS)


def described(formats: Registry[AnyFormat]) -> list[tuple[str, str, str]]:
    """Name, mark of recognition and summary of every format in a registry."""
    known = [formats.maker(name)() for name in formats]
    return [(each.name, each.recognised, each.summary) for each in known]
