"""Rank changes between measures: mean absolute rank difference for each pair of measures."""

from __future__ import annotations

from itertools import combinations

from similitude.evaluate.diagnostics import RankDifferences, rank_differences, system_ranks
from similitude.report.notation import comparable_measures
from similitude.report.tables.table import Notes, Table, TableCell, TableColumn, caption, shade
from similitude.study.runs import Run

__all__ = ["rank_change_table"]

MOST_NAMED = 7
"""With more measures than this, columns are numbered."""


def rank_change_table(run: Run) -> Table | None:
    """Measures against measures, as in Table 1 of the task-oriented paper; None with fewer than two measures."""
    compared = comparable_measures(run)
    if len(compared) < 2:
        return None
    differences, notes = rank_differences(run.figures, run.measures), Notes()
    numbered = len(compared) > MOST_NAMED
    rows = tuple(
        (
            TableCell(text=f"{one + 1} {run.measures[one]}" if numbered else str(run.measures[one]), is_code=True),
            *(_cell(run, differences, one, other, notes) for other in compared[1:]),
        )
        for one in compared[:-1]
    )
    heads = (
        TableColumn(head=f"{column + 1}" if numbered else str(run.measures[column]), meaning=_meaning(run, column))
        for column in compared[1:]
    )
    return Table(
        name="rank-changes",
        caption=_caption(run, compared) + (_last_number(run, compared) if numbered else ""),
        columns=(TableColumn(head="measure", is_number=False, is_header=True), *heads),
        rows=rows,
        notes=notes.all(),
    )


def _cell(run: Run, differences: RankDifferences, one: int, other: int, notes: Notes) -> TableCell:
    if other <= one:
        return TableCell(text="")
    value, systems = float(differences.mean[one, other]), int(differences.systems[one, other])
    if systems < 2:
        return notes.dash("fewer than two systems have a figure on both")
    return TableCell(
        text=f"{value:.1f}",
        value=value,
        interval=f"({differences.largest[one, other]:g})",
        shade=shade(value, [0.0, *differences.mean.ravel().tolist()]) if value else 0,
        note=notes.number(f"over the {systems} systems that have both figures") if systems < len(run.systems) else 0,
    )


def _meaning(run: Run, column: int) -> str:
    return f"{run.measures[column]}: {run.measures[column].meaning}"


def _last_number(run: Run, compared: list[int]) -> str:
    """The measure that has a column but no row."""
    return f" Columns are the numbers of the rows; {compared[-1] + 1} is {run.measures[compared[-1]]}."


def _farthest(run: Run, compared: list[int]) -> str:
    """The system that moves farthest, and between which measures."""
    differences = rank_differences(run.figures, run.measures)
    ranks = system_ranks(run.figures, run.measures, ties="lowest")
    known = [pair for pair in combinations(compared, 2) if differences.systems[pair] > 1]
    one, other = max(known, key=lambda pair: differences.largest[pair], default=(0, 0))
    mover = int(differences.mover[one, other])
    if mover < 0:
        return ""
    return (
        f" The largest move: {run.systems[mover].label}, rank {ranks[mover, one]:g} under {run.measures[one]} and "
        f"{ranks[mover, other]:g} under {run.measures[other]}."
    )


def _caption(run: Run, compared: list[int]) -> str:
    words = (
        "Mean absolute difference between the rank of a system under one measure and under another, over the "
        f"{len(run.systems)} systems; in brackets the largest. 0: both measures order the systems alike."
    )
    words += _farthest(run, compared)
    absent = [str(measure) for column, measure in enumerate(run.measures) if column not in compared]
    if absent:
        words += f" Not compared, as fewer than two systems have a figure: {', '.join(absent)}."
    return caption(run, words)
