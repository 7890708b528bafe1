"""The five settings for the terminal, as a page, as LaTeX, and as files in the study's folder."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import polars as pl
from rich.console import RenderableType

from similitude.data.writing.atomic import write_atomically
from similitude.drawing import Figure, standalone
from similitude.report.five_settings.figures import reliability_figures, spread_figure
from similitude.report.five_settings.tables import as_in_the_paper, figures_table, spread_table, training_table
from similitude.report.latex import LATEX_HEAD, latex_table
from similitude.report.notation import SIMULATED
from similitude.report.page.sheet import Section, Sheet, sheet_page
from similitude.report.tables import Table, p_value_table, part_tables, ranking_table
from similitude.report.terminal import terminal_view
from similitude.study.breakdown import CONTENTION, breakdown
from similitude.study.contention import knows_contention
from similitude.study.five_settings.findings import DomainResult, FiveSettings

__all__ = ["settings_latex", "settings_sheet", "settings_view", "write_settings"]


def settings_view(settings: FiveSettings) -> RenderableType:
    """Tables 7 and 8 and further measures, for the terminal."""
    warning = SIMULATED if settings.is_simulated else ""
    return terminal_view(_summary(settings), _main_tables(settings), warning=warning)


def settings_sheet(settings: FiveSettings) -> Sheet:
    """The study as a page."""
    sections = [
        Section(
            name="table-seven", title="The five settings", tables=(as_in_the_paper(settings), figures_table(settings))
        ),
        *_spread_section(settings),
        Section(name="reliability", title="Reliability", figures=tuple(reliability_figures(settings))),
        *(_real(result, place) for place, result in enumerate(settings.results, 1)),
        Section(
            name="trained",
            title="What was trained",
            words=settings.notes,
            tables=(training_table(settings),),
            facts=_facts(settings),
        ),
    ]
    return Sheet(
        kind="settings",
        name=settings.title,
        about=_about(settings),
        summary=_summary(settings),
        simulated=SIMULATED if settings.is_simulated else "",
        sections=tuple(section for section in sections if section.tables or section.figures),
    )


def _about(settings: FiveSettings) -> str:
    items = ", ".join(f"{result.run.data.counted} of {result.name}" for result in settings.results)
    return f"figures on the test items: {items}; from {settings.plan.model}"


def settings_latex(settings: FiveSettings) -> str:
    """Tables 7 and 8, further measures, and each benchmark's systems with intervals; needs booktabs."""
    tables = [(table, settings.title) for table in _main_tables(settings)]
    tables += [(ranking_table(result.run), f"{settings.title} {result.name}") for result in settings.results]
    return "\n\n".join([LATEX_HEAD, *(latex_table(table, name) for table, name in tables)]) + "\n"


def write_settings(settings: FiveSettings) -> Path:
    """Write page, LaTeX, CSV, JSON and figures into the study's folder; the page's path."""
    folder = settings.folder
    page = folder / "settings.html"
    record = json.dumps(settings.record(), ensure_ascii=False, indent=1, allow_nan=False)
    _write(page, sheet_page(settings_sheet(settings)))
    _write(folder / "settings.tex", settings_latex(settings))
    _write(folder / "settings.json", record + "\n")
    table = pl.DataFrame(settings.table(), infer_schema_length=None)
    write_atomically(folder / "settings.csv", lambda draft: table.write_csv(draft))
    figures = folder / "figures"
    figures.mkdir(exist_ok=True)
    for name, figure in _named_figures(settings):
        for panel in figure.panels:
            _write(figures / f"{name}-{_slug(panel.name)}.svg", standalone(panel.svg))
    return page


def _main_tables(settings: FiveSettings) -> list[Table]:
    tables = [as_in_the_paper(settings), figures_table(settings), spread_table(settings)]
    return [table for table in tables if table.rows]


def _spread_section(settings: FiveSettings) -> list[Section]:
    figure, table = spread_figure(settings), spread_table(settings)
    if figure is None or not table.rows:
        return []
    return [Section(name="spread", title="Predicted and human spread", figures=(figure,), tables=(table,))]


def _real(result: DomainResult, place: int) -> Section:
    """All systems on one benchmark with intervals, significant differences, and contentious items separately."""
    finished = result.run
    tables = [ranking_table(finished), p_value_table(finished)]
    if knows_contention(finished.benchmark):
        tables += [table for found in breakdown(finished, [CONTENTION]) for table in part_tables(finished, found)]
    named = tuple(_renamed(table, place) for table in tables if table is not None)
    return Section(name=f"real-{place}", title=f"Significant differences: {result.name}", tables=named)


def _renamed(table: Table, place: int) -> Table:
    """A table name that is unique on the page."""
    return replace(table, name=f"{table.name}-of-{place}")


def _named_figures(settings: FiveSettings) -> list[tuple[str, Figure]]:
    spread = spread_figure(settings)
    found = [] if spread is None else [("spread", spread)]
    by_name = zip((result.name for result in settings.results), reliability_figures(settings), strict=False)
    return found + [(f"reliability-{_slug(name)}", figure) for name, figure in by_name]


def _summary(settings: FiveSettings) -> str:
    told = []
    for result in settings.results:
        known = [(result.figure(row, "sigma_spearman"), row) for row in result.rows]
        known = [(value, row) for value, row in known if not math.isnan(value)]
        if known:
            value, row = max(known, key=lambda pair: pair[0])
            told.append(f"on {result.name} {row.label} predicts best how far people differ (σ ρ {value:.2f})")
    return (
        f"{'; '.join(told)[:1].upper()}{'; '.join(told)[1:]}." if told else "No system predicts how far people differ."
    )


def _facts(settings: FiveSettings) -> tuple[tuple[str, str], ...]:
    plan = settings.plan
    recipe = ", ".join(f"{name} {value}" for name, value in plan.recipe.items()) or "default"
    missing = "; ".join(f"{one.row.label} on {one.domain}: {one.why}" for one in settings.missing)
    facts = [
        ("model", plan.model),
        ("data", ", ".join(plan.data)),
        ("recipe", recipe),
        ("training items", "all" if plan.limit is None else f"at most {plan.limit:,} of each benchmark"),
        ("passes of MC-Dropout", f"{plan.passes}"),
        ("seed", f"{plan.seed}"),
    ]
    return (*facts, *([("left empty", missing)] if missing else []))


def _slug(text: str) -> str:
    return re.sub(r"[^\w]+", "-", text.lower()).strip("-")


def _write(path: Path, text: str) -> None:
    write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8"))
