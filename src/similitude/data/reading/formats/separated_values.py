"""csv: columns separated by commas, tabs or semicolons, with our names or usual names for them."""

from __future__ import annotations

from dataclasses import replace

from similitude.data.reading.format import GENERAL, BenchmarkSource, Format
from similitude.data.reading.formats.parquet import NATIVE
from similitude.data.reading.judgements import read_companion
from similitude.data.reading.separated_text import read_headed
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable

__all__ = ["csv", "read_csv"]


def csv() -> Format:
    """Separated values with a header."""
    return Format(
        name="csv",
        summary="CSV or TSV with a header: our columns, or usual names for them",
        recognised="the first line, split at commas, tabs or semicolons, names a column for left or right",
        fits=lambda sniffer: sniffer.has_columns("left") or sniffer.has_columns("right"),
        tables=_tables,
        layout=NATIVE,
        priority=GENERAL,
    )


def read_csv(source: BenchmarkSource) -> RawTable:
    """The raw columns, split at the separator that gives the header the most known columns."""
    sniffer = Sniffer(source.path, encoding=source.encoding, columns=source.columns)
    return read_headed(source.path, sniffer.separator, source.encoding)


def _tables(source: BenchmarkSource) -> list[RawTable]:
    return [replace(read_csv(source), judgements=read_companion(source.path))]
