"""A cross table of two raters: how many items the one put into the row's category, the other into the column's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

import numpy as np
import polars as pl

from similitude.data.reading.judgements.answer_values import answer_texts
from similitude.data.reading.judgements.answers import ROW, WORD, Answers
from similitude.data.reading.judgements.categories import written_categories
from similitude.data.reading.problems import listing
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = ["cross_table_answers"]

MARGINS = ("total", "totals", "sum", "all", "margin", "gesamt", "summe")
"""Names of rows and columns that may add up the others."""
CORNER = re.compile(r"\s*(?:\\|/|\||\bvs\.?\b|\bby\b|×)\s*")
"""What stands between the names of the two raters in the corner of the table."""
RATERS = ("rows", "columns")
MOST_ITEMS = 50_000_000


def cross_table_answers(table: RawTable) -> Answers:
    """Two answers for each item that is counted: one of the rater in the rows, one of the rater in the columns.

    The first column names the categories of the rows. If all categories are named by numbers, these are ratings, else
    categories in words. A row and a column of totals are left out, and a note says so.

    Args:
        table: square, with the same categories in rows and columns.

    Raises:
        InputError: rows and columns do not have the same categories, or a cell is not a number of items.
    """
    corner, *heads = table.columns
    names = _texts(table, corner).fill_null("").to_list()
    numbers = [_texts(table, head).cast(pl.Float64, strict=False).fill_null(0).to_numpy() for head in heads]
    cells = np.array(numbers, dtype=np.float64).reshape(len(heads), len(names)).T
    sums_up = _margins(heads, cells), _margins(names, cells.T)
    columns = [head for head, margin in zip(heads, sums_up[0], strict=True) if not margin]
    rows = [place for place, margin in enumerate(sums_up[1]) if not margin]
    given, categories = _alike([names[row] for row in rows], [head.strip() for head in columns])
    _refuse_other_names(table, given, categories)
    counts = _counts(table, rows, columns)
    places = {name.casefold(): place for place, name in enumerate(categories)}
    at_row, at_column = np.nonzero(counts)
    times = counts[at_row, at_column]
    by_row = np.array([places[name.casefold()] for name in given])
    frame = _frame(categories, np.repeat(by_row[at_row], times), np.repeat(at_column, times), _raters(corner))
    frame = frame.with_columns(pl.Series(ROW, np.tile(np.repeat(np.array(rows)[at_row], times), 2)))
    sums = zip((*heads, *names), (*sums_up[0], *sums_up[1]), strict=True)
    totals = [name for name, margin in sums if margin]
    left_out = f"; left out: {listing(list(dict.fromkeys(totals)))}" if totals else ""
    counted = f"{int(times.sum()):,} items in {listing(categories)}{left_out}"
    note = f"{table.file}: read as a cross table of two raters; {counted}"
    return Answers.of_table(
        table,
        frame,
        notes=(note,),
        details={"rows": "categories of one rater", "cells": "counts"},
        facts={"categories": written_categories(categories)},
    )


def _margins(names: Sequence[str], cells: np.ndarray) -> list[bool]:
    """Whether each column is a margin: named so, and the sum of the columns that are not."""
    named = np.array([name.strip().casefold() in MARGINS for name in names], dtype=np.bool_)
    if not named.any() or named.all():
        return [False] * len(names)
    sums = cells[:, ~named].sum(axis=1)
    return [bool(margin and np.array_equal(cells[:, at], sums)) for at, margin in enumerate(named)]


def _alike(rows: list[str], columns: list[str]) -> tuple[list[str], list[str]]:
    """The names of both sides, without a start that all of a side share: ``A: yes`` and ``A: no`` become yes and no."""
    if {name.casefold() for name in rows} == {name.casefold() for name in columns} or min(len(rows), len(columns)) < 2:
        return rows, columns
    return _bare(rows), _bare(columns)


def _bare(names: list[str]) -> list[str]:
    columns = zip(*(name.casefold() for name in names), strict=False)
    start = len(list(takewhile(lambda letters: len(set(letters)) == 1, columns)))
    return [name[start:].strip() for name in names]


def _refuse_other_names(table: RawTable, rows: Sequence[str], columns: Sequence[str]) -> None:
    one, other = ({name.casefold() for name in names} for names in (rows, columns))
    if one == other and len(rows) == len(one) > 1 and len(columns) == len(other):
        return
    apart = sorted(one ^ other) or sorted(one)
    what = f"a cross table of two raters has the same categories in rows and columns, and {listing(apart)} differ"
    if not one ^ other:
        what = f"a cross table of two raters has each of two or more categories once, and here are {listing(rows)}"
    remedy = "name the categories in the first column and in the header alike; --kind counts if each row is an item"
    raise InputError(what, where=table.file, remedy=remedy)


def _counts(table: RawTable, rows: Sequence[int], columns: Sequence[str]) -> np.ndarray:
    cells = [_texts(table, name).cast(pl.Float64, strict=False) for name in columns]
    numbers = np.array([column.fill_null(np.nan).to_numpy() for column in cells]).T[list(rows)]
    with np.errstate(invalid="ignore"):
        bad = ~(np.isfinite(numbers) & (numbers >= 0) & (numbers % 1 == 0))
    if bad.any():
        row, column = np.argwhere(bad)[0]
        written = table.columns[columns[column]][rows[row]]
        what = f"column '{columns[column]}' holds {written!r}, which is no number of items"
        raise InputError(what, where=table.where(rows[row]), remedy="cells count items: whole numbers from 0")
    if not 0 < numbers.sum() <= MOST_ITEMS:
        raise InputError(
            f"the cells count {numbers.sum():,.0f} items", where=table.file, remedy=f"1 to {MOST_ITEMS:,} can be read"
        )
    return numbers.astype(np.int64)


def _texts(table: RawTable, name: str) -> pl.Series:
    return answer_texts(table.columns[name]).str.strip_chars()


def _raters(corner: str) -> tuple[str, str]:
    """The names of the two raters if the corner has two, such as ``Ann / Bob``."""
    parts = [part for part in CORNER.split(corner.strip()) if part]
    return (parts[0], parts[1]) if len(parts) == 2 and parts[0] != parts[1] else RATERS


def _frame(categories: Sequence[str], first: np.ndarray, second: np.ndarray, raters: tuple[str, str]) -> pl.DataFrame:
    items = pl.int_range(1, len(first) + 1, eager=True).cast(pl.String)
    words = pl.Series(categories)
    numbers = words.cast(pl.Float64, strict=False)
    answer, given = (WORD, words) if numbers.null_count() else ("value", numbers)
    sides = [
        pl.DataFrame(
            {"item": items, "annotator": pl.Series([name]).new_from_index(0, len(first)), answer: given.gather(at)}
        )
        for name, at in zip(raters, (first, second), strict=True)
    ]
    return pl.concat(sides)
