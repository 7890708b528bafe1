"""Files with one text on each line; the text of line n is row n, so blank lines are rows too."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from similitude.data.reading.byte_blocks import stray_returns
from similitude.data.reading.column_names import find_column
from similitude.data.reading.containers.dialects import TextDialect
from similitude.data.reading.containers.kinds import Kind
from similitude.data.reading.containers.separated import dialect_of
from similitude.data.reading.containers.table import container_of
from similitude.data.reading.disk_frames import frame_on_disk
from similitude.data.reading.free_memory import belongs_on_disk
from similitude.data.reading.mapped_text import mapped_text
from similitude.data.reading.problems import RowProblem
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import RawTable, numbered
from similitude.data.reading.text_decoder import encoding_of, load_text
from similitude.data.reading.texts.column_roles import TEXT_ALIASES, TEXT_NAMES

__all__ = ["LINES", "holds_lines", "lines_table"]

LINES = "lines of text"
TABLES = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json")
"""The endings of files that hold tables even if they look like lines."""

NEVER = "\x1f"
"""A character that separates nothing: a text that has it is left to the exact reader."""


def holds_lines(source: BenchmarkSource) -> bool:
    """Whether a file holds one text on each line, and not a table: it is a text, and has no header that we know."""
    told = source.columns or source.separator is not None or source.header is not None
    if told or source.path.suffix.lower() in TABLES or container_of(source) is not Kind.SEPARATED:
        return False
    return not _has_header(dialect_of(source, TEXT_NAMES))


def lines_table(source: BenchmarkSource) -> RawTable:
    """The lines of a file as a column of texts.

    Raises:
        InputError: the file is missing or empty.
    """
    path = source.path
    problems: tuple[RowProblem, ...] = ()
    column = _mapped_lines(path, source.encoding)
    if column is None:
        text = load_text(path, source.encoding)
        column, problems = pl.Series(text.lines, dtype=pl.String), text.problems
    with path.open("rb") as file:
        encoding, _ = encoding_of(file.read(8), source.encoding)
    places = numbered(len(column))
    return RawTable(
        file=path.name,
        columns={"text": column},
        starts=places,
        ends=places,
        problems=problems,
        container=LINES,
        details={"encoding": encoding},
    )


def _has_header(found: TextDialect) -> bool:
    return bool(found.header) and len(found.first) > 1 and find_column(found.first, _text_names()) is not None


def _text_names() -> tuple[str, ...]:
    return (*TEXT_ALIASES["text"], *TEXT_ALIASES["context"])


def _mapped_lines(path: Path, encoding: str) -> pl.Series | None:
    """The lines of a large file of plain UTF-8, as Polars reads them, on disk if need be; None for other files."""
    text = mapped_text(path, encoding, count=f"\n\r{NEVER}")
    if text is None or text.counts.of[NEVER] or (text.counts.of["\r"] and stray_returns(text.data).size):
        return None
    lines = text.counts.of["\n"] + (text.data[-1:] != b"\n")
    rows = pl.scan_csv(
        path.absolute(),
        has_header=False,
        schema={"text": pl.String},
        separator=NEVER,
        quote_char=None,
        glob=False,
    )
    on_disk = belongs_on_disk(path.stat().st_size, path.name)
    frame = frame_on_disk(rows.collect_batches(), path.name) if on_disk else rows.collect()
    return frame["text"] if frame is not None and frame.height == lines else None
