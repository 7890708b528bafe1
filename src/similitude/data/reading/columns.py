"""A benchmark from columns in memory, checked like the rows of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from similitude.data.benchmark import Benchmark
from similitude.data.reading.arguments import as_scale
from similitude.data.reading.assembly import FilePart, combine
from similitude.data.reading.containers.cells import column_cells
from similitude.data.reading.drafts import ColumnLayout, draft
from similitude.data.reading.tables import Column, RawTable, numbered
from similitude.data.scale import Scale
from similitude.data.series_labels import refuse_other_order
from similitude.errors import ArgumentError

__all__ = ["benchmark_of_columns"]


def benchmark_of_columns(
    columns: Mapping[str, Any], *, name: str, scale: str | Scale | tuple[float, float] | None = None
) -> Benchmark:
    """The benchmark of these columns of ours.

    Args:
        columns: our names to values: a list, an array or a series each, all of one length. One text stands for all
            rows (``language="en"``); None leaves a column out.
        name: the name of the benchmark.
        scale: the scale of the scores; inferred by default.

    Raises:
        ArgumentError: columns have different lengths.
        InputError: a row is not valid.
    """
    constants = {ours: text for ours, text in columns.items() if isinstance(text, str)}
    given = {ours: values for ours, values in columns.items() if values is not None and ours not in constants}
    for ours, values in given.items():
        if not isinstance(values, Iterable):
            what = f"{values!r} for {ours} is not a column"
            raise ArgumentError(what, where=name, remedy="give a list with one value per item")
    cells = {ours: column_cells(values) for ours, values in given.items()}
    _refuse_ragged(cells, name)
    refuse_other_order(given, name)
    places = numbered(len(next(iter(cells.values()), ())))
    table = RawTable(
        file=name,
        columns=cells,
        starts=places,
        ends=places,
        unit="row",
        constants=constants,
        container="columns in memory",
    )
    declared = as_scale(scale)
    made = draft(table, ColumnLayout(), {ours: ours for ours in cells}, declared=declared is not None)
    part = FilePart(draft=made, label=name, format="columns")
    return combine([part], scale=declared, on_error="stop", name=name, named=True)


def _refuse_ragged(cells: Mapping[str, Column], name: str) -> None:
    lengths = {ours: len(values) for ours, values in cells.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{ours} {length:,}" for ours, length in lengths.items())
        raise ArgumentError(f"columns have different lengths: {said}", where=name, remedy="give one value per item")
