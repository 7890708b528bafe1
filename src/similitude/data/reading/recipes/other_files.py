"""Columns that stand in other files than the table: gold beside the texts, texts in files of their own."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from similitude.data.plural import agreeing, counted
from similitude.data.reading.json_text import parse_document
from similitude.data.reading.problems import RowProblem, excerpt
from similitude.data.reading.recipe_marks import matching_files
from similitude.data.reading.recipes.cells import cell_texts, refuse_columns, require_columns, with_detail
from similitude.data.reading.recipes.recipe import Recipe
from similitude.data.reading.recipes.recipe_tables import Beside, Documents
from similitude.data.reading.recipes.stored_table import LINES, line_table, stored_table
from similitude.data.reading.recipes.table_files import TableFile, filled
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.tables import Column, RawTable
from similitude.data.reading.text_decoder import load_document, load_text
from similitude.errors import FormatError, InputError

__all__ = ["with_columns_beside", "with_documents"]


def with_columns_beside(
    table: RawTable, file: TableFile, beside: Beside, recipe: Recipe, source: BenchmarkSource
) -> RawTable:
    """The table with the columns of another file.

    Raises:
        InputError: the other file is missing, or does not have one row for each row of the table.
    """
    path = _other_file(file, beside, table)
    if path is None:
        gives = " and ".join(beside.gives)
        note = f"{table.file}: there is no {_wanted(file, beside, table)[0]}, so there is no {gives}"
        return replace(table, notes=(*table.notes, note))
    if beside.lines:
        text = load_text(path, source.encoding)
        other = line_table(text, beside.lines)
    else:
        names = (*beside.columns, *([beside.id] if beside.id else []))
        other = stored_table(path, replace(source, columns={}), recipe.container, names)
        require_columns(other, names, "beside", recipe.name)
    refuse_columns(table, beside.gives, f"which {other.file} gives as well")
    if beside.id:
        return _joined_by_id(table, other, beside, recipe)
    return _joined_by_row(table, other, beside, file.path, source.encoding)


def with_documents(table: RawTable, documents: Documents, folder: Path) -> RawTable:
    """The table with the texts of documents, each in a file that is named after its id.

    Raises:
        InputError: there is no such file at all, or two files have one name.
    """
    found = _by_stem(matching_files(folder, documents.files), documents, folder)
    texts: dict[str, str | None] = {}
    columns: dict[str, Column] = dict(table.columns)
    problems: list[RowProblem] = []
    for ours, theirs in (("left", documents.left), ("right", documents.right)):
        ids = [name or "" for name in cell_texts(table.columns[theirs])]
        for name in ids:
            if name not in texts:
                texts[name] = _text_of(found[name], documents.keys) if name in found else None
        columns[ours] = pl.Series([texts[name] for name in ids], dtype=pl.String)
        problems += [_no_document(table, row, ours, name) for row, name in enumerate(ids) if texts[name] is None]
    table = with_detail(table, documents.files, f"gives left and right: {' and '.join(documents.keys)}")
    return replace(table, columns=columns, problems=(*table.problems, *problems))


def _wanted(file: TableFile, beside: Beside, table: RawTable) -> list[str]:
    return [filled(each, file.fields, "beside.file", table.file) for each in beside.file]


def _other_file(file: TableFile, beside: Beside, table: RawTable) -> Path | None:
    """The first of the other files that exists; None if it is optional."""
    escaped = {name: glob.escape(value) for name, value in file.fields.items()}
    for pattern in beside.file:
        found = matching_files(file.path.parent, filled(pattern, escaped, "beside.file", table.file))
        if len(found) > 1:
            names = " and ".join(str(path) for path in found[:3])
            raise InputError(f"{names} fit '{pattern}' of the recipe", where=table.file, remedy="keep one of them")
        if found:
            return found[0]
    if beside.optional:
        return None
    what = f"{' or '.join(_wanted(file, beside, table))} is missing, which holds {' and '.join(beside.gives)}"
    raise InputError(
        what, where=str(file.path), remedy="put it there, or say optional = true under beside in the recipe"
    )


def _joined_by_row(table: RawTable, other: RawTable, beside: Beside, path: Path, encoding: str) -> RawTable:
    """The columns of the same rows; in two files of lines without header, of the same lines."""
    if beside.lines and _is_headless(table):
        rows, count = [int(line) - 1 for line in table.starts], len(load_text(path, encoding).lines)
    else:
        _refuse_problems(table)
        rows, count = list(range(len(table))), len(table)
    _refuse_problems(other)
    if count != len(other):
        what = f"{counted(count, table.unit)}, but {other.file} has {len(other):,}"
        raise InputError(what, where=table.file, remedy=f"both files need one {table.unit} for each item")
    taken = {name: [other.columns[name][row] for row in rows] for name in beside.gives}
    table = with_detail(table, other.file, f"gives {', '.join(taken)}, {table.unit} by {table.unit}")
    return replace(table, columns={**table.columns, **taken}, partners=(*table.partners, other.file))


def _is_headless(table: RawTable) -> bool:
    """Whether the first line of the file is the first row."""
    return table.unit == "line" and (table.container == LINES or table.details.get("header") == "no")


def _refuse_problems(table: RawTable) -> None:
    """Refuse a table with a bad row: without it, the rows of two files would not belong together."""
    for problem in table.problems:
        raise problem.error(problem.what, where=problem.where, remedy=problem.remedy)


def _joined_by_id(table: RawTable, other: RawTable, beside: Beside, recipe: Recipe) -> RawTable:
    """The columns of the rows that have the same id."""
    ours = recipe.columns.get("id", "id")
    require_columns(table, [ours], "columns.id", recipe.name)
    rows = _rows_by_id(other, str(beside.id))
    ids = [(name or "").strip() for name in cell_texts(table.columns[ours])]
    at = [rows.get(name) for name in ids]
    taken = {
        name: [None if row is None else other.columns[name][row] for row in at] for name in beside.gives
    }  # fmt: skip
    problems = [] if beside.optional else list(_without_row(table, other, ids, at))
    spare = len(set(rows) - set(ids))
    note = f"{other.file}: {agreeing(spare, 'row', 'belongs', 'belong')} to no row of {table.file}"
    return replace(
        with_detail(table, other.file, f"gives {', '.join(taken)}, by {beside.id}"),
        columns={**table.columns, **taken},
        partners=(*table.partners, other.file),
        problems=(*table.problems, *other.problems, *problems),
        notes=(*table.notes, *([note] if spare else [])),
    )


def _rows_by_id(other: RawTable, column: str) -> dict[str, int]:
    rows: dict[str, int] = {}
    for row, name in enumerate(cell_texts(other.columns[column])):
        key = (name or "").strip()
        if key in rows:
            what = f"id {excerpt(key)} in column {excerpt(column)} occurs twice"
            raise InputError(what, where=other.where(row), remedy="keep one of the rows")
        rows[key] = row
    return rows


def _without_row(
    table: RawTable, other: RawTable, ids: Sequence[str], at: Sequence[int | None]
) -> Iterator[RowProblem]:  # fmt: skip
    for row, place in enumerate(at):
        if place is None:
            what = f"{other.file} has no row for id {excerpt(ids[row])}"
            yield table.problem(row, what, "add it there, or say optional = true under beside in the recipe")


def _by_stem(files: Sequence[Path], documents: Documents, folder: Path) -> Mapping[str, Path]:
    if not files:
        what = f"there is no file {documents.files}, which should hold the texts"
        raise InputError(
            what, where=str(folder), remedy="put the texts there, or correct documents.files in the recipe"
        )
    found: dict[str, Path] = {}
    for path in files:
        if path.stem in found:
            raise InputError(f"two documents are named {path.stem}", where=str(path), remedy="keep one of them")
        found[path.stem] = path
    return found


def _text_of(path: Path, keys: Sequence[str]) -> str | None:
    document = parse_document(load_document(path), path.name)
    if not isinstance(document, dict):
        raise FormatError("the JSON document is not an object", where=path.name, remedy="correct the file")
    texts = [document.get(key) for key in keys]
    return "\n".join(text.strip() for text in texts if isinstance(text, str) and text.strip()) or None


def _no_document(table: RawTable, row: int, ours: str, name: str) -> RowProblem:
    what = f"there is no document {excerpt(name)} with a text, which is {ours}"
    return table.problem(row, what, "put it with the others")
