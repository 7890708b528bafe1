"""sentence-transformers: CSV or JSON lines with the columns sentence1, sentence2 and score."""

from __future__ import annotations

from similitude.data.reading.format import GENERAL, BenchmarkSource, Format
from similitude.data.reading.formats.separated_values import read_csv
from similitude.data.reading.json_text import read_json_lines
from similitude.data.reading.problems import listing
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable
from similitude.errors import FormatError

__all__ = ["sentence_transformers"]

SUMMARY = "sentence1, sentence2, score, as CSV or JSON lines"
RECOGNISED = "the columns or keys are exactly sentence1, sentence2 and score"

COLUMNS = frozenset({"sentence1", "sentence2", "score"})
TRAINING_PAIRS = frozenset({"anchor", "positive"})


def sentence_transformers() -> Format:
    """The data on which the sentence-transformers library trains and evaluates."""
    return Format(
        name="sentence-transformers",
        priority=GENERAL,
        summary=SUMMARY,
        recognised=RECOGNISED,
        fits=_fits,
        tables=_tables,
    )


def _fits(sniffer: Sniffer) -> bool:
    there = set(sniffer.header)
    return not sniffer.columns and (there == COLUMNS or there >= TRAINING_PAIRS)


def _tables(source: BenchmarkSource) -> list[RawTable]:
    sniffer = Sniffer(source.path, encoding=source.encoding, columns=source.columns)
    if set(sniffer.header) >= TRAINING_PAIRS and not source.columns:
        raise FormatError(
            f"{listing(sniffer.header)}: training pairs without scores, not similarity data",
            where=sniffer.name,
            remedy="use a file with sentence1, sentence2 and score, or name the columns with --column",
        )
    return [read_json_lines(source.path, source.encoding) if sniffer.looks_like_json else read_csv(source)]
