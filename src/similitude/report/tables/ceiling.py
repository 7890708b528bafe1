"""The human ceiling of a run: rows below the systems, and a table of correlations corrected for the noise of gold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from similitude.gold.reliability.estimate import Estimate
from similitude.report.notation import best_first, figure_text, interval_text
from similitude.report.tables.table import Notes, Table, TableCell, TableColumn, caption
from similitude.stats import Interval
from similitude.study.ceiling import CEILINGS
from similitude.study.runs import Run

__all__ = ["CEILING_WORDS", "CeilingRow", "ceiling_cells", "ceiling_notes", "ceiling_rows", "corrected_table"]

NAMES = {"one_person": "one person", "panel": "another panel", "perfect": "perfect system"}
CEILING_WORDS = (
    "human ceiling: what one annotator reaches against the others, what as many other people reach, and what a system "
    "reaches that knows what all people would say on average"
)


class CeilingRow(NamedTuple):
    """One reference value: its name, and an estimate for each measure, None where the measure has no ceiling."""

    name: str
    estimates: tuple[Estimate | None, ...]


def ceiling_rows(run: Run) -> Iterator[CeilingRow]:
    """The reference values that are defined on at least one measure."""
    if run.ceiling is None:
        return
    for which in CEILINGS:
        found = tuple(None if one is None else getattr(one, which) for one in run.ceiling.ceilings)
        if any(one is not None and one.is_defined for one in found):
            yield CeilingRow(NAMES[which], found)


def ceiling_notes(run: Run) -> Iterator[str]:
    """What is undefined and why, and other caveats."""
    if run.ceiling is None:
        return
    reasons: dict[str, list[str]] = {}
    for one in filter(None, run.ceiling.ceilings):
        for which in CEILINGS:
            estimate: Estimate = getattr(one, which)
            if not estimate.is_defined:
                reasons.setdefault(f"{estimate.reason}", []).append(NAMES[which])
    for reason, names in reasons.items():
        yield f"no ceiling for {', '.join(dict.fromkeys(names))}: {reason}"
    yield from run.ceiling.notes


def ceiling_cells(row: CeilingRow, notes: Notes) -> tuple[TableCell, ...]:
    """One cell per measure; empty where the measure has no ceiling."""
    return tuple(TableCell(text="") if one is None else _cell(one, notes) for one in row.estimates)


def corrected_table(run: Run) -> Table | None:
    """Every system's correlation with gold without noise; None without judgements, or if nothing can be corrected."""
    found = run.ceiling
    if found is None or not any(one is not None and one.is_defined for row in found.corrected for one in row):
        return None
    columns = [place for place, one in enumerate(found.ceilings) if one is not None]
    notes = Notes()
    rows = tuple(
        (TableCell(text=run.systems[row].label, is_code=True), *_corrected(run, row, columns, notes))
        for row in best_first(run)
    )
    heads = (TableColumn(head=f"corrected {run.measures[place]}") for place in columns)
    return Table(
        name="corrected",
        caption=caption(run, _caption(run)),
        columns=(TableColumn(head="system", is_number=False, is_header=True), *heads),
        rows=rows,
        notes=notes.all(),
        is_sortable=True,
    )


def _corrected(run: Run, row: int, columns: list[int], notes: Notes) -> Iterator[TableCell]:
    assert run.ceiling is not None
    for place in columns:
        one = run.ceiling.corrected[row][place]
        yield TableCell(text="") if one is None else _cell(one, notes)


def _cell(one: Estimate, notes: Notes) -> TableCell:
    if not one.is_defined:
        return notes.dash(f"undefined: {one.reason}")
    return TableCell(
        text=figure_text(one.value),
        value=one.value,
        interval=interval_text(Interval(one.low, one.high)),
        note=notes.number(one.reason) if one.reason else 0,
    )


def _caption(run: Run) -> str:
    assert run.ceiling is not None
    level = "" if run.ceiling.level is None else f" In brackets the {100 * run.ceiling.level:g} % interval."
    return (
        "Correlation with gold without noise: the correlation divided by the square root of gold's reliability. "
        f"By chance it can be above 1.{level}"
    )
