"""The run on parts of its items (a domain, a language, contentious ones): one table per measure, or one a part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from similitude.evaluate.measures import Figure, Measure
from similitude.report.notation import best_first, best_value, figure_text, measure_head
from similitude.report.tables.table import Notes, Table, TableCell, TableColumn, caption, shade
from similitude.study.breakdown import LEAST_ITEMS, Breakdown, Part, SmallPart
from similitude.study.runs import Run

__all__ = ["BrokenDown", "breakdown_tables", "part_tables", "too_small"]

UNSTATED = "not stated"
NAMED = 12
"""How many too small parts are named."""


class BrokenDown(NamedTuple):
    """The breakdown by one column: a table per measure, and the parts that were too small."""

    column: str
    tables: tuple[Table, ...]
    left_aside: str


def breakdown_tables(run: Run, breakdowns: Sequence[Breakdown], name: str = "by") -> tuple[BrokenDown, ...]:
    """Systems against the parts of the items; no table if every part is too small.

    Args:
        run: the run.
        breakdowns: of the run.
        name: with which the names of the tables begin.
    """
    return tuple(
        BrokenDown(
            found.column,
            tuple(_table(run, found, column, name) for column in _telling(run)) if found.parts else (),
            too_small(found.too_small),
        )
        for found in breakdowns
    )


def part_tables(run: Run, found: Breakdown) -> tuple[Table, ...]:
    """Systems against measures, one table for each part of the items; undefined figures are dashes."""
    return tuple(_part_table(run, found, place, part) for place, part in enumerate(found.parts, 1))


def _part_table(run: Run, found: Breakdown, place: int, part: Part) -> Table:
    notes = Notes()
    by_measure = list(zip(*part.figures, strict=True))
    rows = tuple(
        (
            TableCell(text=run.systems[row].label, is_code=True),
            *(
                _cell(measure, part.figures[row][column], _contenders(run, by_measure[column]), (), notes)
                for column, measure in enumerate(run.measures)
            ),
        )
        for row in best_first(run)
    )
    name = part.name or UNSTATED
    return Table(
        name=f"{found.column}-{place}",
        caption=caption(run, f"{found.column}: {name}, {part.items:,} items; the best of each column is bold."),
        columns=(
            TableColumn(head="system", is_number=False, is_header=True),
            *(TableColumn(head=measure_head(measure), meaning=measure.meaning) for measure in run.measures),
        ),
        rows=rows,
        notes=notes.all(),
        is_sortable=True,
    )


def _telling(run: Run) -> list[int]:
    """The measures on which at least one system has a figure."""
    return [column for column in range(len(run.measures)) if not math.isnan(best_value(run, column))]


def _table(run: Run, found: Breakdown, column: int, name: str) -> Table:
    notes, measure = Notes(), run.measures[column]
    parts = [Part("all", run.data.items, run.figures), *found.parts]
    shown = [[figures[column] for figures in part.figures] for part in parts]
    rows = tuple(
        (
            TableCell(text=run.systems[row].label, is_code=True),
            *(_cell(measure, part[row], _contenders(run, part), shown, notes) for part in shown),
        )
        for row in best_first(run)
    )
    heads = (TableColumn(head=part.name or UNSTATED, meaning=f"{part.items:,} items") for part in parts)
    return Table(
        name=f"{name}-{found.column}-{column + 1}",
        caption=caption(run, _words(measure, found)),
        columns=(TableColumn(head="system", is_number=False, is_header=True), *heads),
        rows=rows,
        notes=notes.all(),
        is_sortable=True,
    )


def _contenders(run: Run, part: Sequence[Figure]) -> list[Figure]:
    """The figures that may be called best."""
    return [figure for figure, is_never in zip(part, run.never_best, strict=False) if not is_never]


def _cell(
    measure: Measure, figure: Figure, part: Sequence[Figure], shown: Sequence[Sequence[Figure]], notes: Notes
) -> TableCell:
    if math.isnan(figure.value):
        return notes.dash(f"undefined: {figure.reason}")
    sign = 1 if measure.higher_is_better else -1
    everything = [one.value for column in shown for one in column]
    return TableCell(
        text=figure_text(figure.value),
        value=figure.value,
        is_best=any(one is figure for one in part)
        and all(sign * one.value <= sign * figure.value for one in part if not math.isnan(one.value)),
        shade=shade(figure.value, everything, higher_is_deeper=measure.higher_is_better),
    )


def _words(measure: Measure, found: Breakdown) -> str:
    sizes = ", ".join(f"{part.name or UNSTATED} {part.items:,}" for part in found.parts)
    return f"{measure_head(measure)} by {found.column}; the best of each column is bold. Items: {sizes}."


def too_small(parts: Sequence[SmallPart]) -> str:
    """The parts that were not measured, in a sentence; empty if all were."""
    if not parts:
        return ""
    named = ", ".join(f"{part.name or UNSTATED} ({part.items})" for part in parts[:NAMED])
    more = f", and {len(parts) - NAMED:,} more" if len(parts) > NAMED else ""
    return f"Too small to measure (fewer than {LEAST_ITEMS} items): {named}{more}."
