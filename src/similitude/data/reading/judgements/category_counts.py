"""Numbers of answers in each category, as answers of people without names."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from similitude.data.reading.judgements.answers import ROW, WORD, Answers
from similitude.data.reading.judgements.categories import written_categories
from similitude.data.reading.judgements.column_roles import WideColumn
from similitude.data.reading.problems import listing
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = ["counted_answers"]


def counted_answers(table: RawTable, columns: Mapping[str, WideColumn], names: pl.Series) -> Answers:
    """One answer without a name for each answer that was counted.

    If all columns are named by numbers, these are ratings, else categories in words.

    Args:
        table: where the rows come from.
        columns: one column for each category.
        names: the item of each row.

    Raises:
        InputError: a cell is not a whole number from 0 on.
    """
    counts = np.array([_counts(table, column) for column in columns.values()]).T
    rows, places = np.nonzero(counts)
    repeats = counts[rows, places]
    categories = pl.Series(list(columns))
    numbers = categories.str.strip_chars().cast(pl.Float64, strict=False)
    answer = WORD if numbers.null_count() else "value"
    given = categories if numbers.null_count() else numbers
    row = np.repeat(rows, repeats)
    frame = pl.DataFrame({ROW: row, "item": names.gather(row), answer: given.gather(np.repeat(places, repeats))})
    sums = counts.sum(axis=1)
    people = f"{sums.min():,}" if sums.min() == sums.max() else f"{sums.min():,} to {sums.max():,}"
    note = f"{table.file}: read as counts of answers in {listing(columns)}; {people} answers for each row"
    details = {"rows": "items", "cells": "counts"}
    return Answers.of_table(
        table, frame, notes=(note,), details=details, facts={"categories": written_categories(columns)}
    )


def _counts(table: RawTable, column: WideColumn) -> np.ndarray:
    counts = column.filled
    bad = (counts < 0) | (counts % 1 != 0)
    if column.share < 1 or bad.any():
        row = int(np.argmax(bad))
        what = f"column '{column.name}' holds {column.texts[row]!r}, which is no number of answers"
        remedy = "name the columns of counts with --column 'raters=A,B,C'"
        raise InputError(what, where=table.where(row), remedy=remedy)
    return counts.astype(np.int64)
