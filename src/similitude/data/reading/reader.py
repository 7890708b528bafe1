"""`read`: one benchmark from one or several paths."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from similitude.data.benchmark import Benchmark
from similitude.data.provenance_file import earlier_reading
from similitude.data.reading.arguments import (
    DECIMALS,
    as_columns,
    as_missing,
    as_scale,
    as_text,
    check_choice,
    default_name,
    listed_paths,
)
from similitude.data.reading.assembly import FilePart, combine
from similitude.data.reading.cell_values import CellValues
from similitude.data.reading.containers.objects import is_object, object_tables
from similitude.data.reading.drafts import ColumnLayout, draft
from similitude.data.reading.format import NATIVE, BenchmarkSource, Format, tables_of
from similitude.data.reading.problems import OnError, excerpt
from similitude.data.reading.recognition import files_in, layout_of, recognised_format
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.spool import local_files
from similitude.data.reading.tables import RawTable
from similitude.data.scale import Scale
from similitude.errors import ArgumentError

__all__ = ["OnError", "read"]

TEXT = re.compile(r"\S\s+\S(?!.*\.\w+$)")
SPLIT = re.compile(r"(?:^|[^a-z])(train|dev|validation|test)(?=[^a-z]|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Raw:
    """A raw table with the layout and name of its format."""

    table: RawTable
    layout: ColumnLayout
    format: str


def read(
    path: str | Path | Sequence[str | Path] | object,
    *,
    format: str | None = None,
    scale: str | Scale | tuple[float, float] | None = None,
    columns: Mapping[str, str] | None = None,
    split: str | None = None,
    encoding: str = "utf-8",
    separator: str | None = None,
    header: bool | None = None,
    decimal: str = ".",
    missing: Sequence[str | float] = (),
    sheet: str | None = None,
    on_error: OnError = "stop",
    name: str | None = None,
) -> Benchmark:
    """Read a benchmark from a file, a folder, a name on the Hugging Face hub, several of them, or an object in memory.

    Several paths become one benchmark. A file without a split column then gets the split in its name (train, dev,
    validation or test), and if files share ids, each id begins with the name of its file.

    Args:
        path: one or several paths; names on the hub are written ``hf:owner/name``, ``hf:owner/name:config`` or
            ``hf:owner/name:config#split``. Or an object: a data frame of pandas or Polars, a table of pyarrow, a
            dataset of ``datasets``, columns by name, or a list of records, tuples or ``InputExample``.
        format: the name of a format or a recipe, or the path of a recipe (``.toml``); by default the recipe beside the
            data, else recognised from the content.
        scale: the scale of the scores, such as ``"0..5"``; by default the one that the format fixes or the file
            states, else inferred from the scores.
        columns: our columns to the file's, such as ``{"left": "question1"}``; an empty name leaves our column out.
        split: the split of rows that name none.
        encoding: the encoding of text files; a byte-order mark takes precedence.
        separator: the separator of fields, such as ``";"``, a tab or ``"||"``; found out by default.
        header: whether the first row holds the names of columns; found out by default.
        decimal: the character before the decimals of a number, ``"."`` or ``","``.
        missing: codes for values that are missing, such as ``["-1", "99"]``.
        sheet: the sheet of a workbook; by default its only one.
        on_error: "stop" raises an error at the first bad row; "skip" leaves bad rows out and lists them in the
            provenance.
        name: the name of the benchmark; by default the one that the file states, else the name of the file.

    Raises:
        InputError: a file or a row is not valid; the message names the place and a remedy.
        UnknownNameError: there is no such format.
        ArgumentError: an argument is not valid.
        MissingExtraError: the path is on the hub and ``datasets`` is not installed.
    """
    _refuse_texts(path)
    given = [] if is_object(path) else listed_paths(path)  # type: ignore[arg-type]
    check_choice("on_error", on_error, get_args(OnError))
    declared, name, split = as_scale(scale), as_text("name", name), as_text("split", split)
    check_choice("decimal", decimal, DECIMALS)
    chosen = as_columns(columns)
    source = BenchmarkSource(
        path=Path(),
        encoding=encoding,
        columns=chosen,
        separator=separator,
        header=header,
        decimal=decimal,
        missing=as_missing(missing),
        sheet=sheet,
    )
    paths, notes = _expanded(given, format, encoding)
    with local_files(paths) as local:
        sources = [replace(source, path=Path(each)) for each in local]
        sources = sources or [replace(source, path=Path(table.file), table=table) for table in object_tables(path)]
        raws = [raw for each in sources for raw in _raw_tables(each, format)]
        stem = default_name(given if len(given) > 1 or notes else local) if given else "unnamed"
    raws = [replace(raws[0], table=replace(raws[0].table, notes=(*notes, *raws[0].table.notes))), *raws[1:]]
    raws = [replace(raw, table=_with_split(raw.table, split, several=len(raws) > 1)) for raw in raws]
    if len(paths) > 1:
        raws = [replace(raw, table=_with_source(raw.table)) for raw in raws]
    labels = _labels([raw.table for raw in raws])
    cells = CellValues(missing=source.missing, decimal=decimal)
    parts = [
        FilePart(
            draft=draft(raw.table, raw.layout, chosen, declared=declared is not None, cells=cells),
            label=label,
            format=raw.format,
        )
        for raw, label in zip(raws, labels, strict=True)
    ]
    return combine(
        parts,
        scale=declared,
        on_error=on_error,
        name=name or stem,
        named=name is not None,
    )


def _refuse_texts(given: Any) -> None:
    """Refuse a list of texts, which would be taken for names of files.

    Raises:
        ArgumentError: the first two are no files, hold blanks, and do not end like the name of a file.
    """
    first = given[:2] if isinstance(given, list | tuple) and len(given) > 1 else [None]
    exists = os.path.exists  # Path.exists raises for a long text
    if all(isinstance(each, str) and TEXT.search(each) and not exists(each) for each in first):
        what = f"a list of texts ({excerpt(first[0])}, ...) is no table, and there are no files of these names"
        raise ArgumentError(what, remedy="give pairs: list(zip(lefts, rights, scores))")


def _expanded(given: Sequence[str | Path], format: str | None, encoding: str) -> tuple[list[str | Path], list[str]]:
    """The paths, with the data files of a folder in place of a folder that no format reads as a whole; and notes."""
    paths: list[str | Path] = []
    notes: list[str] = []
    for each in given:
        folder = Path(each)
        found = files_in(folder, format, encoding) if _is_folder(folder) else None
        paths += [each] if found is None else found.files
        notes += [] if found is None else [found.note(folder)]
    return paths, notes


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # the name is too long or not valid, which another check tells
        return False


def _raw_tables(source: BenchmarkSource, format: str | None) -> list[_Raw]:
    known = _format_of(source, format)
    return [_laid_out(table, known) for table in _with_origin(tables_of(known, source), source)]


def _with_origin(tables: Sequence[RawTable], source: BenchmarkSource) -> Sequence[RawTable]:
    """The tables of a file; if we wrote it, with a note on the files that it was made from."""
    made_from = earlier_reading(source.path) if source.table is None else None
    if made_from is None:
        return tables
    return [replace(tables[0], notes=(*tables[0].notes, made_from)), *tables[1:]]


def _laid_out(table: RawTable, known: Format) -> _Raw:
    """A table with its layout; in general formats, the names of the columns tell a layout of their own."""
    other = layout_of(list(table.columns)) if known.layout is NATIVE else None
    layout = known.layout if other is None else other.layout
    return _Raw(table=table, layout=layout, format=known.name)


def _format_of(source: BenchmarkSource, format: str | None) -> Format:
    if format is not None:
        from similitude.data.reading.recipes import named_format

        return named_format(format)
    return recognised_format(Sniffer.of(source))


def _with_split(table: RawTable, said: str | None, *, several: bool) -> RawTable:
    """The table with a split for rows that name none: the user's or, with several files, the one in the file name."""
    in_name = set(SPLIT.findall(table.file.lower())) if several else set()
    split = said or (in_name.pop() if len(in_name) == 1 else None)
    if split is None or "split" in table.constants:
        return table
    return replace(table, constants={**table.constants, "split": split})


def _with_source(table: RawTable) -> RawTable:
    """The table with the name of its file as the source of rows that name none."""
    return replace(table, constants={"source": Path(table.file).stem, **table.constants})


def _labels(tables: Sequence[RawTable]) -> list[str]:
    """A short, unique name for each table."""
    stems = [table.constants.get("split") or Path(table.file).stem for table in tables]
    return stems if len(set(stems)) == len(stems) else [f"{stem}-{n}" for n, stem in enumerate(stems, start=1)]
