"""sentence-transformers: CSV or JSON lines with the columns sentence1, sentence2 and score."""

from __future__ import annotations

from collections.abc import Sequence

from similitude.data.reading.column_names import plain_name
from similitude.data.reading.containers import read_tables
from similitude.data.reading.format import GENERAL, Format
from similitude.data.reading.sniffer import Sniffer

__all__ = ["sentence_transformers"]

SUMMARY = "sentence1, sentence2, score, as CSV or JSON lines"
RECOGNISED = "the columns or keys are exactly sentence1, sentence2 and score"

COLUMNS = frozenset({"sentence1", "sentence2", "score"})


def sentence_transformers() -> Format:
    """The data on which the sentence-transformers library trains and evaluates."""
    return Format(
        name="sentence-transformers",
        priority=GENERAL,
        summary=SUMMARY,
        recognised=RECOGNISED,
        fits=_fits,
        tables=read_tables,
        names=_names,
    )


def _fits(sniffer: Sniffer) -> bool:
    return not sniffer.columns and sniffer.is_file and _names(sniffer.header)


def _names(there: Sequence[str]) -> bool:
    return set(map(plain_name, there)) == COLUMNS
