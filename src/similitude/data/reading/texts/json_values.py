"""JSON without names: a list of texts or of lists of turns, or one of either on each line."""

from __future__ import annotations

import json
import re
from types import NoneType
from typing import Any

import numpy as np

from similitude.data.reading.containers.kinds import Kind, opening_of, opening_text
from similitude.data.reading.json_text import parse_document
from similitude.data.reading.problems import RowProblem, excerpt
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import RawTable
from similitude.data.reading.text_decoder import load_document, load_text
from similitude.errors import FormatError

__all__ = ["json_values_table"]

LISTED = re.compile(r'\s*\[\s*(?:"|\[\s*")')
"""How a document begins that lists texts, or lists of texts."""

ON_LINES = re.compile(r'\s*(?:"|\[\s*")')
LINES = (".jsonl", ".ndjson")
REMEDY = "write texts only, or lists of turns only"


def json_values_table(source: BenchmarkSource) -> RawTable | None:
    """The values of a file as one column, ``text`` or ``context``; None for files that hold something else."""
    opening = opening_text(source.path, opening_of(source.path), source.encoding)
    if source.path.suffix.lower() in LINES and ON_LINES.match(opening):
        return _of_lines(source)
    if source.path.suffix.lower() not in LINES and LISTED.match(opening):
        return _of_document(source)
    return None


def _of_document(source: BenchmarkSource) -> RawTable | None:
    name = source.path.name
    try:
        values = parse_document(load_document(source.path, source.encoding), name)
    except FormatError:
        if source.path.suffix.lower() == ".json":
            raise
        return None  # a text that begins with a bracket
    return _table(source, values, list(range(1, len(values) + 1)), (), "entry", Kind.JSON)


def _of_lines(source: BenchmarkSource) -> RawTable:
    text = load_text(source.path, source.encoding)
    places = [number for number, line in enumerate(text.lines, start=1) if line.strip()]
    values: list[Any] = []
    problems: list[RowProblem] = list(text.problems)
    for place in places:
        try:
            values.append(json.loads(text.lines[place - 1]))
        except (ValueError, RecursionError) as error:
            values.append(None)
            problems.append(_problem(source, "line", place, f"broken JSON ({error})", "write one JSON value per line"))
    return _table(source, values, places, tuple(problems), "line", Kind.JSON_LINES)


def _table(
    source: BenchmarkSource,
    values: list[Any],
    places: list[int],
    problems: tuple[RowProblem, ...],
    unit: str,
    container: Kind,
) -> RawTable:
    kind = type(next((value for value in values if value is not None), ""))
    strange = tuple(
        _problem(source, unit, place, f"{excerpt(value)} is not of the kind of the first value", REMEDY)
        for place, value in zip(places, values, strict=True)
        if not isinstance(value, kind | NoneType)
    )
    kept = [value if isinstance(value, kind) else None for value in values]
    numbers = np.asarray(places, dtype=np.int64)
    return RawTable(
        file=source.path.name,
        columns={"text" if kind is str else "context": kept},
        starts=numbers,
        ends=numbers,
        unit=unit,
        problems=(*problems, *strange),
        container=container.value,
    )


def _problem(source: BenchmarkSource, unit: str, place: int, what: str, remedy: str) -> RowProblem:
    return RowProblem(place=place, where=f"{source.path.name}, {unit} {place}", what=what, remedy=remedy)
