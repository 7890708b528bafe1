"""Raw columns from one JSON document: rows, columns, or named entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from similitude.data.reading.column_names import plain_name
from similitude.data.reading.containers.dialects import is_header
from similitude.data.reading.containers.kinds import Kind
from similitude.data.reading.json_text import JsonEntry, entries_table, no_object, parse_document
from similitude.data.reading.problems import RowProblem, excerpt, listing
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import RawTable, numbered
from similitude.data.reading.text_decoder import load_document
from similitude.errors import FormatError, InputError

__all__ = ["document_tables", "read_document"]

SPLITS = ("train", "training", "dev", "validation", "valid", "test", "trial")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Document:
    """A parsed document, and what is needed to understand it.

    Attributes:
        file: its name.
        value: the document.
        names: plain names that columns are likely to have.
        columns: the columns that the user named.
        header: whether the first of several lists names the columns, if the user said so.
        within: the keys that lead to the rows.
    """

    file: str
    value: Any
    names: Collection[str]
    columns: Mapping[str, str] = field(default_factory=dict)
    header: bool | None = None
    within: tuple[str, ...] = ()

    def part(self, key: str) -> _Document:
        """What the document holds under a key."""
        return replace(self, value=self.value[key], within=(*self.within, key))

    def details(self, layout: str) -> dict[str, str]:
        """What was found out about the document."""
        return {"layout": layout, **({"rows under": ".".join(self.within)} if self.within else {})}


def read_document(source: BenchmarkSource, names: Collection[str]) -> list[RawTable]:
    """The tables of a JSON document; several if it has one list for each split.

    Args:
        source: the file.
        names: plain names that columns are likely to have.

    Raises:
        FormatError: the document is not JSON, or has no rows.
        InputError: columns differ in length, or an object has the same key twice.
    """
    value = parse_document(load_document(source.path, source.encoding), source.path.name)
    found = _Document(file=source.path.name, value=value, names=names, columns=source.columns, header=source.header)
    return document_tables(found)


def document_tables(found: _Document) -> list[RawTable]:
    """The tables of a parsed document."""
    value = found.value
    if value == []:
        raise _no_rows(found)
    if isinstance(value, list):
        return [_of_list(found)]
    if value == {}:
        raise _no_rows(found)
    if not isinstance(value, dict):
        raise _no_table(found)
    if isinstance(value.get("columns"), list) and _is_rows_of_lists(value.get("data")):
        return [_of_split_orient(found)]
    inside = [key for key, each in value.items() if _is_list_of_objects(each)]
    if inside:
        return _of_inner_lists(found, inside)
    if sum(isinstance(each, dict) for each in value.values()) > len(value) / 2:
        return [_of_objects(found)]
    if _has_empty_lists_alone(found):
        raise _no_rows(found)
    return [_of_columns(found) if any(isinstance(each, list) for each in value.values()) else _of_rows(found, [value])]


def _has_empty_lists_alone(found: _Document) -> bool:
    """Whether a document such as ``{"data": []}`` has nothing in its lists, and no value that could belong to a row."""
    lists = [each for each in found.value.values() if isinstance(each, list)]
    return bool(lists) and not any(lists) and not _hits(found, found.value)


def _is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _is_rows_of_lists(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, list) for each in value)


def _of_list(found: _Document) -> RawTable:
    if _is_rows_of_lists(found.value):
        return _of_lists(found)
    return _of_rows(found, found.value)


def _of_rows(found: _Document, values: Sequence[Any]) -> RawTable:
    """One row for each object; other values are problems."""
    rows = [JsonEntry(place, str(place), each) for place, each in enumerate(values, start=1) if isinstance(each, dict)]
    problems = tuple(
        no_object(f"{found.file}, entry {place}", place, each)
        for place, each in enumerate(values, start=1)
        if not isinstance(each, dict)
    )
    table = entries_table(found.file, rows, problems)
    return replace(table, labels=None, container=Kind.JSON.value, details=found.details("a list of objects"))


def _of_lists(found: _Document) -> RawTable:
    """One row for each list; the first may name the columns."""
    shown = [["" if cell is None else str(cell) for cell in row] for row in found.value[:200]]
    header = found.header if found.header is not None else is_header(shown, found.names, found.columns)
    if header is None:
        what = f"cannot tell whether the first list names the columns: {listing(shown[0], 8)}"
        raise FormatError(what, where=found.file, remedy="say so: --header yes or --header no")
    names = shown[0] if header else [str(at + 1) for at in range(len(shown[0]))]
    return _of_values(found, names, found.value[1:] if header else found.value, 2 if header else 1)


def _of_split_orient(found: _Document) -> RawTable:
    """The layout of pandas that keeps names and values apart."""
    names, rows = [str(name) for name in found.value["columns"]], found.value["data"]
    index = found.value.get("index")
    if _names_rows(index, names) and len(index) == len(rows):
        names, rows = ["index", *names], [[name, *row] for name, row in zip(index, rows, strict=True)]
    return _of_values(found.part("data"), names, rows, 1)


def _names_rows(index: Any, columns: Sequence[str]) -> bool:
    """Whether an index holds names of rows; numbers in it are places in some frame."""
    named = isinstance(index, list) and bool(index) and all(isinstance(name, str) for name in index)
    return named and not any(plain_name(name) == "index" for name in columns)


def _of_values(found: _Document, names: Sequence[str], rows: Sequence[Sequence[Any]], start: int) -> RawTable:
    _refuse_twice(found, names)
    places = [at for at, row in enumerate(rows, start=start) if len(row) == len(names)]
    good = [row for row in rows if len(row) == len(names)]
    problems = tuple(
        _wrong_width(found, at, len(row), len(names))
        for at, row in enumerate(rows, start=start)
        if len(row) != len(names)
    )
    numbers = np.asarray(places, dtype=np.int64)
    return RawTable(
        file=found.file,
        columns={name: [row[at] for row in good] for at, name in enumerate(names)},
        starts=numbers,
        ends=numbers,
        unit="entry",
        problems=problems,
        container=Kind.JSON.value,
        details=found.details("a list of lists"),
    )


def _wrong_width(found: _Document, place: int, count: int, wanted: int) -> RowProblem:
    what = f"{count} values, not {wanted}"
    return RowProblem(
        place=place, where=f"{found.file}, entry {place}", what=what, remedy="give one value for each column"
    )


def _refuse_twice(found: _Document, names: Sequence[str]) -> None:
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise FormatError(f"two columns are named {excerpt(twice)}", where=found.file, remedy="rename one of them")


def _of_inner_lists(found: _Document, inside: Sequence[str]) -> list[RawTable]:
    """The rows under the only key that has a list of objects, or those of each split."""
    if len(inside) == 1:
        split = {"split": inside[0]} if inside[0].lower() in SPLITS else {}
        return [replace(_with_notes(found, inside), constants=split)]
    if all(key.lower() in SPLITS for key in inside):
        return [replace(_of_rows(found.part(key), found.value[key]), constants={"split": key}) for key in inside]
    what = f"several keys hold lists of objects: {listing(inside)}"
    raise FormatError(what, where=found.file, remedy="store the one that you mean as a file of its own")


def _with_notes(found: _Document, inside: Sequence[str]) -> RawTable:
    others = [key for key in found.value if key not in inside]
    table = _of_rows(found.part(inside[0]), found.value[inside[0]])
    note = f"{found.file}: the rows are those under {excerpt(inside[0])}; not read: {listing(others)}"
    return replace(table, notes=(note,)) if others else table


def _of_columns(found: _Document) -> RawTable:
    """One column for each key that has a list; single values beside them are noted."""
    lists = {name: each for name, each in found.value.items() if isinstance(each, list)}
    others = [name for name in found.value if name not in lists]
    if not _could_be_columns(found, lists, others):
        return _of_rows(found, [found.value])
    _refuse_ragged(found, {name: len(each) for name, each in lists.items()})
    places = numbered(len(next(iter(lists.values()))))
    note = (f"{found.file}: not read, because they are not lists: {listing(others)}",) if others else ()
    return RawTable(
        file=found.file,
        columns=lists,
        starts=places,
        ends=places,
        unit="entry",
        notes=note,
        container=Kind.JSON.value,
        details=found.details("columns"),
    )


def _could_be_columns(found: _Document, lists: Mapping[str, Any], others: Sequence[str]) -> bool:
    """Whether lists are columns: no single value beside them has the name of a column, as it has in a row."""
    return len(lists) > 1 and not any(plain_name(name) in found.names for name in others)


def _refuse_ragged(found: _Document, lengths: Mapping[str, int]) -> None:
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name} {length:,}" for name, length in lengths.items())
        remedy = "give every column as many values"
        raise FormatError(f"the columns differ in length: {listing([shown], 1)}", where=found.file, remedy=remedy)


def _of_objects(found: _Document) -> RawTable:
    """Objects within an object: columns by the name of each row, or rows by their id."""
    inner = next(each for each in found.value.values() if isinstance(each, dict))
    if _hits(found, found.value) > _hits(found, inner) or (not _hits(found, inner) and _runs(inner)):
        return _of_indexed_columns(found)
    there = list(enumerate(found.value.items(), start=1))
    entries = [JsonEntry(n, name, _with_key(name, each)) for n, (name, each) in there if isinstance(each, dict)]
    problems = tuple(
        no_object(f"{found.file}, entry {excerpt(name)}", n, each)
        for n, (name, each) in there
        if not isinstance(each, dict)
    )
    table = entries_table(found.file, entries, problems)
    return replace(table, container=Kind.JSON.value, details=found.details("entries by id"))


def _with_key(name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return dict(fields) if any(plain_name(key) == "id" for key in fields) else {"id": name, **fields}


def _hits(found: _Document, keys: Mapping[str, Any]) -> int:
    known = {*found.names, *map(plain_name, found.columns.values())}
    return len({plain_name(key) for key in keys} & known)


def _runs(keys: Mapping[str, Any]) -> bool:
    return list(keys) == [str(at) for at in range(len(keys))]


def _of_indexed_columns(found: _Document) -> RawTable:
    """The usual layout of pandas: each column is an object from row names to values."""
    for name, each in found.value.items():
        if not isinstance(each, dict):
            what = f"{excerpt(each)} under {excerpt(name)} is not a column like the others"
            raise FormatError(what, where=found.file, remedy="remove it")
    rows = list(next(iter(found.value.values())))
    _refuse_ragged(found, {name: len(each) for name, each in found.value.items()})
    for name, each in found.value.items():
        if set(each) != set(rows):
            what = f"column {excerpt(name)} has other rows than the first column"
            raise FormatError(what, where=found.file, remedy="give every column the same rows")
    columns = {name: [each[row] for row in rows] for name, each in found.value.items()}
    if not _runs(dict.fromkeys(rows)) and not any(plain_name(name) == "id" for name in columns):
        columns = {"id": list(rows), **columns}
    table = _of_columns(replace(found, value=columns))
    return replace(table, details=found.details("columns by row name"))


def _no_rows(found: _Document) -> InputError:
    what = f"there are no rows in {excerpt(found.value)}"
    return InputError(what, where=found.file, remedy="at least one row is needed")


def _no_table(found: _Document) -> FormatError:
    what = f"the JSON document holds no rows: {excerpt(found.value)}"
    return FormatError(what, where=found.file, remedy="write a list of objects, or one object per line (.jsonl)")
