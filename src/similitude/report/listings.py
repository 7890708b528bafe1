"""Listings of measures, systems, formats and recipes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.box import SIMPLE_HEAD
from rich.table import Table

from similitude.evaluate.measures import Measure

if TYPE_CHECKING:
    from similitude.data.reading.recipes import Recipe
    from similitude.study.suite.plan import SuitePlan

__all__ = ["Listed", "formats_table", "measures_table", "recipes_table", "suites_table", "systems_table", "tasks_table"]


class Listed(NamedTuple):
    """One line of a listing: name, arguments or signs of recognition, and description."""

    name: str
    how: str
    what: str


def measures_table(measures: Sequence[Measure]) -> Table:
    """All measures with range, direction, requirements, meaning, and when they are undefined."""
    table = _table("measure", "range", "better", "needs", "meaning", "undefined where")
    for measure in measures:
        table.add_row(
            str(measure),
            f"{_end(measure.low)}..{_end(measure.high)}",
            "higher" if measure.higher_is_better else "lower",
            ", ".join(sorted(measure.requires)) or "-",
            measure.meaning,
            measure.undefined,
        )
    return table


def systems_table(systems: Iterable[Listed]) -> Table:
    """All systems: name, arguments, description."""
    return _listing(("system", "arguments", "what it does"), systems)


def formats_table(formats: Iterable[Listed]) -> Table:
    """All file formats: name, how they are recognised, description."""
    return _listing(("format", "recognised by", "what it is"), formats)


def recipes_table(recipes: Iterable[Recipe]) -> Table:
    """All recipes: name, data set, scale, licence, how to cite it."""
    table = _table("recipe", "data", "scale", "licence", "citation")
    for recipe in recipes:
        table.add_row(
            recipe.name,
            recipe.title or recipe.listed_summary,
            recipe.scale or "-",
            recipe.licence or "not stated",
            recipe.citation or "-",
        )
    return table


def suites_table(suites: Iterable[SuitePlan]) -> Table:
    """All suites: name, language, benchmarks, description."""
    table = _table("suite", "language", "benchmarks", "what it is")
    for plan in suites:
        names = ", ".join(each.name for each in plan.benchmarks)
        table.add_row(f"suite:{plan.name}", plan.language or "-", names, plan.description or "-")
    return table


def tasks_table(kinds: Iterable[tuple[str, str, tuple[str, ...]]]) -> Table:
    """All kinds of tasks: name, what is asked, the data it needs."""
    table = _table("task", "what is asked", "data")
    for name, summary, layouts in kinds:
        table.add_row(name, summary, "\n".join(f"- {layout}" for layout in layouts))
    return table


def _listing(heads: tuple[str, str, str], lines: Iterable[Listed]) -> Table:
    table = _table(*heads)
    for line in lines:
        table.add_row(*line)
    return table


def _table(*heads: str) -> Table:
    table = Table(header_style="bold", box=SIMPLE_HEAD)
    for number, head in enumerate(heads):
        table.add_column(head, no_wrap=number == 0)
    return table


def _end(value: float) -> str:
    return f"{value:g}" if math.isfinite(value) else ("∞" if value > 0 else "-∞")
