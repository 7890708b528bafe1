"""sentence-transformers: the columns sentence1, sentence2, score, as CSV or JSON lines."""

from __future__ import annotations

from similitude.data.reading.drafts import ColumnLayout
from similitude.data.reading.format import GENERAL, BenchmarkSource, Format
from similitude.data.reading.formats.separated_values import read_csv
from similitude.data.reading.json_text import read_json_lines
from similitude.data.reading.problems import listing
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import RawTable
from similitude.errors import FormatError

__all__ = ["sentence_transformers"]

COLUMNS = frozenset({"sentence1", "sentence2", "score"})
TRAINING_PAIRS = frozenset({"anchor", "positive"})


def sentence_transformers() -> Format:
    """What the sentence-transformers library trains on and evaluates with."""
    return Format(
        name="sentence-transformers",
        priority=GENERAL,
        summary="sentence1, sentence2, score, as CSV or JSON lines",
        recognised="header or keys are sentence1, sentence2 and score and no more",
        fits=_fits,
        tables=_tables,
        layout=ColumnLayout(),
    )


def _fits(glimpse: Sniffer) -> bool:
    there = set(glimpse.header)
    return not glimpse.columns and (there == COLUMNS or there >= TRAINING_PAIRS)


def _tables(source: BenchmarkSource) -> list[RawTable]:
    glimpse = Sniffer(source.path, encoding=source.encoding, columns=source.columns)
    if set(glimpse.header) >= TRAINING_PAIRS and not source.columns:
        raise FormatError(
            f"{listing(glimpse.header)} are pairs for training without scores, not similarity data",
            where=glimpse.name,
            remedy="use a file with sentence1, sentence2 and score, or name the columns with --column",
        )
    return [read_json_lines(source.path, source.encoding) if glimpse.looks_like_json else read_csv(source)]
