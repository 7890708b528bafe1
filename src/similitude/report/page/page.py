"""The page: everything a run has to say, gathered here and laid out by the templates."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from similitude._version import __version__
from similitude.data.benchmark import Skipped
from similitude.evaluate.comparison import Comparison
from similitude.report.page import disagreements, figures, provenance
from similitude.report.page.summary import summary
from similitude.report.standing import SIMULATED, data_line, unread_columns
from similitude.report.tables import Table, breakdown_tables, p_value_table, rank_change_table, ranking_table
from similitude.report.tables.breakdown import BrokenDown
from similitude.study.breakdown import breakdown
from similitude.study.runs import Run

__all__ = ["report_page"]

MOST_LEFT_OUT = 20
"""How many of the items left out are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What the templates see."""

    name: str
    about: str
    date: str
    summary: str
    simulated: str
    ranking: Table
    intervals: figures.Figure
    p_values: Table | None
    scatters: figures.Figure
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
    style, script = (_asset(name) for name in ("page.css", "page.js"))
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return _environment().get_template("page.html").render(page=_page(run), style=style, script=script, policy=policy)


def _page(run: Run) -> Page:
    comparison = Comparison.of(run.benchmark.gold, run.predictions, run.mappings)
    worst = disagreements.cards_of_each(run, comparison)
    return Page(
        name=run.data.name,
        about=data_line(run),
        date=run.created.partition("T")[0],
        summary=summary(run),
        simulated=f"{SIMULATED}: {run.data.judged_by}" if run.data.is_simulated else "",
        ranking=ranking_table(run),
        intervals=figures.interval_figure(run),
        p_values=p_value_table(run),
        scatters=figures.scatters(run, comparison),
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


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _asset(name: str) -> Markup:
    """Our own style sheet or script, to stand in the page as it is."""
    return Markup(files(__package__).joinpath("templates", name).read_text(encoding="utf-8"))


def _hash(content: str) -> str:
    """What the page's policy knows its own style sheet and script by; it lets in no other."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
