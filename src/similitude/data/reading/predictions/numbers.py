"""Numbers in a column of predictions: what is a number, what is missing, and what cannot be a score."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from similitude.data.reading.cell_values import CellValues
from similitude.data.reading.column_types import NUMBER, cast, misfit
from similitude.data.reading.problems import RowProblem, excerpt
from similitude.data.reading.tables import Column, RawTable
from similitude.errors import InputError

__all__ = ["LARGEST", "Numbers", "is_numeric", "numbers", "score_column"]

Numbers = NDArray[np.float64]

LARGEST = 1e15
"""No score reaches this; larger numbers are damaged values, or ids."""

DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")
THOUSANDS = re.compile(r"\s*[-+]?\d{1,3}(,\d{3})+(\.\d+)?\s*")
FLAG = "--predictions-"


def numbers(column: Column, cells: CellValues) -> tuple[Numbers, NDArray[np.bool_]]:
    """The numbers of a column, nan for what is blank or no number; and a mask of what is neither blank nor a number."""
    values, misfits = cast(cells.plain(column).column, NUMBER)
    return values.fill_null(float("nan")).to_numpy(), misfits


def is_numeric(column: Column, cells: CellValues) -> bool:
    """Whether most of the values that are there are numbers."""
    found, misfits = numbers(column, cells)
    bad, good = int(misfits.sum()), int(np.isfinite(found).sum())
    return good > 0 and good >= bad


def score_column(table: RawTable, name: str, cells: CellValues) -> Numbers:
    """The numbers of a column of scores or standard deviations; nan where one is missing.

    Raises:
        InputError: a value is no number, not finite, or too large to be a score.
    """
    found, misfits = numbers(table.columns[name], cells)
    problem = _no_number(table, name, misfits, cells.decimal) or _no_score(table, name, found)
    if problem is not None:
        raise InputError(problem.what, where=problem.where, remedy=problem.remedy)
    return found


def _no_number(table: RawTable, name: str, misfits: NDArray[np.bool_], decimal: str) -> RowProblem | None:
    rows = np.flatnonzero(misfits)
    if not rows.size:
        return None
    value = table.columns[name][int(rows[0])]
    what = misfit(value, name, NUMBER) + _more(rows.size)
    return table.problem(int(rows[0]), what, _remedy(value, name, decimal))


def _no_score(table: RawTable, name: str, found: Numbers) -> RowProblem | None:
    rows = np.flatnonzero(np.isinf(found) | (np.abs(found) >= LARGEST))
    if not rows.size:
        return None
    value = found[rows[0]]
    why = "is not finite" if np.isinf(value) else "is too large for a score"
    what = f"{value:g} in column {excerpt(name)} {why}{_more(rows.size)}"
    return table.problem(int(rows[0]), what, "correct this value, or leave it empty where there is no prediction")


def _remedy(value: object, name: str, decimal: str) -> str:
    if isinstance(value, bool):
        return "write 1 and 0, or the score behind the decision"
    text = str(value)
    if text.strip() == name.strip():
        return "the header is repeated there: remove the line"
    if "%" in text:
        return "write 85 or 0.85 instead of 85%, and give the range with --range"
    if decimal == "." and DECIMAL_COMMA.fullmatch(text):
        return f"if the comma comes before the decimals, say so with {FLAG}decimal ,"
    if THOUSANDS.fullmatch(text) or (decimal == "," and "." in text):
        return "write numbers without a separator of thousands"
    return f"correct this value; if it is a code for a missing one, name it with {FLAG}missing"


def _more(count: int) -> str:
    others = count - 1
    return f" (and {others:,} more {'value' if others == 1 else 'values'})" if others else ""
