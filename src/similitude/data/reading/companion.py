"""Best-worst judgements in a file beside the items of a benchmark; they are read as they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from similitude.data.judgement import BEST_WORST_SCHEMA
from similitude.data.reading.column_types import BY_DTYPE, cast, misfit
from similitude.data.reading.json_text import read_json_lines
from similitude.data.reading.problems import listing, settle
from similitude.data.reading.tables import RawTable
from similitude.errors import ColumnError

__all__ = ["companion", "read_best_worst", "read_companion"]

NEEDED = ("question", "annotator", "items", "best", "worst")
MAY_BE_BLANK = ("annotator",)
"""Published judgements often do not name annotators."""


def companion(path: Path) -> Path:
    """The path of the judgements that belong to a file of items: ``pairs.judgements.jsonl`` for ``pairs.csv``."""
    return path.with_name(f"{path.stem}.judgements.jsonl")


def read_companion(path: Path) -> pl.DataFrame | None:
    """The judgements beside a file of items; None if there are none."""
    beside = companion(path)
    return read_best_worst(beside) if beside.is_file() and beside != path else None


def read_best_worst(path: Path) -> pl.DataFrame:
    """Best-worst judgements from JSON lines, with the columns of `BEST_WORST_SCHEMA`.

    Raises:
        ColumnError: a column is missing.
        InputError: a row is not valid; judgements of a benchmark are never skipped.
    """
    table = read_json_lines(path)
    for name in NEEDED:
        if name not in table.columns:
            what = f"no column '{name}'; columns there: {listing(table.columns)}"
            raise ColumnError(what, where=path.name, remedy=f"judgements need {', '.join(NEEDED)}")
    return pl.DataFrame({name: _column(table, name) for name in BEST_WORST_SCHEMA})


def _column(table: RawTable, name: str) -> pl.Series:
    if name not in table.columns:
        return pl.Series([None] * len(table), dtype=BEST_WORST_SCHEMA[name])
    kind = BY_DTYPE[BEST_WORST_SCHEMA[name]]
    values, misfits = cast(table.columns[name], kind)
    needed = name in NEEDED and name not in MAY_BE_BLANK
    lacking = misfits | (values.is_null().to_numpy() & needed)
    found = [
        table.problem(int(row), misfit(table.columns[name][int(row)], name, kind), kind.remedy)
        for row in np.flatnonzero(lacking)
    ]
    settle((*table.problems, *found), "stop")
    return values
