"""The figures of a run on parts of its items: by domain, language, source, and contention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.benchmark import Benchmark
from similitude.data.reading.column_names import column_flag
from similitude.data.reading.problems import excerpt
from similitude.errors import ArgumentError
from similitude.evaluate.measures import Figure
from similitude.study.benchmark_comparison import comparison_of
from similitude.study.contention import contention_of, knows_contention
from similitude.study.folder import RunFolder
from similitude.study.runs import Run

__all__ = [
    "COLUMNS",
    "CONTENTION",
    "LEAST_ITEMS",
    "Breakdown",
    "Part",
    "SmallPart",
    "breakdown",
    "breakdown_rows",
    "can_divide",
    "check_columns",
    "save_breakdown",
]

CONTENTION = "contention"
"""Not a column of the items: whether people differ over them, by `similitude.study.contention`."""

COLUMNS = ("domain", "language", "source", CONTENTION)
"""The columns that items are divided by unless others are named."""

LEAST_ITEMS = 10
"""Parts with fewer items are listed but not measured, since their figures would be noise."""


class SmallPart(NamedTuple):
    """Items that share a value, too few to measure. The name is None if they have no value."""

    name: str | None
    items: int


class Part(NamedTuple):
    """Items that share a value, with the figures of every system: systems x measures."""

    name: str | None
    items: int
    figures: tuple[tuple[Figure, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """The items divided by one column.

    Attributes:
        parts: large enough to measure, largest first.
        too_small: the others, largest first.
    """

    column: str
    parts: tuple[Part, ...]
    too_small: tuple[SmallPart, ...]


def breakdown(run: Run, columns: Sequence[str] | None = None, *, at_least: int = LEAST_ITEMS) -> tuple[Breakdown, ...]:
    """The figures of every system on each part of the items, column by column.

    Predictions and mappings are those of the run; nothing is scored or fitted again. Items without a value form a part
    of their own. If no columns are named, those with the same value for all items are left out.

    Args:
        run: the run.
        columns: text columns of the items, or "contention"; by default all of `COLUMNS`.
        at_least: the fewest items of a part that is measured.

    Raises:
        ArgumentError: the items have no such text column, or gold does not say how far people differ.
    """
    if columns is not None:
        return tuple(_divided(run, column, _values(run.benchmark, column), at_least) for column in columns)
    known = COLUMNS if knows_contention(run.benchmark) else [name for name in COLUMNS if name != CONTENTION]
    columns_values = [(column, _values(run.benchmark, column)) for column in known]
    return tuple(_divided(run, column, values, at_least) for column, values in columns_values if values.n_unique() > 1)


def check_columns(benchmarks: Sequence[Benchmark], columns: Sequence[str]) -> None:
    """Check that the items of at least one benchmark can be divided by each of the columns.

    Raises:
        ArgumentError: they cannot; the message is about the first benchmark.
    """
    for column in columns:
        if not any(can_divide(benchmark, column) for benchmark in benchmarks):
            _values(benchmarks[0], column)


def can_divide(benchmark: Benchmark, column: str) -> bool:
    """Whether items have this column, and whether gold says how far people differ if that is asked for."""
    return knows_contention(benchmark) if column == CONTENTION else benchmark.frame.schema.get(column) == pl.String()


def breakdown_rows(run: Run, found: Breakdown) -> Iterator[dict[str, Any]]:
    """The figures in long form, one row per figure; undefined values are None and have a reason."""
    for part in found.parts:
        for record, figures in zip(run.systems, part.figures, strict=True):
            for measure, figure in zip(run.measures, figures, strict=True):
                yield {
                    "data": run.data.name,
                    "judged_by": run.data.judged_by,
                    "by": found.column,
                    "part": part.name,
                    "items": part.items,
                    "system": record.identity,
                    "measure": str(measure),
                    "value": None if np.isnan(figure.value) else figure.value,
                    "undefined_because": figure.reason,
                }


def save_breakdown(run: Run, breakdowns: Sequence[Breakdown]) -> None:
    """Write one file ``results-by-COLUMN.csv`` per column into the folder of a saved run."""
    if run.folder is None:
        return
    for found in breakdowns:
        if found.parts:
            RunFolder(run.folder).write_csv(f"results-by-{found.column}.csv", breakdown_rows(run, found))


def _values(benchmark: Benchmark, column: str) -> pl.Series:
    """The value of each item in a column."""
    if column == CONTENTION:
        if not knows_contention(benchmark):
            raise ArgumentError(
                "items cannot be divided by 'contention': gold has neither ratings nor standard deviations",
                where=benchmark.name,
                remedy="use data with every rater's rating, or with a column sigma",
            )
        return contention_of(benchmark)
    schema = benchmark.frame.schema
    if schema.get(column) != pl.String():
        known = (*(name for name, kind in schema.items() if kind == pl.String()), CONTENTION)
        remedy = f"known: {', '.join(known)}{_of_the_file(benchmark, column)}"
        raise ArgumentError(f"items cannot be divided by '{column}'", remedy=remedy)
    return benchmark.frame[column]


def _of_the_file(benchmark: Benchmark, column: str) -> str:
    """How a column of the file is called here, or can be read; nothing if the file has none of this name."""
    readings = benchmark.provenance.readings
    ours = next((ours for each in readings for ours, theirs in each.columns.items() if theirs == column), None)
    if ours is not None:
        return f"; the file's {excerpt(column)} is called {ours} here"
    free = next((name for name in ("domain", "source") if benchmark.frame[name].null_count() == len(benchmark)), None)
    if free is None or not any(column in each.unused for each in readings):
        return ""
    return f"; to read the file's {excerpt(column)} as {free}: {column_flag(free, column)}"


def _divided(run: Run, column: str, values: pl.Series, at_least: int) -> Breakdown:
    groups = list(_groups(values))
    return Breakdown(
        column=column,
        parts=tuple(_measured(run, name, where) for name, where in groups if len(where) >= at_least),
        too_small=tuple(SmallPart(name, len(where)) for name, where in groups if len(where) < at_least),
    )


def _groups(values: pl.Series) -> Iterator[tuple[str | None, NDArray[np.intp]]]:
    """Each value with the positions of its items, largest group first; ties in order of appearance."""
    table = pl.DataFrame({"value": values}).with_row_index("position")
    grouped = table.group_by("value", maintain_order=True).agg("position")
    for name, positions in sorted(grouped.iter_rows(), key=lambda row: -len(row[1])):
        yield name, np.array(positions, dtype=np.intp)


def _measured(run: Run, name: str | None, where: NDArray[np.intp]) -> Part:
    predictions = [predictions.take(where) for predictions in run.predictions]
    part = run.benchmark.take(where)
    calibrated = run.comparison.calibrated
    comparison = comparison_of(part, predictions, run.mappings, None if calibrated is None else calibrated.take(where))
    by_measure = [measure(comparison) for measure in run.measures]
    return Part(name, len(where), tuple(zip(*by_measure, strict=True)))
