"""`read_texts`: a table of texts from anything that holds one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Any, get_args

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.keywords import keywords_given
from similitude.data.provenance import FileReading, Provenance
from similitude.data.reading.arguments import as_columns, check_choice, listed_paths
from similitude.data.reading.containers.cells import column_cells
from similitude.data.reading.containers.folder import data_files
from similitude.data.reading.containers.objects import object_tables
from similitude.data.reading.containers.table import read_tables
from similitude.data.reading.files import existing, folder_error
from similitude.data.reading.formats.huggingface import huggingface
from similitude.data.reading.problems import OnError, excerpt, nothing_left, settle
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.spool import local_files
from similitude.data.reading.tables import Column, RawTable, numbered
from similitude.data.reading.texts.column_roles import TEXT_NAMES, as_roles
from similitude.data.reading.texts.item_texts import texts_of_items
from similitude.data.reading.texts.json_values import json_values_table
from similitude.data.reading.texts.text_lines import LINES, holds_lines, lines_table
from similitude.data.reading.texts.text_table import TextTable, text_table
from similitude.data.texts import Texts
from similitude.errors import ArgumentError, InputError
from similitude.paths import missing_path

__all__ = ["read_texts"]

SAMPLE = "sample:"
WILD = "*?["
MEANT = {
    "a benchmark needs at least one row": "give at least one text",
    "columns {'left': [...], 'right': [...]}": "a list of texts, columns {'text': [...]}",
    "{'left': [...], 'right': [...]}": "{'text': [...]}",
    "pairs (left, right)": "texts",
}
"""Remedies of the ingest layer that speak of benchmarks, and what they mean for texts."""


def read_texts(
    data: Any,
    *,
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    separator: str | None = None,
    header: bool | None = None,
    sheet: str | None = None,
    on_error: OnError = "stop",
) -> Texts:
    """Texts from files, from the hub, or from objects in memory.

    A file that is neither a table nor JSON holds one text a line; line n is row n, and a blank line is an empty text.
    Dialogues are lists of turns in a column, or rows with a dialogue and a turn. Further columns are kept.

    Args:
        data: a path (also with ``*``), a folder, several paths, packed files, ``-``, ``hf:owner/name``,
            ``sample:NAME``; a list of texts, or of lists of turns; a data frame, a dataset, columns by name, or
            records; a benchmark, whose distinct texts are taken.
        columns: our columns (id, text, turns, group, document, language, domain, source; dialogue, turn and speaker for
            tables with a row for each turn) to the file's. An empty name leaves ours out.
        encoding: the encoding of text files.
        separator: what separates the fields of a table; found out by default.
        header: whether the first row names the columns; found out by default.
        sheet: the sheet of a workbook.
        on_error: "stop" raises an error at the first bad row; "skip" leaves bad rows out and lists them in the
            provenance.

    >>> read_texts([["Hello.", "How may I help?"], ["A table for two, please."]]).frame["context"].to_list()
    [['Hello.', 'How may I help?'], ['A table for two, please.']]

    Raises:
        InputError: a file or a row is not valid, or holds pairs; the message names the place and a remedy.
        ArgumentError: this is nothing that holds texts.
    """
    check_choice("on_error", on_error, get_args(OnError))
    options = {"columns": columns, "encoding": encoding, "separator": separator, "header": header, "sheet": sheet}
    if isinstance(data, Texts | Benchmark | Items) or (isinstance(data, str) and data.startswith(SAMPLE)):
        _refuse_options(data, keywords_given(read_texts, options))
    if isinstance(data, Texts):
        return data
    if isinstance(data, str) and data.startswith(SAMPLE):
        # The room of samples lies above this one, so it is imported by name, when it is asked for.
        data = import_module("similitude.samples").read_sample(data.removeprefix(SAMPLE))
    if isinstance(data, Benchmark | Items):
        return texts_of_items(data)
    chosen = as_roles(as_columns(columns))
    source = BenchmarkSource(
        path=Path(), encoding=encoding, columns=chosen, separator=separator, header=header, sheet=sheet
    )
    try:
        return _joined([text_table(raw, chosen) for raw in _raw_tables(data, source)], on_error)
    except (InputError, ArgumentError) as error:
        raise _about_texts(error) from None


def _refuse_options(data: object, given: Sequence[str]) -> None:
    """Refuse options that would be ignored, because the texts were read before."""
    if given:
        shown = ", ".join(f"{name}=" for name in given)
        what = f"{data if isinstance(data, str) else repr(data)} has its own layout, and {shown} would change nothing"
        raise ArgumentError(what, remedy=f"leave out {shown}")


def _about_texts(error: InputError | ArgumentError) -> InputError | ArgumentError:
    """The error with remedies for texts, in place of those for benchmarks."""
    remedy = error.remedy
    for said, meant in MEANT.items():
        remedy = remedy.replace(said, meant)
    return type(error)(error.what, where=error.where, remedy=remedy)


def _raw_tables(data: Any, source: BenchmarkSource) -> list[RawTable]:
    paths = _paths(data)
    if not paths:
        return _object_tables(data)
    with local_files(paths) as local:
        raws = [table for each in local for table in _file_tables(replace(source, path=Path(each)))]
    return _with_origin(raws) if len(raws) > 1 else raws


def _paths(data: Any) -> list[str | Path]:
    """The paths that are meant; none if this is an object in memory."""
    if isinstance(data, str | Path):
        return _expanded(data)
    if isinstance(data, list | tuple) and data and _are_paths(data):
        return [path for each in listed_paths(data) for path in _expanded(each)]
    return []


def _are_paths(data: Sequence[Any]) -> bool:
    """Whether a list holds paths and not texts: they are of that type, or every text names a file that exists."""
    if any(isinstance(each, Path) for each in data):
        return all(isinstance(each, str | Path) for each in data)
    return all(isinstance(each, str) and _exists(each) for each in data)


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # the text is too long for a name, or has a NUL
        return False


def _expanded(path: str | Path) -> list[str | Path]:
    """The files that a path with wildcards stands for, or the data files of a folder."""
    (path,) = listed_paths(path)
    written = str(path)
    if any(mark in written for mark in WILD) and not _exists(written):
        anchor = Path(written).anchor
        found = sorted(Path(anchor).glob(str(Path(written).relative_to(anchor))))
        if not found:
            raise missing_path(Path(written))
        return [file for each in found for file in _expanded(each)]
    if Path(written).is_dir() and not huggingface().fits(Sniffer(Path(written))):
        return list(data_files(Path(written)).files)
    return [path]


def _file_tables(source: BenchmarkSource) -> list[RawTable]:
    if huggingface().fits(Sniffer.of(source)):
        return list(huggingface().tables(source))
    if existing(source.path).is_dir():
        raise folder_error(source.path)
    values = json_values_table(source)
    if values is not None:
        return [values]
    return [lines_table(source)] if holds_lines(source) else read_tables(source, TEXT_NAMES)


def _object_tables(data: Any) -> list[RawTable]:
    """The raw columns of an object; a list of texts or of lists of turns is one column."""
    listed = data if isinstance(data, list | tuple) else column_cells(data) if _is_series(data) else ()
    first = next((each for each in listed if each is not None), None)
    if isinstance(first, str):
        return [_column(listed, "text", str)]
    if isinstance(first, list) and all(isinstance(turn, str) for turn in first):
        return [_column(listed, "context", list)]
    return object_tables(data)


def _is_series(data: Any) -> bool:
    """Whether this is one column of a library: an array of NumPy without names, or a series."""
    one = isinstance(data, pl.Series) or getattr(data, "ndim", None) == 1
    return one and not getattr(getattr(data, "dtype", None), "names", None)


def _column(values: Column, name: str, kind: type) -> RawTable:
    odd = next((at for at, value in enumerate(values) if not isinstance(value, kind | NoneType)), None)
    if odd is not None:
        what = f"{excerpt(values[odd])} is not a {'text' if kind is str else 'list of turns'}, as the first row is"
        raise ArgumentError(what, where=f"list, row {odd + 1}", remedy="give values of one kind")
    places = numbered(len(values))
    return RawTable(file="list", columns={name: values}, starts=places, ends=places, unit="row", container="list")


def _with_origin(tables: Sequence[RawTable]) -> list[RawTable]:
    """Tables of several files: the name of the file is the source and, for lines of text, the document."""
    return [replace(table, constants={**_origin(table), **table.constants}) for table in tables]


def _origin(table: RawTable) -> dict[str, str]:
    stem = Path(table.file).stem
    return {"source": stem, "document": stem} if table.container == LINES else {"source": stem}


def _joined(tables: Sequence[TextTable], on_error: OnError) -> Texts:
    skipped = tuple(each for table in tables for each in settle(table.problems, on_error))
    frames = _with_distinct_ids(tables)
    whole = frames[0] if len(frames) == 1 else pl.concat(frames, how="diagonal_relaxed")
    files = tuple(dict.fromkeys(table.reading.file for table in tables))
    if not whole.height:
        raise nothing_left("text", files, skipped)
    if "id" not in whole.columns:
        whole = whole.with_columns(pl.int_range(1, whole.height + 1).cast(pl.String).alias("id"))
    readings: tuple[FileReading, ...] = tuple(table.reading for table in tables)
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    return Texts(whole, Provenance(files=files, format="texts", notes=notes, readings=readings, skipped=skipped))


def _with_distinct_ids(tables: Sequence[TextTable]) -> list[pl.DataFrame]:
    """The tables; if files share ids, or only some have any, each id begins with the name of its file."""
    frames = [table.frame for table in tables]
    if len(frames) == 1 or not any("id" in frame.columns for frame in frames):
        return frames
    numbered_ids = pl.int_range(1, pl.len() + 1).cast(pl.String).alias("id")
    frames = [frame if "id" in frame.columns else frame.with_columns(numbered_ids) for frame in frames]
    every = pl.concat([frame["id"] for frame in frames])
    if every.n_unique() == len(every):
        return frames
    stems = [Path(table.reading.file).stem for table in tables]
    labels = stems if len(set(stems)) == len(stems) else [f"{stem}-{n}" for n, stem in enumerate(stems, start=1)]
    return [
        frame.with_columns(pl.concat_str(pl.lit(f"{label}-"), "id").alias("id"))
        for frame, label in zip(frames, labels, strict=True)
    ]
