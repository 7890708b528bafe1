"""Checks of typed rows: blank texts, values that are not finite, scores off the scale, repeated ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.distinct_ids import are_distinct
from similitude.data.reading.problems import RowProblem, excerpt
from similitude.data.reading.tables import RawTable
from similitude.data.scale import Scale
from similitude.errors import InputError, ScaleError

__all__ = ["RowCheck", "bad_rows", "off_scale", "repeated_ids", "row_problems"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCheck:
    """One thing that may be wrong with a row.

    Attributes:
        bad: true for bad rows, as an expression over the frame.
        what: the message, given the row and our columns' names in the file.
        remedy: how to correct the row.
        needs: columns without which the check is left out.
    """

    bad: pl.Expr
    what: Callable[[Mapping[str, Any], Mapping[str, str]], str]
    remedy: str
    needs: tuple[str, ...]


def bad_rows(frame: pl.DataFrame, checks: Iterable[RowCheck]) -> Iterator[tuple[RowCheck, NDArray[np.bool_]]]:
    """Each check that can be made on the frame, with the rows that it finds bad."""
    for check in checks:
        if set(check.needs) <= set(frame.columns):
            yield check, frame.select(check.bad.fill_null(value=False)).to_series().to_numpy()


def _column_check(column: str, bad: pl.Expr, what: str, remedy: str, *needs: str) -> RowCheck:
    """A check of one column, in whose message ``{column}`` and ``{value}`` are filled in."""

    def message(row: Mapping[str, Any], names: Mapping[str, str]) -> str:
        value = excerpt(row[column]).strip("'")
        return what.replace("{column}", names.get(column, column)).replace("{value}", value)

    return RowCheck(bad=bad, what=message, remedy=remedy, needs=(column, *needs))


def _nul(column: str) -> RowCheck:
    holds_nul = pl.col(column).str.contains("\0", literal=True)
    return _column_check(column, holds_nul, "column '{column}' holds a NUL character", "remove it from the text")


def _blank(column: str) -> RowCheck:
    return _column_check(column, pl.col(column).is_null(), "column '{column}' is blank", "every item needs both texts")


def _infinite(column: str) -> RowCheck:
    what = "{value} in column '{column}' is not a finite number"
    remedy = "leave it empty where gold is hidden, or name the code with --missing"
    return _column_check(column, ~pl.col(column).is_finite(), what, remedy)


def _uneven(column: str) -> RowCheck:
    bad = pl.col(column).list.len() != pl.col("ratings").list.len()
    what = "column '{column}' does not have one entry for each rating"
    return _column_check(column, bad, what, "give one for each rating", "ratings")


RATINGS_NOT_FINITE = ~pl.col("ratings").list.eval(pl.element().is_not_null() & pl.element().is_finite()).list.all()
NOT_FINITE = "{value} in column '{column}' holds something that is not a finite number"

BLANKS = (
    _column_check("id", pl.col("id").is_null(), "the id is blank", "give every row an id, or none"),
    _blank("left"),
    _blank("right"),
)
NULS = (_nul("left"), _nul("right"), _nul("condition"))
VALUES = (
    _infinite("score"),
    _infinite("sigma"),
    _column_check("sigma", pl.col("sigma") < 0, "sigma {value} is below 0", "a standard deviation is 0 or more"),
    _column_check("ratings", RATINGS_NOT_FINITE, NOT_FINITE, "leave out ratings that were not given"),
    _uneven("raters"),
    _uneven("rounds"),
)
CHECKS = (*BLANKS, *NULS, *VALUES)


def row_problems(
    frame: pl.DataFrame, table: RawTable, names: Mapping[str, str]
) -> tuple[list[RowProblem], NDArray[np.bool_]]:  # fmt: skip
    """The problems that can be found without scale and other rows, and a mask of the rows that have one.

    Args:
        frame: typed rows in our columns.
        table: where the rows come from.
        names: our columns to the file's, for messages.
    """
    problems: list[RowProblem] = []
    bad = np.zeros(frame.height, dtype=np.bool_)
    for check, mask in bad_rows(frame, (*BLANKS, *VALUES) if table.without_nul else CHECKS):
        bad |= mask
        for row in np.flatnonzero(mask).tolist():
            problems.append(table.problem(row, check.what(frame.row(row, named=True), names), check.remedy))
    return problems, bad


def off_scale(frame: pl.DataFrame, table: RawTable, scale: Scale) -> tuple[list[RowProblem], NDArray[np.bool_]]:
    """Problems and mask of the rows with a score or rating off the scale."""
    scores = _floats(frame, "score")
    mask = ~(np.isnan(scores) | scale.holds(scores))
    remedy = "correct it, or declare the scale with --scale (if it means that the score is missing: --missing CODE)"
    problems = _each(mask, scores, table, lambda score: f"score {score:g} is off the scale {scale}", remedy, ScaleError)
    if "ratings" in frame.columns and frame["ratings"].null_count() < frame.height:
        beyond = _beyond(frame, scale) & ~mask
        problems += _each(
            beyond, frame["ratings"], table, lambda _: f"a rating is off the scale {scale}", remedy, ScaleError
        )
        mask = mask | beyond
    return problems, mask


def repeated_ids(
    frame: pl.DataFrame, table: RawTable, sound: NDArray[np.bool_]
) -> tuple[list[RowProblem], NDArray[np.bool_]]:  # fmt: skip
    """Problems and mask of the sound rows that repeat the id of an earlier sound row."""
    mask = np.zeros(frame.height, dtype=np.bool_)
    ids = frame["id"] if sound.all() else frame["id"].filter(pl.Series(sound))
    if are_distinct(ids):
        return [], mask
    positions = np.flatnonzero(sound)
    mask[positions[~ids.is_first_distinct().to_numpy()]] = True
    remedy = "make ids unique, name another column with --column id=NAME, or number the rows with --column id="
    first = dict(zip(reversed(ids.to_list()), positions[::-1], strict=True))

    def what(name: str) -> str:
        return f"id {excerpt(name)} is already used at {_place(table, first[name])}"

    return _each(mask, frame["id"], table, what, remedy), mask


def _place(table: RawTable, row: int) -> str:
    return table.where(row).removeprefix(f"{table.file}, ")


def _each(
    mask: NDArray[np.bool_],
    values: pl.Series | NDArray[np.float64],
    table: RawTable,
    what: Callable[[Any], str],
    remedy: str,
    error: type[InputError] = InputError,
) -> list[RowProblem]:
    return [table.problem(row, what(values[row]), remedy, error) for row in np.flatnonzero(mask).tolist()]


def _floats(frame: pl.DataFrame, name: str) -> NDArray[np.float64]:
    if name not in frame.columns:
        return np.full(frame.height, np.nan)
    return frame[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _beyond(frame: pl.DataFrame, scale: Scale) -> NDArray[np.bool_]:
    low = frame["ratings"].list.min().fill_null(scale.low).to_numpy()
    high = frame["ratings"].list.max().fill_null(scale.high).to_numpy()
    return ~(scale.holds(low) & scale.holds(high))
