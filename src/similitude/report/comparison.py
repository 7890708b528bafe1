"""The table of a run: systems against measures."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from similitude.evaluate.measures import Figure
from similitude.study.runs import Run

__all__ = ["comparison_table"]


def comparison_table(run: Run) -> RenderableType:
    """Systems against measures, best on the first measure first; an undefined figure shows a dash and a note."""
    table = Table(title=_title(run), title_justify="left", title_style="", header_style="bold", box=SIMPLE_HEAD)
    table.add_column("system", no_wrap=True)
    for measure in run.measures:
        table.add_column(f"{measure} {'↑' if measure.higher_is_better else '↓'}", justify="right")
    best = [_best(run, column) for column in range(len(run.measures))]
    for row in _best_first(run):
        cells = [_cell(figure, is_best=figure.value == best[column]) for column, figure in enumerate(run.figures[row])]
        table.add_row(run.systems[row].identity, *cells)
    return Group(table, *(Text(note, style="dim") for note in _notes(run)))


def _title(run: Run) -> Text:
    data = run.data
    split = f", split {data.split}" if data.split else ""
    inferred = " (inferred)" if data.scale_origin == "inferred" else ""
    title = Text(f"{data.name}: {data.items:,} items{split}, scale {data.scale}{inferred}", style="bold")
    return title.append("  SIMULATED judgements", "bold yellow") if data.is_simulated else title


def _best_first(run: Run) -> list[int]:
    sign = -1 if run.measures[0].higher_is_better else 1
    values = [row[0].value for row in run.figures]
    return sorted(range(len(values)), key=lambda row: (math.isnan(values[row]), sign * values[row]))


def _best(run: Run, column: int) -> float:
    values = [row[column].value for row in run.figures if not math.isnan(row[column].value)]
    choose = max if run.measures[column].higher_is_better else min
    return choose(values, default=math.nan)


def _cell(figure: Figure, *, is_best: bool) -> Text:
    if math.isnan(figure.value):
        return Text("-", style="dim")
    return Text(f"{figure.value:.3f}", style="bold green" if is_best else "")


def _notes(run: Run) -> Iterator[str]:
    """Why figures are missing, what was left out, and which information no system used."""
    yield from _missing_figures(run)
    if run.left_out:
        yield f"left out: {len(run.left_out)} (first: {run.left_out[0].where}: {run.left_out[0].why})"
    for column in ("context", "condition"):
        unread = [record.identity for record in run.systems if column not in record.reads]
        if unread and run.benchmark.frame[column].null_count() < len(run.benchmark):
            who = "no system here reads" if len(unread) == len(run.systems) else f"{', '.join(unread)} do not read"
            yield f"the items have a {column}, which {who}"


def _missing_figures(run: Run) -> Iterator[str]:
    """One line for each measure and reason, however many systems share it."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for record, figures in zip(run.systems, run.figures, strict=True):
        for measure, figure in zip(run.measures, figures, strict=True):
            if figure.reason is not None:
                reasons.setdefault((str(measure), figure.reason), []).append(record.identity)
    for (name, reason), systems in reasons.items():
        who = "for every system" if len(systems) == len(run.systems) else f"for {', '.join(systems)}"
        yield f"- {name} is undefined {who}: {reason}"
