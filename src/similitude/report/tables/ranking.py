"""The ranking of a run, and the p-value of every pair of systems on its first measure."""

from __future__ import annotations

import math

from similitude.evaluate.diagnostics import system_ranks
from similitude.evaluate.significance import Confidence
from similitude.report.notation import (
    DASH,
    are_different,
    best_value,
    capitalised,
    data_line,
    direction,
    figure_text,
    how_sure,
    how_tested,
    interval_text,
    p_value_text,
    rank_text,
    rows_best_first,
)
from similitude.report.tables.ceiling import CEILING_WORDS, ceiling_cells, ceiling_rows
from similitude.report.tables.table import Notes, Table, TableCell, TableColumn, caption
from similitude.study.runs import Run

__all__ = ["p_value_table", "ranking_table"]


def ranking_table(run: Run) -> Table:
    """Systems against measures, best on the first measure first."""
    confidence, notes = run.confidence, Notes()
    ranks = system_ranks(run.row_figures, run.measures, ties="lowest")[:, 0]
    rows = tuple(
        (
            _rank(confidence, row, math.nan if run.never_best[row] else float(ranks[row])),
            TableCell(text=run.row_labels[row], is_code=row < len(run.systems), note=_replaced(run, row, notes)),
            *(_figure(run, confidence, row, column, notes) for column in range(len(run.measures))),
        )
        for row in rows_best_first(run)
    )
    people = tuple(
        (TableCell(text=""), TableCell(text=row.name), *ceiling_cells(row, notes)) for row in ceiling_rows(run)
    )
    return Table(
        name="ranking",
        caption=_caption(run, confidence),
        columns=_columns(run),
        rows=rows + people,
        notes=notes.all(),
        is_sortable=True,
        is_filter=True,
    )


def _replaced(run: Run, row: int, notes: Notes) -> int:
    """The note on a system with too many replaced answers; 0 for others."""
    if not run.never_best[row]:
        return 0
    share = f"{100 * run.predictions[row].replaced:.3g} %"
    return notes.number(
        f"{share} of its answers held no score and were replaced: it has no rank and is never called best"
    )


def _columns(run: Run) -> tuple[TableColumn, ...]:
    rank = TableColumn(head="rank", meaning=f"rank on {run.measures[0]}")
    measures = (
        TableColumn(
            head=f"{measure}\u00a0{direction(measure)}",
            meaning=measure.meaning,
            measure=str(measure),
            better="higher" if measure.higher_is_better else "lower",
        )
        for measure in run.measures
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
    figure = run.row_figures[row][column]
    if math.isnan(figure.value) and row >= len(run.systems):
        return TableCell(text=DASH)  # a constant has no such figure
    if math.isnan(figure.value):
        return notes.dash(f"undefined: {figure.reason}")
    interval = None if confidence is None else confidence.intervals[row][column]
    return TableCell(
        text=figure_text(figure.value),
        value=figure.value,
        interval=interval_text(interval),
        letters="" if confidence is None else confidence.ranks[row][column].letters,
        is_best=figure.value == best_value(run, column) and not run.never_best[row],
        note=notes.number(f"interval: {interval.reason}") if interval and interval.reason else 0,
    )


def _caption(run: Run, confidence: Confidence | None) -> str:
    words = f"Systems on {run.data.name} ({data_line(run)}), best on {run.measures[0]} first; the best figure is bold."
    if confidence is not None:
        words += (
            f" In brackets the {how_sure(confidence)}. Systems that share a letter in a column are not "
            f"significantly different there ({how_tested(confidence)}); the rank says which places on "
            f"{run.measures[0]} are possible."
        )
        words += "".join(f" {note[:1].upper()}{note[1:]}." for note in confidence.notes)
    if any(True for _ in ceiling_rows(run)):
        words += f" Below the systems the {CEILING_WORDS}."
    names = [*map(str, run.measures), *(record.label for record in run.systems)]
    words += "".join(f" {capitalised(text, names)}" for text in run.caveats)
    return caption(run, words)


def p_value_table(run: Run) -> Table | None:
    """The p-values of each system against those above it; None without a test or with one system."""
    confidence = run.confidence
    is_system = range(len(run.systems))
    order = [row for row in rows_best_first(run) if row in is_system or not math.isnan(run.row_figures[row][0].value)]
    if confidence is None or len(order) < 2:
        return None
    notes = Notes()
    rows = tuple(
        (
            TableCell(text=f"{place + 1}"),
            TableCell(text=run.row_labels[row], is_code=row < len(run.systems)),
            *(
                _p_value(confidence, row, order[other], notes) if other < place else TableCell(text="")
                for other in range(len(order) - 1)
            ),
        )
        for place, row in enumerate(order)
    )
    columns = (TableColumn(head="no."), TableColumn(head="system", is_number=False, is_header=True))
    against = (TableColumn(head=f"{place + 1}", meaning=run.row_labels[row]) for place, row in enumerate(order[:-1]))
    return Table(
        name="p-values",
        caption=_p_value_caption(run, confidence),
        columns=(*columns, *against),
        rows=rows,
        notes=notes.all(),
    )


def _p_value(confidence: Confidence, row: int, other: int, notes: Notes) -> TableCell:
    p = float(confidence.p_values[0, row, other])
    if math.isnan(p):
        return notes.dash("one of the two has no figure, so the pair was not tested")
    is_different = are_different(confidence, row, other)
    return TableCell(
        text=p_value_text(p, is_floor=bool(confidence.is_floor[0, row, other])),
        value=p,
        interval=_difference_text(confidence, row, other),
        is_best=is_different,
        shade=2 if is_different else 0,
    )


def _difference_text(confidence: Confidence, row: int, other: int) -> str:
    return interval_text(confidence.differences[0][row][other]) if confidence.differences else ""


def _p_value_caption(run: Run, confidence: Confidence) -> str:
    return caption(
        run,
        f"p-values on {run.measures[0]}: each system against those above it, by number. Bold on a shaded ground: the "
        f"two are significantly different ({how_tested(confidence)}). In brackets the interval of the difference, the "
        "system of the row minus that of the column.",
    )
