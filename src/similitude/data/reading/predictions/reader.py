"""`read_predictions`: one score per item, from a file or an object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.prediction import Predictions
from similitude.data.reading.arguments import DECIMALS, check_choice, with_prefixed_flags
from similitude.data.reading.cell_values import CellValues
from similitude.data.reading.containers.objects import object_tables
from similitude.data.reading.format import BenchmarkSource
from similitude.data.reading.predictions.headed_table import headed_roles
from similitude.data.reading.predictions.headless_table import headless_roles
from similitude.data.reading.predictions.numbers import Numbers, score_column
from similitude.data.reading.predictions.plausibility import (
    provenance_of,
    refuse_code,
    refuse_moved_gold,
    refuse_negative,
    refuse_row_numbers,
    refuse_shifted_ids,
    refuse_sorted,
)
from similitude.data.reading.predictions.roles import Candidates, Roles, named_roles
from similitude.data.reading.predictions.table_file import file_table
from similitude.data.reading.predictions.texts import Texts, text_columns, text_rows
from similitude.data.reading.predictions.values import value_table, with_index
from similitude.data.reading.problems import LEAVE_OUT, excerpt, settle
from similitude.data.reading.spool import local_files
from similitude.data.reading.tables import RawTable
from similitude.data.scale import Scale
from similitude.errors import InputError

__all__ = ["PredictionTable", "open_predictions", "read_predictions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionTable:
    """A table of predictions that was read, but not yet matched with items.

    Attributes:
        table: its raw columns.
        source: how it was read.
    """

    table: RawTable
    source: BenchmarkSource

    def for_items(
        self,
        ids: Sequence[str],
        *,
        range: Scale | None = None,
        texts: Texts | None = None,
        gold: Numbers | None = None,
    ) -> Predictions:
        """The predictions for these items, in this order, with what was understood as provenance.

        Args:
            ids: the ids of the items.
            range: the range of the scores, which helps to tell scores from other numbers.
            texts: texts and conditions of the items, with which those in the table are compared where it has no ids.
            gold: the scores of the items, with which gold in the table is compared where it has neither ids nor texts.

        Raises:
            InputError: a value is not a number, an item has no prediction or two, or the numbers of rows differ.
        """
        candidates = Candidates(
            table=self.table,
            ids=ids,
            chosen=self.source.columns,
            range=range,
            cells=self.cells,
        )
        named = named_roles(candidates)
        roles = (headless_roles if candidates.headless else headed_roles)(candidates, named)
        refuse_shifted_ids(candidates, roles)
        order, roles = _order(candidates, roles, texts)
        if gold is not None:
            refuse_moved_gold(candidates, roles, order, gold)
        scores, sigmas = self._column(roles.score), self._column(roles.sigma)
        refuse_row_numbers(candidates, roles, scores)
        if gold is not None:
            refuse_sorted(candidates, roles, scores, gold)
        refuse_code(candidates, roles, scores)
        refuse_negative(self.table, roles, sigmas)
        return Predictions(
            scores[order],
            None if sigmas is None else sigmas[order],
            provenance=provenance_of(candidates, roles, scores[order]),
        )

    @property
    def cells(self) -> CellValues:
        """How numbers and missing numbers are written."""
        return CellValues(missing=self.source.missing, decimal=self.source.decimal)

    def _column(self, name: str | None) -> Any:
        return None if name is None else score_column(self.table, name, self.cells)


def open_predictions(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    separator: str | None = None,
    header: bool | None = None,
    decimal: str = ".",
    missing: Sequence[str] = (),
    sheet: str | None = None,
) -> PredictionTable:
    """Read a table of predictions.

    Args:
        source: a file (separated text, JSON, Parquet, Arrow, a workbook, a NumPy array, one number per line), or an
            object: an array, a list of numbers, scores by id, a data frame, a list of records.
        columns: our columns (id, score, sigma) to the file's; an empty name leaves ours out. Columns without names
            have numbers, from 1.
        encoding: the encoding of text files.
        separator: what separates the fields of a text; found out by default.
        header: whether the first row names the columns; found out by default.
        decimal: the character before decimals.
        missing: codes for predictions that are missing.
        sheet: the sheet of a workbook.

    Raises:
        InputError: the file cannot be read.
    """
    check_choice("decimal", decimal, DECIMALS)
    is_path = isinstance(source, str | Path)
    read = BenchmarkSource(
        path=Path(source) if is_path else Path("predictions"),
        encoding=encoding,
        columns=dict(columns or {}),
        separator=separator,
        header=header,
        decimal=decimal,
        missing=tuple(missing),
        sheet=sheet,
    )
    try:
        table = _local_table(read) if is_path else _memory_table(source)
        settle(table.problems, "stop")
    except InputError as error:
        raise _about_predictions(error) from None
    return PredictionTable(table=_all_named(table), source=read)


def read_predictions(
    source: Any, ids: Sequence[str], encoding: str = "utf-8", *, range: Scale | None = None, **options: Any
) -> Predictions:
    """Predictions for the items with these ids, in this order.

    A table with the ids of the items is matched by id; otherwise there must be one row for each item, in order. A
    missing score is nan. What was understood is in the provenance of the predictions.

    Args:
        source: a file or an object; see `open_predictions`.
        ids: the ids of the items.
        encoding: the encoding of text files.
        range: the range of the scores, if it is known.
        options: further arguments of `open_predictions`.

    Raises:
        InputError: a value is not a number, an item has no prediction or two, the numbers of rows differ, or the table
            can be read in more than one way; the message names the option that decides.
    """
    return open_predictions(source, encoding=encoding, **options).for_items(ids, range=range)


def _all_named(table: RawTable) -> RawTable:
    """The table with its number as the name of a column without one, such as the index that pandas writes."""
    names = [name or str(place) for place, name in enumerate(table.columns, start=1)]
    if len(set(names)) < len(names):
        return table
    return replace(table, columns=dict(zip(names, table.columns.values(), strict=True)))


def _about_predictions(error: InputError) -> InputError:
    """The error with the flags for predictions, in place of those for the gold."""
    remedy = with_prefixed_flags(error.remedy.replace(f", {LEAVE_OUT}", ""), "predictions")
    remedy = remedy.replace("a benchmark needs at least one row", "give one prediction per item")
    return type(error)(error.what, where=error.where, remedy=remedy)


def _local_table(source: BenchmarkSource) -> RawTable:
    """The table of a file, a pipe or a packed file, under the name that the user gave."""
    with local_files([str(source.path)]) as (path,):
        table = file_table(replace(source, path=Path(path)))
    written = source.path.name
    return table if str(path) == str(source.path) or written == "-" else replace(table, file=written)


def _memory_table(value: Any) -> RawTable:
    found = value_table(value, "predictions")
    if found is not None:
        return found
    tables = object_tables(with_index(value), "predictions")
    if len(tables) > 1:
        raise InputError(f"{len(tables)} tables", where="predictions", remedy="give the one with the predictions")
    return tables[0]


def _order(candidates: Candidates, roles: Roles, texts: Texts | None) -> tuple[NDArray[np.intp], Roles]:
    """The row of each item in the table, and the roles with a note on how it was found."""
    table, count = candidates.table, len(candidates.ids)
    if roles.id is not None:
        return candidates.match(roles.id).rows(table, roles.id), roles
    if len(table) != count:
        raise InputError(
            f"{len(table):,} predictions for {count:,} items{_why_not(candidates)}",
            where=table.file,
            remedy="give one per line for every item of the gold file, or a table with an id column",
        )
    if texts is None or "id" in candidates.chosen:
        return np.arange(count), roles
    columns = text_columns(candidates, roles.score, texts)
    if columns is None:
        return np.arange(count), roles
    found = text_rows(candidates, columns, texts)
    return found.rows, replace(roles, texts=columns, notes=(*roles.notes, found.note))


def _why_not(candidates: Candidates) -> str:
    """A likely reason why the numbers of rows differ."""
    table, more = candidates.table, len(candidates.table) - len(candidates.ids)
    first = str(next(iter(table.columns.values()))[0]) if len(table) else ""
    if not candidates.headless and more == -1 and "header" in table.details.get("found out", ""):
        return " (if the first line is no header, say so with --predictions-header no)"
    if candidates.headless and more == 1 and first.strip() in ("0", "1"):
        return f" (if the first line, {excerpt(first)}, names the column, say so with --predictions-header yes)"
    blank = int(table.ends[-1]) - int(table.starts[0]) + 1 - len(table) if len(table) and table.unit == "line" else 0
    return f" ({blank:,} blank lines were not counted)" if blank > 0 and more < 0 else ""
