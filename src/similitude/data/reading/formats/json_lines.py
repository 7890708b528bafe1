"""jsonl: one JSON object per line, with our columns or usual names for them."""

from __future__ import annotations

from dataclasses import replace

from similitude.data.reading.format import GENERAL, BenchmarkSource, Format
from similitude.data.reading.formats.parquet import NATIVE
from similitude.data.reading.json_text import read_json_lines
from similitude.data.reading.judgements import read_companion
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable

__all__ = ["jsonl"]

SUMMARY = "JSON lines with our columns, or usual names for them"
RECOGNISED = "the first line is a JSON object"

SUFFIXES = (".jsonl", ".ndjson")


def jsonl() -> Format:
    """JSON lines."""
    return Format(
        name="jsonl",
        priority=GENERAL,
        summary=SUMMARY,
        recognised=RECOGNISED,
        fits=_fits,
        tables=_tables,
        layout=NATIVE,
    )


def _fits(sniffer: Sniffer) -> bool:
    return bool(sniffer.first_object) or sniffer.suffix in SUFFIXES


def _tables(source: BenchmarkSource) -> list[RawTable]:
    table = read_json_lines(source.path, source.encoding)
    return [replace(table, judgements=read_companion(source.path))]
