"""Numbers of answers in each category, as answers of people without names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.codes import is_running_number
from similitude.data.reading.column_names import find_column
from similitude.data.reading.column_types import NUMBER, cast
from similitude.data.reading.judgements.answer_values import blanked
from similitude.data.reading.judgements.answers import ROW, WORD, Answers
from similitude.data.reading.judgements.categories import written_categories
from similitude.data.reading.judgements.column_names import ALIASES, FACTS, TEXTS
from similitude.data.reading.problems import listing
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = ["counted_answers", "counted_columns"]

ROWS = 4
"""A column must number at least as many rows to be taken for a row number."""

MOST = 50_000_000
"""More answers than this are no answers, but ids."""

NAME_THEM = "name the columns of counts with --column raters=A,B,C, or that of the items with --column item=NAME"


def counted_columns(table: RawTable, texts: Mapping[str, pl.Series], key: str | None) -> list[str]:
    """The categories of a table of counts: all columns but that of the items and those of their texts.

    Args:
        table: where the rows come from.
        texts: its columns as texts.
        key: the column with the names of the rows.

    Raises:
        InputError: a column may name the rows, or is the sum of the others.
    """
    about = {find_column(texts, ALIASES[name]) for name in (*TEXTS, *FACTS)}
    about |= {name for name in texts if not name.strip()}
    counted = [name for name in texts if name != key and not (name in about and not _numbers(texts[name]).any())]
    if not all(map(str.strip, counted)):
        raise InputError("a column without a name holds numbers", where=table.file, remedy=NAME_THEM)
    for name in counted:
        numbers = _numbers(texts[name])
        others = [_numbers(texts[other]) for other in counted if other != name]
        may_name = key is None and name == counted[0] and len(numbers) >= ROWS
        if is_running_number(numbers, ROWS) or (may_name and len(np.unique(numbers)) == len(numbers)):
            what = f"column '{name}' holds another number in every row: does it name the items or count answers?"
            raise InputError(what, where=table.file, remedy=NAME_THEM)
        if len(others) > 1 and len(numbers) > 1 and np.array_equal(np.sum(others, axis=0), numbers):
            what = f"column '{name}' is the sum of the others in every row: is it a category?"
            raise InputError(what, where=table.file, remedy=NAME_THEM)
    return counted


def counted_answers(
    table: RawTable, texts: Mapping[str, pl.Series], columns: Sequence[str], names: pl.Series
) -> Answers:
    """One answer without a name for each answer that was counted.

    If all columns are named by numbers, these are ratings, else categories in words.

    Args:
        table: where the rows come from.
        texts: its columns as texts.
        columns: one column for each category.
        names: the item of each row.

    Raises:
        InputError: a cell is not a whole number from 0 on.
    """
    if not columns:
        raise InputError("no column counts answers", where=table.file, remedy=NAME_THEM)
    counts = np.array([_counts(table, name, texts[name]) for name in columns]).T
    if counts.sum() > MOST:
        what = f"the cells count {counts.sum():,} answers"
        raise InputError(what, where=table.file, remedy=f"{NAME_THEM}; {MOST:,} answers can be read")
    rows, places = np.nonzero(counts)
    repeats = counts[rows, places]
    categories = pl.Series(list(columns))
    numbers = categories.str.strip_chars().cast(pl.Float64, strict=False)
    answer = WORD if numbers.null_count() else "value"
    given = categories if numbers.null_count() else numbers
    row = np.repeat(rows, repeats)
    frame = pl.DataFrame({ROW: row, "item": names.gather(row), answer: given.gather(np.repeat(places, repeats))})
    sums = counts.sum(axis=1)
    people = " to ".join(dict.fromkeys(f"{end(sums, initial=sums[:1].sum()):,}" for end in (np.min, np.max)))
    note = f"{table.file}: read as counts of answers in {listing(columns)}; {people} answers for each row"
    details = {"rows": "items", "cells": "counts"}
    return Answers.of_table(
        table, frame, notes=(note,), details=details, facts={"categories": written_categories(columns)}
    )


def _counts(table: RawTable, name: str, texts: pl.Series) -> NDArray[np.int64]:
    """The numbers of a column; 0 where there is none."""
    plain = blanked(texts)
    counts = cast(plain, NUMBER).values.fill_null(float("nan")).to_numpy()
    counts = np.where(plain.is_null().to_numpy(), 0.0, counts)
    with np.errstate(invalid="ignore"):
        bad = ~(np.isfinite(counts) & (counts >= 0) & (counts <= MOST) & (counts % 1 == 0))
    if bad.any():
        row = int(np.argmax(bad))
        what = f"column '{name}' holds {texts[row]!r}, which is no number of answers"
        raise InputError(what, where=table.where(row), remedy=NAME_THEM)
    return counts.astype(np.int64)


def _numbers(texts: pl.Series) -> NDArray[np.float64]:
    return cast(blanked(texts), NUMBER).values.fill_null(0.0).to_numpy()
