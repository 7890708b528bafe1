"""jsonl: one JSON object per line, with our columns or usual names for them."""

from __future__ import annotations

from similitude.data.reading.containers import Kind
from similitude.data.reading.format import GENERAL, NATIVE, Format
from similitude.data.reading.formats.general import general_tables
from similitude.data.reading.sniffer import Sniffer

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
        tables=general_tables,
        layout=NATIVE,
    )


def _fits(sniffer: Sniffer) -> bool:
    return sniffer.container == Kind.JSON_LINES or bool(sniffer.first_object) or sniffer.suffix in SUFFIXES
