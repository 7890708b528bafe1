"""A file of predictions as a table, whatever holds the values."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np

from similitude.data.reading.containers import read_table
from similitude.data.reading.files import existing, folder_error, opening_bytes, refuse_empty
from similitude.data.reading.json_text import parse_document
from similitude.data.reading.predictions.array_file import ARRAY, ARRAYS, archive_table, array_file_table, holds_arrays
from similitude.data.reading.predictions.text_layout import BLANKS, TextLayout, text_layout
from similitude.data.reading.predictions.values import value_table
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import RawTable
from similitude.data.reading.text_decoder import DecodedText, load_document, load_text
from similitude.errors import FormatError

__all__ = ["file_table"]

BINARY = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"\xd0\xcf\x11\xe0")
JSON_LINES = (".jsonl", ".ndjson")


def file_table(source: BenchmarkSource) -> RawTable:
    """The raw columns of a file of predictions.

    Raises:
        InputError: the file cannot be read.
    """
    path = existing(source.path)
    if path.is_dir():
        raise folder_error(path)
    start = opening_bytes(path, 1000)
    refuse_empty(path, start)
    if start.startswith(ARRAY):
        return array_file_table(path)
    if start.startswith(ARRAYS) and holds_arrays(path):
        return archive_table(path)
    if start.startswith((*BINARY, ARRAYS)):
        return read_table(source)
    return _text_table(source)


def _text_table(source: BenchmarkSource) -> RawTable:
    text = load_text(source.path, source.encoding)
    lines = [line for line in text.lines if line.strip()]
    if lines[0].lstrip()[:1] in "[{" or source.path.suffix.lower() in JSON_LINES:
        return _json_table(source, text)
    layout = text_layout(lines, separator=source.separator, header=source.header, decimal=source.decimal)
    if layout.separator == BLANKS:
        return _spaced_table(text, layout)
    table = read_table(replace(source, separator=layout.separator, header=layout.header))
    said = {"separator": source.separator is not None, "header": source.header is not None}
    open_ones = ", ".join(name for name, named in said.items() if not named)
    return replace(table, details={**table.details, "found out": open_ones or "nothing"})


def _json_table(source: BenchmarkSource, text: DecodedText) -> RawTable:
    """Scores in a document or on lines of their own; other JSON is a table."""
    document = _document(source)
    container = "JSON document" if document is not None else "JSON lines"
    found = value_table(_lines(text) if document is None else document, source.path.name, container)
    return read_table(source) if found is None else replace(found, problems=text.problems)


def _document(source: BenchmarkSource) -> Any:
    """The JSON document of a file; None if it is not one."""
    try:
        return parse_document(load_document(source.path, source.encoding), source.path.name)
    except FormatError:
        return None


def _lines(text: DecodedText) -> Any:
    """The values on lines of JSON that are no rows: numbers, lists, or objects of one id and its score."""
    try:
        values = [json.loads(line) for line in text.lines if line.strip()]
    except (ValueError, RecursionError):
        return None
    if all(isinstance(value, dict) and len(value) == 1 for value in values):
        pairs = [next(iter(value.items())) for value in values]
        return pairs if len({key for key, _ in pairs}) > 1 else None
    return values


def _spaced_table(text: DecodedText, layout: TextLayout) -> RawTable:
    """Columns that are aligned with blanks."""
    split = [(number, line.split()) for number, line in enumerate(text.lines, start=1) if line.strip()]
    rows = split[1:] if layout.header else split
    names = split[0][1] if layout.header else [str(at + 1) for at in range(len(split[0][1]))]
    for number, row in split:
        if len(row) != len(names):
            what = f"{len(row)} fields, not {len(names)}"
            remedy = "name the separator with --separator"
            raise FormatError(what, where=f"{text.name}, line {number}", remedy=remedy)
    places = np.array([number for number, _ in rows], dtype=np.int64)
    return RawTable(
        file=text.name,
        columns={name: [row[at] for _, row in rows] for at, name in enumerate(names)},
        starts=places,
        ends=places,
        problems=text.problems,
        container="separated text",
        details={"separator": "spaces", "header": "yes" if layout.header else "no", "found out": "separator, header"},
    )
