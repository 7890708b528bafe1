"""What makes a typed row unfit, checked over whole columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.problems import RowProblem, excerpt
from similitude.data.reading.tables import RawTable
from similitude.data.scale import Scale
from similitude.errors import ScaleError

__all__ = ["off_scale", "repeated_ids", "row_problems"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCheck:
    """One thing that may be wrong with the values of a column.

    Attributes:
        column: ours.
        bad: which values are, as an expression over the frame.
        what: the message; ``{column}`` is the file's name for the column and ``{value}`` the value.
        remedy: how to mend it.
        needs: other columns without which the question does not arise.
    """

    column: str
    bad: pl.Expr
    what: str
    remedy: str
    needs: tuple[str, ...] = ()


def _blank(column: str) -> RowCheck:
    return RowCheck(
        column=column,
        bad=pl.col(column).is_null(),
        what="column '{column}' is blank",
        remedy="every item needs both texts",
    )


def _nul(column: str) -> RowCheck:
    return RowCheck(
        column=column,
        bad=pl.col(column).str.contains("\0", literal=True),
        what="column '{column}' holds a NUL character",
        remedy="take it out of the text",
    )


def _infinite(column: str) -> RowCheck:
    return RowCheck(
        column=column,
        bad=~pl.col(column).is_finite(),
        what="{value} in column '{column}' is not a finite number",
        remedy="leave it empty where gold is hidden",
    )


def _uneven(column: str) -> RowCheck:
    return RowCheck(
        column=column,
        bad=pl.col(column).list.len() != pl.col("ratings").list.len(),
        what="column '{column}' has not as many entries as there are ratings",
        remedy="give one for each rating",
        needs=("ratings",),
    )


RATINGS_NOT_FINITE = ~pl.col("ratings").list.eval(pl.element().is_not_null() & pl.element().is_finite()).list.all()

CHECKS = (
    RowCheck(column="id", bad=pl.col("id").is_null(), what="the id is blank", remedy="give every row an id, or none"),
    _blank("left"),
    _blank("right"),
    _nul("left"),
    _nul("right"),
    _nul("condition"),
    _infinite("score"),
    _infinite("sigma"),
    RowCheck(
        column="sigma", bad=pl.col("sigma") < 0, what="sigma {value} is below 0", remedy="a deviation is 0 or more"
    ),
    RowCheck(
        column="ratings",
        bad=RATINGS_NOT_FINITE,
        what="{value} in column '{column}' holds something that is not a finite number",
        remedy="leave out ratings that were not given",
    ),
    _uneven("raters"),
    _uneven("rounds"),
)


def row_problems(
    frame: pl.DataFrame, table: RawTable, names: Mapping[str, str]
) -> tuple[list[RowProblem], NDArray[np.bool_]]:  # fmt: skip
    """All problems of all rows, apart from scale and repeated ids, and which rows have one.

    Args:
        frame: typed, in our columns.
        table: where its rows stand.
        names: our columns to the file's, for messages.
    """
    problems: list[RowProblem] = []
    unfit = np.zeros(frame.height, dtype=np.bool_)
    for check in CHECKS:
        if {check.column, *check.needs} <= set(frame.columns):
            mask = frame.select(check.bad.fill_null(value=False)).to_series().to_numpy()
            unfit |= mask
            message = check.what.replace("{column}", names[check.column])
            problems += _each(mask, frame[check.column], table, _filled(message), check.remedy)
    return problems, unfit


def off_scale(frame: pl.DataFrame, table: RawTable, scale: Scale) -> tuple[list[RowProblem], NDArray[np.bool_]]:
    """The rows whose score or ratings do not lie on the scale."""
    scores = _floats(frame, "score")
    mask = ~(np.isnan(scores) | scale.holds(scores))
    remedy = "mend it, or declare the scale with --scale"
    problems = _each(
        mask, pl.Series(scores), table, lambda score: f"score {score:g} is off the scale {scale}", remedy, ScaleError
    )
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
    """The sound rows whose id a sound row above them has."""
    mask = np.zeros(frame.height, dtype=np.bool_)
    positions = np.flatnonzero(sound)
    ids = frame["id"].filter(pl.Series(sound))
    if ids.n_unique() < len(ids):
        mask[positions[~ids.is_first_distinct().to_numpy()]] = True
    remedy = "make ids unique, name another column with --column id=NAME, or number the rows with --column id="
    first = dict(zip(reversed(ids.to_list()), positions[::-1], strict=True)) if mask.any() else {}

    def what(name: str) -> str:
        return f"id {excerpt(name)} stands at {_place(table, first[name])} already"

    return _each(mask, frame["id"], table, what, remedy), mask


def _place(table: RawTable, row: int) -> str:
    return table.where(row).removeprefix(f"{table.file}, ")


def _each(
    mask: NDArray[np.bool_],
    values: pl.Series,
    table: RawTable,
    what: Callable[[Any], str],
    remedy: str,
    error: type[Any] | None = None,
) -> list[RowProblem]:
    more = {} if error is None else {"error": error}
    return [table.problem(int(row), what(values[int(row)]), remedy, **more) for row in np.flatnonzero(mask)]


def _filled(message: str) -> Callable[[Any], str]:
    def what(value: Any) -> str:
        return message.replace("{value}", excerpt(value).strip("'"))

    return what


def _floats(frame: pl.DataFrame, name: str) -> NDArray[np.float64]:
    if name not in frame.columns:
        return np.full(frame.height, np.nan)
    return frame[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _beyond(frame: pl.DataFrame, scale: Scale) -> NDArray[np.bool_]:
    low = frame["ratings"].list.min().fill_null(scale.low).to_numpy()
    high = frame["ratings"].list.max().fill_null(scale.high).to_numpy()
    return ~(scale.holds(low) & scale.holds(high))
