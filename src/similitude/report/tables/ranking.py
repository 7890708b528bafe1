"""The ranking: systems against measures, with intervals and tie groups where they are known."""

from __future__ import annotations

import math

from similitude.evaluate.diagnostics import system_ranks
from similitude.evaluate.significance import Confidence
from similitude.report.confidence import how_sure, how_told_apart, rank_text
from similitude.report.table_formatting import (
    DASH,
    best_first,
    best_value,
    data_line,
    direction,
    figure_text,
    interval_text,
)
from similitude.report.tables.table import Notes, Table, TableCell, TableColumn, caption
from similitude.study.runs import Run

__all__ = ["ranking_table"]


def ranking_table(run: Run) -> Table:
    """Systems against measures, best on the first measure first."""
    confidence, notes = run.confidence, Notes()
    ranks = system_ranks(run.figures, run.measures, ties="lowest")[:, 0]
    rows = tuple(
        (
            _rank(confidence, row, float(ranks[row])),
            TableCell(text=run.systems[row].identity, is_code=True),
            *(_figure(run, confidence, row, column, notes) for column in range(len(run.measures))),
        )
        for row in best_first(run)
    )
    return Table(
        name="ranking",
        caption=_caption(run, confidence),
        columns=_columns(run),
        rows=rows,
        notes=notes.all(),
        is_sortable=True,
    )


def _columns(run: Run) -> tuple[TableColumn, ...]:
    rank = TableColumn(head="rank", meaning=f"rank on {run.measures[0]}")
    measures = (
        TableColumn(head=f"{measure}\u00a0{direction(measure)}", meaning=measure.meaning) for measure in run.measures
    )
    return (rank, TableColumn(head="system", is_number=False, is_header=True), *measures)


def _rank(confidence: Confidence | None, row: int, rank: float) -> TableCell:
    if math.isnan(rank):
        return TableCell(text=DASH)
    if confidence is None:
        return TableCell(text=f"{rank:.0f}", value=rank)
    tied = confidence.ranks[row][0]
    return TableCell(text=rank_text(tied).replace("-", "–"), value=rank)


def _figure(run: Run, confidence: Confidence | None, row: int, column: int, notes: Notes) -> TableCell:
    figure = run.figures[row][column]
    if math.isnan(figure.value):
        return notes.dash(f"undefined: {figure.reason}")
    interval = None if confidence is None else confidence.intervals[row][column]
    return TableCell(
        text=figure_text(figure.value),
        value=figure.value,
        interval=interval_text(interval),
        letters="" if confidence is None else confidence.ranks[row][column].letters,
        is_best=figure.value == best_value(run, column),
        note=notes.number(f"interval: {interval.reason}") if interval and interval.reason else 0,
    )


def _caption(run: Run, confidence: Confidence | None) -> str:
    words = f"Systems on {run.data.name} ({data_line(run)}), best on {run.measures[0]} first; the best figure is bold."
    if confidence is not None:
        words += (
            f" In brackets the {how_sure(confidence)}. Systems that share a letter in a column cannot "
            f"be told apart there ({how_told_apart(confidence)}); the rank says which places on {run.measures[0]} are "
            "possible."
        )
        words += "".join(f" {note[:1].upper()}{note[1:]}." for note in confidence.notes)
    return caption(run, words)
