"""Raw columns of a file, stored as the recipe says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import polars as pl

from similitude.data.reading.containers.dialects import written_separator
from similitude.data.reading.containers.table import USUAL_NAMES, plain_names, read_table
from similitude.data.reading.problems import listing
from similitude.data.reading.recipes.recipe_tables import Container
from similitude.data.reading.separated_text import Dialect, separated_table
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import RawTable, numbered
from similitude.data.reading.text_decoder import DecodedText, load_text
from similitude.errors import ColumnError, FormatError

__all__ = ["LINES", "line_table", "stored_table"]

LINES = "lines of text"
"""The container of files in which every line is one value."""

UNUSED = "\x1f\x1e\x1d\x1c"
"""Characters that stand in for a separator of several characters, if the text does not have them."""


def stored_table(
    path: Path, source: BenchmarkSource, container: Container, columns: Iterable[str] = ()
) -> RawTable:  # fmt: skip
    """The raw columns of a file.

    Args:
        path: the file.
        source: what the user said; it comes before what the recipe says.
        container: what the recipe says.
        columns: names of columns that the recipe mentions, by which a header is known.
    """
    source = _said(path, source, container)
    if container.lines:
        return line_table(load_text(path, source.encoding), container.lines)
    if source.separator and (container.quotes is not None or container.names or len(source.separator) > 1):
        return _separated(source, container)
    return _renamed(read_table(source, USUAL_NAMES | plain_names([columns])), container)


def line_table(text: DecodedText, name: str) -> RawTable:
    """A table of one column, in which every line is one value; a blank line is null."""
    cells = pl.Series([line if line.strip() else None for line in text.lines], dtype=pl.String)
    places = numbered(len(cells))
    return RawTable(
        file=text.name,
        columns={name: cells},
        starts=places,
        ends=places,
        problems=text.problems,
        container=LINES,
    )


def _said(path: Path, source: BenchmarkSource, container: Container) -> BenchmarkSource:
    """The source with what the recipe says, where the user said nothing."""
    named = source.separator or container.separator
    return replace(
        source,
        path=path,
        encoding=source.encoding if source.encoding != "utf-8" else container.encoding or "utf-8",
        separator=written_separator(named) if named else None,
        header=container.header if source.header is None else source.header,
        sheet=source.sheet or container.sheet,
    )


def _renamed(table: RawTable, container: Container) -> RawTable:
    if not container.names:
        return table
    if len(table.columns) != len(container.names):
        what = f"{len(table.columns)} columns, but container.names of the recipe has {len(container.names)}"
        raise ColumnError(f"{what}: {listing(table.columns)}", where=table.file, remedy="correct the recipe")
    return replace(table, columns=dict(zip(container.names, table.columns.values(), strict=True)))


def _separated(source: BenchmarkSource, container: Container) -> RawTable:
    """Separated text in the dialect that the recipe fixes."""
    text, separator = _one_character(load_text(source.path, source.encoding), str(source.separator))
    quoted = len(str(source.separator)) == 1 if container.quotes is None else container.quotes
    headless = source.header is False or (source.header is None and bool(container.names))
    least = container.fewest or len(container.names)
    dialect = Dialect(
        separator=separator,
        quoted=quoted,
        header=container.names if headless else None,
        widths=frozenset(range(least, len(container.names) + 1)) if headless else frozenset(),
    )
    table = separated_table(text, dialect)
    details = {
        "separator": str(source.separator),
        "header": "no" if headless else "yes",
        "quotes": "yes" * quoted or "no",
    }
    table = replace(table, container="separated text", details={**details, "encoding": source.encoding})
    return table if headless else _renamed(table, container)


def _one_character(text: DecodedText, separator: str) -> tuple[DecodedText, str]:
    """The text with a separator of one character, and this character."""
    if len(separator) == 1:
        return text, separator
    unused = next((each for each in UNUSED if each.encode() not in text.data), None)
    if unused is None:
        remedy = "remove control characters from the texts"
        raise FormatError(f"cannot be split at {separator!r}", where=text.name, remedy=remedy)
    data = text.data.replace(separator.encode(), unused.encode())
    return DecodedText(name=text.name, data=data, problems=text.problems), unused
