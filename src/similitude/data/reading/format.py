"""What a format is, and the registry of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable
from similitude.registry import Maker, Registry

__all__ = ["FORMATS", "GENERAL", "BenchmarkSource", "Format", "describe_formats", "lacks_of_format"]

GENERAL = -100.0
"""The priority of formats that fit files of many kinds: they are asked last."""


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
        priority: a file is compared with formats from the highest on. A format that is told by a mark of its own keeps
            0; one that fits files of many kinds has `GENERAL`, so that it is asked after those of other packages.
    """

    name: str
    summary: str
    recognised: str
    fits: Callable[[Sniffer], bool]
    tables: Callable[[BenchmarkSource], Sequence[RawTable]]
    layout: ColumnLayout = field(default_factory=ColumnLayout)
    priority: float = 0.0


def lacks_of_format(name: str, maker: Maker, kind: type = Format, reads: str = "tables") -> Iterator[str]:
    """What a function that makes a format must give and does not."""
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
"""Every format, by priority: the order in which a file is compared with them. Other packages join by entry points."""


def describe_formats() -> list[tuple[str, str, str]]:
    """Name, how it is recognised, and what it is, of every format."""
    formats = [maker() for maker in FORMATS.listed().makers.values()]
    return [(each.name, each.recognised, each.summary) for each in formats]
