"""csv: columns separated by commas, tabs or any other separator, with our names or usual names for them."""

from __future__ import annotations

from dataclasses import replace

from similitude.data.reading.containers import read_table
from similitude.data.reading.format import GENERAL, NATIVE, Format
from similitude.data.reading.formats.general import general_tables
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import RawTable

__all__ = ["csv", "read_csv"]


def csv() -> Format:
    """Separated values with a header."""
    return Format(
        name="csv",
        summary="CSV, TSV or any separator, usually with a header: our columns, or usual names for them",
        recognised="the first line, split at commas, tabs, semicolons, |, || or ::, names a column for left or right",
        fits=lambda sniffer: sniffer.is_text and (sniffer.has_columns("left") or sniffer.has_columns("right")),
        tables=general_tables,
        layout=NATIVE,
        priority=GENERAL,
    )


def read_csv(source: BenchmarkSource) -> RawTable:
    """The raw columns of a file with a header, for tables whose columns are known by other names than ours."""
    return read_table(source if source.header is not None else replace(source, header=True))
