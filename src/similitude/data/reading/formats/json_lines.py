"""jsonl: our own columns, or usual names for them, one JSON object a line."""

from __future__ import annotations

from dataclasses import replace

from similitude.data.reading.format import GENERAL, BenchmarkSource, Format
from similitude.data.reading.formats.parquet import NATIVE
from similitude.data.reading.json_text import read_json_lines
from similitude.data.reading.judgements import read_companion
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable

__all__ = ["jsonl"]

SUFFIXES = (".jsonl", ".ndjson")


def jsonl() -> Format:
    """Files with one JSON object a line."""
    return Format(
        name="jsonl",
        priority=GENERAL,
        summary="our own columns, or usual names for them, one JSON object a line",
        recognised="the first line is a JSON object",
        fits=_fits,
        tables=_tables,
        layout=NATIVE,
    )


def _fits(glimpse: Sniffer) -> bool:
    return bool(glimpse.first_object) or glimpse.suffix in SUFFIXES


def _tables(source: BenchmarkSource) -> list[RawTable]:
    table = read_json_lines(source.path, source.encoding)
    return [replace(table, judgements=read_companion(source.path))]
