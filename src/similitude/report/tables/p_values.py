"""Which systems can be told apart on the first measure: the p-value of each pair."""

from __future__ import annotations

import math

from similitude.evaluate.significance import Confidence
from similitude.report.confidence import are_apart, how_told_apart
from similitude.report.table_formatting import best_first
from similitude.report.tables.table import Notes, Table, TableCell, TableColumn, caption
from similitude.study.runs import Run

__all__ = ["p_value_table"]


def p_value_table(run: Run) -> Table | None:
    """Each system against those above it; None where no test was made or there is only one system."""
    confidence = run.confidence
    if confidence is None or len(run.systems) < 2:
        return None
    order, notes = best_first(run), Notes()
    rows = tuple(
        (
            TableCell(text=f"{place + 1}"),
            TableCell(text=run.systems[row].identity, is_code=True),
            *(
                _cell(confidence, row, order[other], notes) if other < place else TableCell(text="")
                for other in range(len(order) - 1)
            ),
        )
        for place, row in enumerate(order)
    )
    columns = (TableColumn(head="no."), TableColumn(head="system", is_number=False, is_header=True))
    against = (
        TableColumn(head=f"{place + 1}", meaning=run.systems[row].identity) for place, row in enumerate(order[:-1])
    )
    return Table(
        name="p-values",
        caption=_caption(run, confidence),
        columns=(*columns, *against),
        rows=rows,
        notes=notes.all(),
    )


def _cell(confidence: Confidence, row: int, other: int, notes: Notes) -> TableCell:
    p = float(confidence.p_values[0, row, other])
    if math.isnan(p):
        return notes.dash("one of the two has no figure, so the pair was not tested")
    is_apart = are_apart(confidence, row, other)
    return TableCell(text="<.001" if p < 0.001 else f"{p:.3f}", value=p, is_best=is_apart, shade=2 if is_apart else 0)


def _caption(run: Run, confidence: Confidence) -> str:
    return caption(
        run,
        f"p-values on {run.measures[0]}: each system against those above it, by number. Bold on a shaded ground: the "
        f"two can be told apart ({how_told_apart(confidence)}).",
    )
