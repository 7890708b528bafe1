"""What a format is, and the registry of all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable
from similitude.registry import Registry

__all__ = ["FORMATS", "BenchmarkSource", "Format", "describe_formats"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkSource:
    """What a format is asked to read.

    Attributes:
        path: a file or a folder; for the Hugging Face hub the name as written, ``hf:owner/name``.
        encoding: of text files without a byte-order mark.
        columns: our names to the file's, as far as the user said.
    """

    path: Path
    encoding: str = "utf-8"
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A layout of files that we can read.

    Attributes:
        name: as registered.
        summary: one line for listings.
        recognised: how files of this format are told from others, in words.
        fits: whether a file or folder looks like one of them.
        tables: reads its raw columns; several tables where it stands for several files.
        layout: what its columns mean.
    """

    name: str
    summary: str
    recognised: str
    fits: Callable[[Sniffer], bool]
    tables: Callable[[BenchmarkSource], Sequence[RawTable]]
    layout: ColumnLayout = field(default_factory=ColumnLayout)


FORMATS: Registry[Format] = Registry("format", "similitude.formats")
"""Every format, in the order in which a file is compared with them; other packages join by entry points."""


def describe_formats() -> list[tuple[str, str, str]]:
    """Name, how it is recognised, and what it is, of every format."""
    formats = [FORMATS.maker(name)() for name in FORMATS]
    return [(each.name, each.recognised, each.summary) for each in formats]
