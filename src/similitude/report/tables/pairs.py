"""Two systems of a run against each other, one row per measure."""

from __future__ import annotations

import math

from similitude.report.notation import DASH, SIMULATED, figure_text, p_value_text
from similitude.report.tables.contrasts import signed_text
from similitude.report.tables.table import Notes, Table, TableCell, TableColumn
from similitude.study.paired_comparison import PairedComparison, PairedDifference

__all__ = ["pair_table"]


def pair_table(compared: PairedComparison) -> Table:
    """Figures, difference with its interval, p-values and verdict on each measure."""
    notes = Notes()
    heads = (compared.first, compared.second, "difference", "p")
    meanings = (
        "",
        "",
        "the first minus the second",
        "for all pairs of systems together",
    )
    return Table(
        name="pair",
        caption=_caption(compared),
        columns=(
            TableColumn(head="measure", is_number=False, is_header=True),
            *(TableColumn(head=head, meaning=meaning) for head, meaning in zip(heads, meanings, strict=True)),
            TableColumn(head="verdict", is_number=False),
        ),
        rows=tuple(tuple(_cells(one, compared, notes)) for one in compared.measures),
        notes=notes.all(),
    )


def _cells(one: PairedDifference, compared: PairedComparison, notes: Notes) -> list[TableCell]:
    difference = notes.dash(one.difference.reason)
    if not math.isnan(one.difference):
        ends = "" if one.interval is None else f"[{signed_text(one.interval[0])}, {signed_text(one.interval[1])}]"
        difference = TableCell(text=signed_text(one.difference), value=one.difference.value, interval=ends)
    return [
        TableCell(text=one.measure, is_code=True),
        *(TableCell(text=figure_text(value), value=value) for value in (one.first, one.second)),
        difference,
        _p_value(one.p_value, one.is_floor),
        TableCell(text=_short(one, compared), is_best=one.outcome in ("better", "worse")),
    ]


def _p_value(value: float, is_floor: bool) -> TableCell:
    return TableCell(text=DASH if math.isnan(value) else p_value_text(value, is_floor=is_floor), value=value)


def _short(one: PairedDifference, compared: PairedComparison) -> str:
    words = {
        "better": f"{compared.first} is significantly better",
        "worse": f"{compared.second} is significantly better",
        "undecided": "not significantly different",
        "untested": "not tested",
        "undefined": "undefined",
    }
    return words[one.outcome]


def _caption(compared: PairedComparison) -> str:
    words = [f"{compared.first} against {compared.second} on {compared.data}, {compared.items:,} items."]
    if not all(math.isnan(one.p_value) for one in compared.measures):
        words.append(f"In brackets the {100 * compared.level:g} % interval of the difference.")
        if compared.pairs > 1:
            words.append(f"Interval, p and verdict are for all {compared.pairs} pairs together, as in the ranking.")
    return " ".join((*words, *([f"{SIMULATED}."] if compared.is_simulated else [])))
