"""Listings of measures, systems, formats, recipes, suites and tasks, from their records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

__all__ = ["formats_table", "measures_table", "recipes_table", "suites_table", "systems_table", "tasks_table"]

Records = Iterable[Mapping[str, Any]]


def measures_table(measures: Records) -> Table:
    """All measures with range, direction, requirements, meaning, and when they are undefined."""
    table = _table("measure", "range", "better", "needs", "meaning", "undefined where")
    for each in measures:
        table.add_row(
            each["name"],
            f"{_end(each['low'], '-∞')}..{_end(each['high'], '∞')}",
            "higher" if each["higher_is_better"] else "lower",
            ", ".join(each["needs"]) or "-",
            each["meaning"],
            each["undefined"],
        )
    return table


def systems_table(systems: Records) -> Table:
    """All systems: name, arguments, description."""
    return _listing(systems, {"name": "system", "arguments": "arguments", "summary": "what it does"})


def formats_table(formats: Records) -> Table:
    """All file formats: name, how they are recognised, description."""
    return _listing(formats, {"name": "format", "how": "recognised by", "what": "what it is"})


def recipes_table(recipes: Records) -> Table:
    """All recipes: name, data set, scale, licence, how to cite it."""
    return _listing(
        recipes, {"name": "recipe", "data": "data", "scale": "scale", "licence": "licence", "citation": "citation"}
    )


def suites_table(suites: Records) -> Table:
    """All suites: name, language, benchmarks, description."""
    table = _table("suite", "language", "benchmarks", "what it is")
    for each in suites:
        table.add_row(f"suite:{each['name']}", each["language"], ", ".join(each["benchmarks"]), each["description"])
    return table


def tasks_table(kinds: Records) -> Table:
    """All kinds of tasks: name, what is asked, the data it needs."""
    table = _table("task", "what is asked", "data")
    for each in kinds:
        table.add_row(each["name"], each["task"], "\n".join(f"- {layout}" for layout in each["data"]))
    return table


def _listing(records: Records, heads: Mapping[str, str]) -> Table:
    """A table of these fields, each under its head."""
    table = _table(*heads.values())
    for each in records:
        table.add_row(*(each[field] for field in heads))
    return table


def _table(*heads: str) -> Table:
    table = Table(header_style="bold", box=SIMPLE_HEAD)
    for number, head in enumerate(heads):
        table.add_column(head, no_wrap=number == 0)
    return table


def _end(value: float | None, without: str) -> str:
    return without if value is None else f"{value:g}"
