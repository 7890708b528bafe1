"""Raw columns from JSON: one object per line, or one document of named entries."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.json_keys import kept_keys, may_repeat_keys, repeated_keys
from similitude.data.reading.mapped_text import mapped_text
from similitude.data.reading.problems import RowProblem, excerpt
from similitude.data.reading.regular_json import regular_columns
from similitude.data.reading.tables import RawTable, numbered
from similitude.data.reading.text_decoder import DecodedText, load_document, load_text
from similitude.errors import FormatError, InputError

__all__ = [
    "JsonEntry",
    "entries_table",
    "no_object",
    "object_columns",
    "parse_document",
    "read_entries",
    "read_json_lines",
]


SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class JsonEntry(NamedTuple):
    """One named object of a document.

    Attributes:
        place: its number in the document, from 1.
        name: its key.
        fields: its own keys and values.
    """

    place: int
    name: str
    fields: Mapping[str, Any]


def read_json_lines(path: Path, encoding: str = "utf-8") -> RawTable:
    """The raw columns of a file with one JSON object per line; blank lines are ignored."""
    mapped = mapped_text(path, encoding, count="\\")
    regular = None if mapped is None else regular_columns(mapped.data, path.name)
    if mapped is not None and regular is not None:
        return replace(_regular_table(path.name, regular), without_nul=mapped.counts.of["\\"] == 0)
    text = load_text(path, encoding)
    regular = None if text.problems or mapped is not None else regular_columns(text.data, text.name)
    if regular is not None:
        return _regular_table(text.name, regular)
    objects, places, problems = _parse_lines(text)
    everything = (*text.problems, *problems)
    return RawTable(file=text.name, columns=object_columns(objects), starts=places, ends=places, problems=everything)


def _regular_table(name: str, columns: Mapping[str, pl.Series]) -> RawTable:
    places = numbered(len(next(iter(columns.values()))))
    return RawTable(file=name, columns=columns, starts=places, ends=places)


def read_entries(path: Path, encoding: str = "utf-8") -> tuple[list[JsonEntry], tuple[RowProblem, ...]]:
    """The entries of a document such as ``{id: {...}, id: {...}}``, and problems for entries that are not objects.

    Raises:
        FormatError: the document is not JSON (the message names line and column) or not an object.
        InputError: two entries have the same name.
    """
    document = parse_document(load_document(path, encoding), path.name)
    if not isinstance(document, dict):
        raise FormatError("the JSON document is not an object", where=path.name, remedy="name another --format")
    entries, problems = [], []
    for place, (name, value) in enumerate(document.items(), start=1):
        if isinstance(value, dict):
            entries.append(JsonEntry(place, name, value))
        else:
            problems.append(no_object(f"{path.name}, entry {excerpt(name)}", place, value))
    return entries, tuple(problems)


def parse_document(text: str, name: str) -> Any:
    """A JSON document.

    Raises:
        FormatError: it is not JSON, or holds half a surrogate pair, which is no text; the message names the line.
        InputError: an object in it has the same key twice.
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        entries = dict(pairs)
        if len(entries) < len(pairs):
            twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
            raise InputError(f"two entries are named {excerpt(twice)}", where=name, remedy="make the names unique")
        return entries

    try:
        value = json.loads(text, object_pairs_hook=unique)
        if SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        line = text[: text.lower().index(half)].count("\n") + 1
        what = f"{half} is half a character (a lone surrogate)"
        raise FormatError(what, where=f"{name}, line {line}", remedy="write the whole character there") from None
    except json.JSONDecodeError as error:
        where = f"{name}, line {error.lineno}, column {error.colno}"
        raise FormatError(f"broken JSON ({error.msg})", where=where, remedy="correct the file there") from None
    except RecursionError:
        raise FormatError("JSON is nested too deeply", where=name, remedy="name another --format") from None


def entries_table(
    file: str, entries: Sequence[JsonEntry], problems: tuple[RowProblem, ...], **constants: str
) -> RawTable:
    """Entries as raw columns."""
    places = np.asarray([entry.place for entry in entries], dtype=np.int64)
    return RawTable(
        file=file,
        columns=object_columns([entry.fields for entry in entries]),
        starts=places,
        ends=places,
        unit="entry",
        labels=[entry.name for entry in entries],
        constants=constants,
        problems=problems,
        container="JSON document",
        details={"layout": "entries by id"},
    )


def object_columns(objects: Sequence[Mapping[str, Any]]) -> dict[str, Sequence[Any]]:
    """Objects as columns; None for keys that an object does not have."""
    shapes = dict.fromkeys(map(tuple, objects))
    names = dict.fromkeys(name for shape in shapes for name in shape)
    if len(shapes) == 1:
        return {name: list(map(itemgetter(name), objects)) for name in names}
    return {name: [entry.get(name) for entry in objects] for name in names}


def _parse_lines(text: DecodedText) -> tuple[list[dict[str, Any]], NDArray[np.int64], list[RowProblem]]:
    """The objects, their line numbers, and problems of other lines."""
    from pydantic_core import from_json

    lines = text.data.rstrip().split(b"\n")
    try:
        objects = [from_json(line, cache_strings="keys") for line in lines]
    except ValueError:
        objects = []
    if objects and set(map(type, objects)) == {dict}:
        return objects, numbered(len(objects)), _repeated(text, lines, objects)
    values = [_parse_line(line, number, text.name) for number, line in enumerate(lines, start=1)]
    problems = [value for value in values if isinstance(value, RowProblem)] + repeated_keys(lines, values, text.name)
    objects = [value for value in values if isinstance(value, dict)]
    places = [number for number, value in enumerate(values, start=1) if isinstance(value, dict)]
    return objects, np.asarray(places, dtype=np.int64), problems


def _repeated(text: DecodedText, lines: Sequence[bytes], objects: Sequence[dict[str, Any]]) -> list[RowProblem]:
    """Problems of keys that are there twice; the whole text is counted first, which is faster than line by line."""
    if may_repeat_keys(text.data, sum(map(len, objects))) and may_repeat_keys(text.data, kept_keys(objects)):
        return repeated_keys(lines, objects, text.name)
    return []


def _parse_line(line: bytes, number: int, name: str) -> dict[str, Any] | RowProblem | None:
    """The object on a line, its problem, or None for a blank line."""
    from pydantic_core import from_json

    if not line or line.isspace():
        return None
    try:
        value = from_json(line, cache_strings="keys")
    except ValueError as error:
        return _broken(number, name, str(error))
    return value if isinstance(value, dict) else no_object(f"{name}, line {number}", number, value)


def _broken(number: int, name: str, why: str) -> RowProblem:
    what, _, column = why.partition(" at line 1 column ")
    where = f"{name}, line {number}, column {column}" if column else f"{name}, line {number}"
    remedy = "write one JSON object per line"
    return RowProblem(place=number, where=where, what=f"broken JSON ({what})", remedy=remedy, error=FormatError)


def no_object(where: str, place: int, value: object) -> RowProblem:
    """The problem of a value that is not an object."""
    what = f"{excerpt(value)} is not a JSON object"
    remedy = 'write {"left": ..., "right": ..., "score": ...}'
    return RowProblem(place=place, where=where, what=what, remedy=remedy, error=FormatError)
