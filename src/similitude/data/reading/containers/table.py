"""`read_table`: the raw columns of anything that holds a table."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from similitude.data.reading.column_names import ALIASES, plain_name
from similitude.data.reading.containers.columnar import COLUMNAR, read_columnar
from similitude.data.reading.containers.json_document import read_document
from similitude.data.reading.containers.kinds import Kind, kind_of, opening_of, opening_text
from similitude.data.reading.containers.separated import read_separated_text, refuse_unused_separator
from similitude.data.reading.containers.workbook import read_workbook
from similitude.data.reading.files import existing, folder_error
from similitude.data.reading.json_text import read_json_lines
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import RawTable
from similitude.data.reading.text_decoder import encoding_of
from similitude.errors import FormatError

__all__ = ["USUAL_NAMES", "check_separator", "container_of", "plain_names", "read_table", "read_tables"]


def plain_names(names: Iterable[Iterable[str]]) -> frozenset[str]:
    """Usual names of columns in the form in which they are compared."""
    return frozenset(plain_name(name) for each in names for name in each)


USUAL_NAMES = plain_names(ALIASES.values())
"""The usual names of the columns of benchmarks, by which a header is known."""


def read_table(source: BenchmarkSource, names: Collection[str] = USUAL_NAMES) -> RawTable:
    """The raw columns of a file or object that holds one table.

    Args:
        source: a file of any container, or an object in memory.
        names: plain names that a header is likely to have.

    Raises:
        FormatError: the file holds no table or several, is damaged, or can be read in two ways; the message names the
            flag that decides.
        InputError: the file is missing or empty.
    """
    tables = read_tables(source, names)
    if len(tables) > 1:
        what = f"there are {len(tables)} tables, one for each split"
        raise FormatError(what, where=source.path.name, remedy="store each as a file of its own")
    return tables[0]


def check_separator(source: BenchmarkSource, names: Collection[str] = USUAL_NAMES) -> None:
    """Check the separator that the user named for a table of several columns.

    Raises:
        FormatError: it is nowhere in the text.
        InputError: the file is missing or empty.
    """
    if source.table is None and source.separator is not None and container_of(source) is Kind.SEPARATED:
        refuse_unused_separator(source, names)


def read_tables(source: BenchmarkSource, names: Collection[str] = USUAL_NAMES) -> list[RawTable]:
    """The raw columns of a file or object that may hold several tables, one for each split.

    Raises:
        FormatError: as for `read_table`.
        InputError: the file is missing or empty.
    """
    if source.table is not None:
        return [source.table]
    kind = container_of(source)
    if kind is Kind.JSON:
        return _json_tables(source, names)
    if kind is Kind.JSON_LINES:
        return [_lines(source)]
    if kind in COLUMNAR:
        return [read_columnar(source.path, kind)]
    if kind is Kind.WORKBOOK:
        return [read_workbook(source, names)]
    return [read_separated_text(source, names)]


def container_of(source: BenchmarkSource) -> Kind:
    """What holds the values of a file.

    Raises:
        FormatError: the file holds no table.
        InputError: the file is missing, empty, or a folder.
    """
    if existing(source.path).is_dir():
        raise folder_error(source.path)
    opening = opening_of(source.path)
    return kind_of(source.path, opening, opening_text(source.path, opening, source.encoding))


def _lines(source: BenchmarkSource) -> RawTable:
    table = read_json_lines(source.path, source.encoding)
    encoding, _ = encoding_of(opening_of(source.path), source.encoding)
    return replace(table, container=Kind.JSON_LINES.value, details={"encoding": encoding})


def _json_tables(source: BenchmarkSource, names: Collection[str]) -> list[RawTable]:
    """The tables of a document; one object per line if the first line was too long to be told from a document."""
    try:
        return read_document(source, names)
    except FormatError as error:
        if "Extra data" not in str(error) or opening_of(source.path).lstrip()[:1] != b"{":
            raise
        return [_lines(source)]
