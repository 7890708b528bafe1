"""A run's figures on parts of its items: each domain, each language, each source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import Figure
from similitude.study.runs import Run

__all__ = ["COLUMNS", "LEAST_ITEMS", "Breakdown", "Part", "SmallPart", "breakdown"]

COLUMNS = ("domain", "language", "source")
"""What items are parted by where nothing else is asked for."""

LEAST_ITEMS = 10
"""A part with fewer items is named, not measured: its figures would be noise."""


class SmallPart(NamedTuple):
    """Items that share a value, too few of them to measure. The name is None where the items state none."""

    name: str | None
    items: int


class Part(NamedTuple):
    """Items that share a value, with the figures of every system on them: systems x measures."""

    name: str | None
    items: int
    figures: tuple[tuple[Figure, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """The items parted by one column.

    Attributes:
        column: the column.
        parts: those large enough to be measured, largest first.
        too_small: the others, largest first.
    """

    column: str
    parts: tuple[Part, ...]
    too_small: tuple[SmallPart, ...]


def breakdown(run: Run, columns: Sequence[str] = COLUMNS, *, at_least: int = LEAST_ITEMS) -> tuple[Breakdown, ...]:
    """The figures of every system on each part of the items, column by column.

    Predictions and mappings are those of the run: nothing is scored or fitted again. A column that says the same of
    all items, or nothing of any, parts nothing and is left out; items that state no value are a part of their own.

    Args:
        run: the run.
        columns: text columns of the items.
        at_least: how many items a part needs to be measured.

    Raises:
        ArgumentError: the items have no such text column.
    """
    frame = run.benchmark.frame
    for column in columns:
        if frame.schema.get(column) != pl.String():
            known = ", ".join(name for name, kind in frame.schema.items() if kind == pl.String())
            raise ArgumentError(f"cannot part items by '{column}'", remedy=f"known: {known}")
    telling = (column for column in columns if frame[column].n_unique() > 1)
    return tuple(_by_column(run, column, at_least) for column in telling)


def _by_column(run: Run, column: str, at_least: int) -> Breakdown:
    groups = list(_groups(run.benchmark.frame[column]))
    return Breakdown(
        column=column,
        parts=tuple(_measured(run, name, where) for name, where in groups if len(where) >= at_least),
        too_small=tuple(SmallPart(name, len(where)) for name, where in groups if len(where) < at_least),
    )


def _groups(values: pl.Series) -> Iterator[tuple[str | None, NDArray[np.intp]]]:
    """Each value with the positions of its items, largest group first, then in order of appearance."""
    table = pl.DataFrame({"value": values}).with_row_index("position")
    grouped = table.group_by("value", maintain_order=True).agg("position")
    for name, positions in sorted(grouped.iter_rows(), key=lambda row: -len(row[1])):
        yield name, np.array(positions, dtype=np.intp)


def _measured(run: Run, name: str | None, where: NDArray[np.intp]) -> Part:
    predictions = [predictions.take(where) for predictions in run.predictions]
    comparison = Comparison.of(run.benchmark.gold.take(where), predictions, run.mappings)
    by_measure = [measure(comparison) for measure in run.measures]
    return Part(name, len(where), tuple(zip(*by_measure, strict=True)))
