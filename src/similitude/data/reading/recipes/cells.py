"""Columns made from the cells of others: split, joined into templates, freed of codes, gathered as ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from similitude.data.plural import counted
from similitude.data.reading.cell_values import CellValues
from similitude.data.reading.problems import RowProblem, excerpt
from similitude.data.reading.recipes.recipe_tables import RatingColumns, SplitCell, Turns
from similitude.data.reading.recipes.table_files import filled
from similitude.data.reading.tables import Column, RawTable
from similitude.errors import ColumnError

__all__ = [
    "cell_texts",
    "refuse_columns",
    "require_columns",
    "split_cells",
    "split_turns",
    "with_detail",
    "with_ratings",
    "with_template",
    "without_codes",
]


def cell_texts(column: Column) -> list[str | None]:
    """The cells as texts; None where there is nothing."""
    return [None if cell is None else cell if isinstance(cell, str) else str(cell) for cell in column]


def with_detail(table: RawTable, key: str, what: str) -> RawTable:
    """The table with one more decision that the reading of the file records."""
    return replace(table, details={**table.details, key: what})


def require_columns(table: RawTable, names: Iterable[str], key: str, recipe: str) -> None:
    """Check that a table has the columns that a key of the recipe names.

    Raises:
        ColumnError: it lacks one.
    """
    lacking = next((name for name in names if name not in table.columns), None)
    if lacking is not None and len(table):
        there = ", ".join(map(repr, table.columns))
        what = f"no column {excerpt(lacking)}, which recipe '{recipe}' names in {key}; columns there: {there}"
        raise ColumnError(what, where=table.file, remedy="read it with another --format, or correct the recipe")


def refuse_columns(table: RawTable, names: Iterable[str], why: str) -> None:
    """Refuse a table that has columns of these names itself.

    Raises:
        ColumnError: it has one of them.
    """
    twice = next((name for name in names if name in table.columns), None)
    if twice is not None:
        what, remedy = f"there is a column {excerpt(twice)}, {why}", "rename one of them in the file and in the recipe"
        raise ColumnError(what, where=table.file, remedy=remedy)


def split_cells(table: RawTable, split: SplitCell) -> RawTable:
    """The table with a column split into several; a cell with another number of parts is a problem of its row."""
    refuse_columns(table, [name for name in split.into if name != split.column], "which the recipe makes by split")
    parts: list[list[str | None]] = []
    problems: list[RowProblem] = []
    for row, cell in enumerate(cell_texts(table.columns[split.column])):
        found: list[str | None] = [*_parts(cell or "", split.by)]
        if len(found) != len(split.into):
            what = f"{excerpt(cell)} in column {excerpt(split.column)} has {counted(len(found), 'part')}, not "
            problems.append(table.problem(row, f"{what}{len(split.into)}", _written(split)))
            found = [None] * len(split.into)
        parts.append(found)
    made = {name: pl.Series([part[at] for part in parts], dtype=pl.String) for at, name in enumerate(split.into)}
    kept = {name: column for name, column in table.columns.items() if name != split.column or name in split.into}
    separators = " or ".join(map(repr, split.by))
    table = with_detail(table, ", ".join(split.into), f"{split.column}, split at {separators}")
    return replace(table, columns={**kept, **made}, problems=(*table.problems, *problems))


def split_turns(table: RawTable, turns: Turns) -> RawTable:
    """The table with the turns of a dialogue as context, and the last of them as left."""
    found = [_turns(cell, turns.by) for cell in cell_texts(table.columns[turns.column])]
    kept = {name: column for name, column in table.columns.items() if name != turns.column}
    table = with_detail(table, "context, left", f"{turns.column}, split at {turns.by!r}; left is the last turn")
    left = pl.Series([each[-1] if each else None for each in found], dtype=pl.String)
    return replace(table, columns={**kept, "context": pl.Series(found, dtype=pl.List(pl.String)), "left": left})


def with_template(table: RawTable, ours: str, template: str, fields: Mapping[str, str]) -> RawTable:
    """The table with a column that a template makes of the other cells, the fields of the file name and the line."""
    cells = {name: cell_texts(column) for name, column in table.columns.items() if f"{{{name}}}" in template}
    made: list[str] = []
    for row in range(len(table)):
        values = {name: column[row] or "" for name, column in cells.items()}
        known = {**fields, "line": str(table.starts[row]), **values}
        made.append(filled(template, known, f"templates.{ours}", table.file))
    return replace(
        with_detail(table, ours, template), columns={**table.columns, ours: pl.Series(made, dtype=pl.String)}
    )


def without_codes(table: RawTable, names: Iterable[str], cells: CellValues, meaning: str) -> RawTable:
    """The table with null in place of codes, and a note that counts them.

    Args:
        table: the table.
        names: the columns that may hold codes.
        cells: the codes, and the character before the decimals.
        meaning: of the codes, for the note.
    """
    columns, found = dict(table.columns), Counter[str]()
    for name in (name for name in names if name in columns):
        columns[name], missing = cells.plain(columns[name])
        found.update(missing)
    notes = [f"{table.file}: {code} means {meaning}: {counted(number, 'value')}" for code, number in found.items()]
    return replace(table, columns=columns, notes=(*table.notes, *notes))


def with_ratings(table: RawTable, ratings: RatingColumns) -> RawTable:
    """The table with the ratings of each row as a list, and the names of those who gave them."""
    columns = [list(table.columns[name]) for name in ratings.columns]
    rows = [[(name, cell) for name, cell in zip(ratings.columns, cells, strict=True) if not _is_blank(cell)]
            for cells in zip(*columns, strict=True)]  # fmt: skip
    values: list[list[object]] = [[_number(cell) for _, cell in row] for row in rows]
    kept = {name: column for name, column in table.columns.items() if name not in ratings.columns}
    table = with_detail(table, "ratings", ", ".join(ratings.columns))
    made: dict[str, Column] = {"ratings": values, "raters": [[name for name, _ in row] for row in rows]}
    return replace(table, columns={**kept, **made})


def _parts(cell: str, separators: Sequence[str]) -> list[str]:
    plain = cell.strip()
    by = next((separator for separator in separators if separator in plain), None)
    return [part.strip() for part in plain.split(by)] if by is not None else [plain]


def _written(split: SplitCell) -> str:
    return f"write {' and '.join(split.into)} with {' or '.join(map(repr, split.by))} between them, once"


def _turns(cell: str | None, by: str) -> list[str] | None:
    found = [turn.strip() for turn in (cell or "").split(by)]
    return [turn for turn in found if turn] or None


def _is_blank(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _number(cell: object) -> object:
    """The number that a text holds; other values stay, so that the checks of types quote them."""
    try:
        return float(cell) if isinstance(cell, str) else cell
    except ValueError:
        return cell
