"""parquet, arrow, workbook and json: tables with our columns, or usual names for them, in their containers."""

from __future__ import annotations

from dataclasses import replace

from similitude.data.reading.companion import read_companion
from similitude.data.reading.containers import Kind, read_tables
from similitude.data.reading.containers.table import check_separator
from similitude.data.reading.format import GENERAL, NATIVE, Format
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import RawTable

__all__ = ["arrow", "general_tables", "json", "parquet", "workbook"]


def parquet() -> Format:
    """Parquet files."""
    summary = "Parquet with our columns, or usual names for them"
    return _general("parquet", summary, "the file begins with PAR1", Kind.PARQUET)


def arrow() -> Format:
    """Arrow files and streams, also called Feather."""
    summary = "Arrow or Feather (version 2) with our columns, or usual names for them"
    return _general(
        "arrow", summary, "the file begins with ARROW1, or is an Arrow stream", Kind.ARROW, Kind.ARROW_STREAM
    )


def workbook() -> Format:
    """Sheets of workbooks."""
    summary = "a sheet of a workbook (.xlsx, .xlsb, .xls, .ods) with our columns, or usual names for them"
    return _general("workbook", summary, "the file is a workbook", Kind.WORKBOOK)


def json() -> Format:
    """JSON documents."""
    return Format(
        name="json",
        summary="a JSON document: a list of objects, columns, entries by id, or one list of objects under a key",
        recognised="a JSON document whose rows have a key for left or right",
        fits=lambda sniffer: sniffer.container == Kind.JSON and _has_a_text(sniffer),
        tables=general_tables,
        layout=NATIVE,
        priority=GENERAL,
    )


def general_tables(source: BenchmarkSource) -> list[RawTable]:
    """The tables of any container, with the judgements in the file beside it."""
    check_separator(source)
    tables = read_tables(source)
    return [replace(tables[0], judgements=read_companion(source.path)), *tables[1:]]


def _general(name: str, summary: str, recognised: str, *kinds: Kind) -> Format:
    return Format(
        name=name,
        summary=summary,
        recognised=recognised,
        fits=lambda sniffer: sniffer.container in kinds,
        tables=general_tables,
        layout=NATIVE,
        priority=GENERAL,
    )


def _has_a_text(sniffer: Sniffer) -> bool:
    return sniffer.has_columns("left") or sniffer.has_columns("right")
