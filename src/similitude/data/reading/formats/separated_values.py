"""csv: our own columns, or usual names for them, between commas, tabs or semicolons."""

from __future__ import annotations

from dataclasses import replace

from similitude.data.reading.format import GENERAL, BenchmarkSource, Format
from similitude.data.reading.formats.parquet import NATIVE
from similitude.data.reading.judgements import read_companion
from similitude.data.reading.separated_text import Dialect, has_broken_quotes, separated_table
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable
from similitude.data.reading.text_decoder import load_text

__all__ = ["csv", "read_csv"]

UNQUOTED = "quotes do not open and close around fields, so they are read as characters like any other"


def csv() -> Format:
    """Files with a header and a row a line."""
    return Format(
        name="csv",
        priority=GENERAL,
        summary="our own columns, or usual names for them, as CSV or TSV with a header",
        recognised="the first line, cut at commas, tabs or semicolons, names a column for left or right",
        fits=lambda glimpse: glimpse.has_columns("left") or glimpse.has_columns("right"),
        tables=_tables,
        layout=NATIVE,
    )


def read_csv(source: BenchmarkSource) -> RawTable:
    """The raw columns, cut at the separator under which the header makes most sense.

    Tab-separated files with quotes come in two kinds. They are read as quoted unless their quotes do not match.
    """
    glimpse = Sniffer(source.path, encoding=source.encoding, columns=source.columns)
    text = load_text(source.path, source.encoding)
    dialect = Dialect(separator=glimpse.separator)
    if dialect.separator == "\t" and has_broken_quotes(text, dialect):
        table = separated_table(text, replace(dialect, quoted=False))
        return replace(table, notes=(f"{text.name}: {UNQUOTED}",))
    return separated_table(text, dialect)


def _tables(source: BenchmarkSource) -> list[RawTable]:
    return [replace(read_csv(source), judgements=read_companion(source.path))]
