"""The thresholds of a run: one row per system and measure; and what a system does along its thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from similitude.evaluate.operating_points import DeployedThreshold, threshold_text
from similitude.report.notation import best_first, figure_text
from similitude.report.tables.table import Notes, Table, TableCell, TableColumn, caption
from similitude.study.runs import Run

__all__ = ["curve_table", "threshold_table", "threshold_text"]

MOST_ROWS = 21
FIGURES = ("precision", "recall", "f1", "accuracy", "mcc")


def threshold_table(run: Run) -> Table | None:
    """The threshold to deploy of every system, with its interval; None if no measure learns one."""
    if not run.thresholds:
        return None
    notes = Notes()
    found = [(run.systems[row].label, run.thresholds[row].thresholds) for row in best_first(run)]
    trivial = [(one.label, _distinct(one.thresholds)) for one in run.trivial]
    rows = tuple(
        (
            TableCell(text=label, is_code=place < len(run.systems)),
            TableCell(text=each.measure, is_code=True),
            _threshold(each),
            TableCell(text=_spread(each)),
            *(_figure(getattr(each.point, name), notes) for name in FIGURES),
        )
        for place, (label, thresholds) in enumerate([*found, *trivial])
        for each in thresholds
    )
    heads = (
        TableColumn(head="system", is_number=False, is_header=True),
        TableColumn(head="best by", is_number=False, is_key=True),
        TableColumn(head="threshold"),
        TableColumn(head="folds", meaning="the lowest and highest threshold learned without one fold"),
        *(TableColumn(head=name) for name in FIGURES),
    )
    words = (
        "The threshold to deploy, learned on all items, in the system's own units: yes to scores above it. In brackets "
        "the interval over resamples; folds: the lowest and highest threshold that was learned without a fold. The "
        "figures are those of each fold's items at the threshold learned on the other folds."
    )
    return Table(name="thresholds", caption=caption(run, words), columns=heads, rows=rows, notes=notes.all())


def curve_table(run: Run, row: int) -> Table:
    """What a system does on all items at some of its thresholds, highest first."""
    found, notes = run.thresholds[row], Notes()
    places = np.unique(np.linspace(0, len(found.curve) - 1, min(MOST_ROWS, len(found.curve))).round().astype(int))
    others = [place for place, each in enumerate(found.thresholds) if each.measure not in _SHOWN]
    rows = tuple(
        (
            TableCell(text=threshold_text(found.curve[point].threshold)),
            *(_figure(getattr(found.curve[point], name), notes) for name in FIGURES),
            *(_figure(found.figures[place][point], notes) for place in others),
        )
        for point in places
    )
    heads = ["threshold", *FIGURES, *(found.thresholds[place].measure for place in others)]
    name = run.systems[row].label
    return Table(
        name=f"curve-{row + 1}",
        caption=caption(run, f"{name} on all items at thresholds from high to low."),
        columns=tuple(TableColumn(head=head, is_header=head == "threshold") for head in heads),
        rows=rows,
        notes=notes.all(),
    )


_SHOWN = ("f1_binary", "accuracy", "mcc")
"""Measures that are among the figures of every point."""


def _threshold(each: DeployedThreshold) -> TableCell:
    interval, value = each.interval, each.point.threshold
    ends = "" if interval is None else f"[{threshold_text(interval.low)}, {threshold_text(interval.high)}]"
    return TableCell(text=threshold_text(value), value=value if math.isfinite(value) else math.nan, interval=ends)


def _spread(each: DeployedThreshold) -> str:
    known = [fold for fold in each.folds if not math.isnan(fold)]
    if not known:
        return ""
    low, high = threshold_text(min(known)), threshold_text(max(known))
    return low if low == high else f"{low} to {high}"


def _distinct(thresholds: Sequence[DeployedThreshold]) -> list[DeployedThreshold]:
    """Those that do not do the same: one, unless measures take other items for positive."""
    points = [repr(each.point) for each in thresholds]
    kept = [each for place, each in enumerate(thresholds) if points[place] not in points[:place]]
    return [replace(each, measure="") for each in kept] if len(kept) == 1 else kept


def _figure(value: float, notes: Notes) -> TableCell:
    if math.isnan(value):
        return notes.dash("no item is above the threshold")
    return TableCell(text=figure_text(value), value=value)
