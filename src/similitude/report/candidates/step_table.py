"""All steps as one table, and as one figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from similitude.collect.candidates.steps import Step
from similitude.data.plural import counted
from similitude.drawing import Figure, KeptBar, Panel, kept_bars
from similitude.report.candidates.words import (
    can_drop,
    counted_kept,
    kept_share,
    noun,
    percent_text,
    reasons,
    seconds_text,
)
from similitude.report.tables import Table, TableCell, TableColumn

__all__ = ["MOST_STEPS", "kept_figure", "short_step_table", "shown_steps", "step_table"]

MOST_STEPS: Final = 60
"""A page or a table shows no more steps."""


def shown_steps(steps: Sequence[Step]) -> tuple[Sequence[Step], int]:
    """The steps that are shown, and how many are left out: the last ones count most, then the first ones."""
    if len(steps) <= MOST_STEPS:
        return steps, 0
    half = MOST_STEPS // 2
    return [*steps[:half], *steps[-half:]], len(steps) - 2 * half


def step_table(steps: Sequence[Step]) -> Table:
    """One row for each step: what came in, what was kept, why the rest was dropped."""
    columns = (
        TableColumn(head="step", is_number=False, is_header=True),
        TableColumn(head="of", is_number=False),
        TableColumn(head="before"),
        TableColumn(head="after"),
        TableColumn(head="kept"),
        TableColumn(head="time"),
        TableColumn(head="dropped", is_number=False),
    )
    return Table(name="steps", caption=_caption(steps), columns=columns, rows=tuple(map(_row, shown_steps(steps)[0])))


def short_step_table(steps: Sequence[Step]) -> Table:
    """The same without what each step was given, which is what the step before it kept: it fits 80 columns."""
    columns = (
        TableColumn(head="step", is_number=False, is_header=True),
        TableColumn(head="kept"),
        TableColumn(head="share"),
        TableColumn(head="dropped", is_number=False),
    )
    rows = tuple(_short_row(step) for step in shown_steps(steps)[0] if can_drop(step))
    return Table(name="steps", caption=_caption(steps), columns=columns, rows=rows)


def _caption(steps: Sequence[Step]) -> str:
    left_out = shown_steps(steps)[1]
    more = f" {left_out:,} steps in the middle are left out here." if left_out else ""
    return f"All steps took {seconds_text(sum(step.seconds for step in steps))}.{more}"


def _short_row(step: Step) -> tuple[TableCell, ...]:
    share = kept_share(step)
    return (
        TableCell(text=step.name, is_code=True),
        TableCell(text=counted(step.after, noun(step)), value=step.after),
        TableCell(text=percent_text(share), value=share),
        TableCell(text=reasons(step.losses)),
    )


def _row(step: Step) -> tuple[TableCell, ...]:
    share = kept_share(step)
    return (
        TableCell(text=step.name, is_code=True),
        TableCell(text=step.of),
        TableCell(text=f"{step.before:,}", value=step.before),
        TableCell(text=f"{step.after:,}", value=step.after),
        TableCell(text=percent_text(share), value=share),
        TableCell(text=seconds_text(step.seconds), value=step.seconds),
        TableCell(text=reasons(step.losses)),
    )


def kept_figure(steps: Sequence[Step]) -> Figure:
    """A bar for each step: the share that it kept of what it was given."""
    shown, _ = shown_steps(steps)
    bars = [KeptBar(step.name, counted_kept(step), kept_share(step)) for step in shown if can_drop(step)]
    drawn = kept_bars("Share that each step kept", bars)
    return Figure((Panel("", "", drawn),), "What each step kept of what it was given.")
