"""The page: everything a run has to say, gathered here and laid out by the templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from similitude._version import __version__
from similitude.data.benchmark import Skipped
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.diagnostics import pearson_warnings
from similitude.report.page import disagreements, figures, provenance
from similitude.report.page.renderer import render
from similitude.report.page.summary import summary
from similitude.report.table_formatting import SIMULATED, data_line, unread_columns
from similitude.report.tables import Table, breakdown_tables, p_value_table, rank_change_table, ranking_table
from similitude.report.tables.breakdown import BrokenDown
from similitude.study.breakdown import breakdown
from similitude.study.choice import choice_of
from similitude.study.runs import Run

__all__ = ["report_page"]

MOST_LEFT_OUT = 20
"""How many of the items left out are named."""
MOST_NAMED = 3
"""How many of the items that carry a correlation are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What the templates see."""

    name: str
    about: str
    date: str
    summary: str
    decision: str
    measure_reason: str
    simulated: str
    ranking: Table
    intervals: figures.Figure
    p_values: Table | None
    scatters: figures.Figure
    pearson_warnings: tuple[str, ...]
    distributions: figures.Figure
    rank_changes: Table | None
    ranks: figures.Figure | None
    breakdowns: tuple[BrokenDown, ...]
    shared: tuple[disagreements.Card, ...]
    worst: tuple[disagreements.SystemCards, ...]
    not_shown: int
    left_out: tuple[Skipped, ...]
    more_left_out: int
    unread: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    systems: Table
    measures: Table
    command: str
    version: str


def report_page(run: Run) -> str:
    """One HTML page with everything in it: no other file, no request to anywhere, readable without JavaScript."""
    return render("page.html", _page(run))


def _page(run: Run) -> Page:
    comparison = Comparison.of(run.benchmark.gold, run.predictions, run.mappings)
    worst = disagreements.cards_of_each(run, comparison)
    return Page(
        name=run.data.name,
        about=data_line(run),
        date=run.created.partition("T")[0],
        summary=summary(run),
        decision="" if run.task is None else choice_of(run).decision(),
        measure_reason="" if run.task is None else f"{run.task.name} calls for {run.task.measure}: {run.task.reason}.",
        simulated=f"{SIMULATED}: {run.data.judged_by}" if run.data.is_simulated else "",
        ranking=ranking_table(run),
        intervals=figures.interval_figure(run),
        p_values=p_value_table(run),
        scatters=figures.scatters(run, comparison),
        pearson_warnings=_pearson_warnings(run, comparison),
        distributions=figures.distributions(run, comparison),
        rank_changes=rank_change_table(run),
        ranks=figures.rank_figure(run),
        breakdowns=breakdown_tables(run, breakdown(run)),
        shared=disagreements.cards_of_all(run, comparison),
        worst=worst,
        not_shown=len(run.systems) - len(worst),
        left_out=run.left_out[:MOST_LEFT_OUT],
        more_left_out=max(len(run.left_out) - MOST_LEFT_OUT, 0),
        unread=tuple(unread_columns(run)),
        facts=tuple(provenance.facts(run)),
        systems=provenance.systems_table(run),
        measures=provenance.measures_table(run),
        command=provenance.command(run),
        version=__version__,
    )


def _pearson_warnings(run: Run, comparison: Comparison) -> tuple[str, ...]:
    """Why Pearson should not be read alone, system by system; nothing where nobody reads it."""
    if "pearson" not in map(str, run.measures):
        return ()
    ids = run.benchmark.items.ids
    return tuple(
        f"{run.systems[one.system].identity}: {one.words}{_named(one.items, ids)}."
        for one in pearson_warnings(comparison)
    )


def _named(items: Sequence[int], ids: Sequence[str]) -> str:
    shown = ", ".join(ids[item] for item in items[:MOST_NAMED])
    return f" ({shown}{', …' if len(items) > MOST_NAMED else ''})" if items else ""
