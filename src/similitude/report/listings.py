"""Listings of measures, systems, formats, recipes, public data, suites and tasks, from their records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from similitude.report.fitted_table import FittedColumn, FittedTable

if TYPE_CHECKING:
    from similitude.data.public import PublicData

__all__ = [
    "counted_table",
    "formats_table",
    "measures_table",
    "public_data_table",
    "recipes_table",
    "suites_table",
    "systems_table",
    "tasks_table",
]

Records = Iterable[Mapping[str, Any]]


def measures_table(measures: Records) -> FittedTable:
    """All measures with range, direction, requirements, meaning, and when they are undefined."""
    rows = (
        (
            each["name"],
            f"{_end(each['low'], '-∞')}..{_end(each['high'], '∞')}",
            "higher" if each["higher_is_better"] else "lower",
            ", ".join(each["needs"]) or "-",
            each["meaning"],
            each["undefined"],
        )
        for each in measures
    )
    return _table(("measure", "range", "better", "needs", "meaning", "undefined where"), rows)


def systems_table(systems: Records) -> FittedTable:
    """All systems: name, arguments, description."""
    return _listing(systems, {"name": "system", "arguments": "arguments", "summary": "what it does"})


def formats_table(formats: Records) -> FittedTable:
    """All file formats: name, how they are recognised, description."""
    return _listing(formats, {"name": "format", "how": "recognised by", "what": "what it is"})


def recipes_table(recipes: Records) -> FittedTable:
    """All recipes: name, data set, scale, licence, how to cite it."""
    return _listing(
        recipes, {"name": "recipe", "data": "data", "scale": "scale", "licence": "licence", "citation": "citation"}
    )


def public_data_table(known: Iterable[PublicData]) -> FittedTable:
    """All public data sets: name, what it holds, licence, size."""
    rows = ((data.name, data.holds, data.licence, _size(data)) for data in known)
    return _table(("name", "holds", "licence", "size"), rows)


def _size(data: PublicData) -> str:
    return f"{data.bytes / 1e6:.1f} MB" if data.file else "by hand"


def suites_table(suites: Records) -> FittedTable:
    """All suites: name, language, benchmarks, description."""
    rows = (
        (f"suite:{each['name']}", each["language"], ", ".join(each["benchmarks"]), each["description"])
        for each in suites
    )
    return _table(("suite", "language", "benchmarks", "what it is"), rows)


def tasks_table(kinds: Records) -> FittedTable:
    """All kinds of tasks: name, what is asked, the data it needs."""
    rows = ((each["name"], each["task"], "\n".join(f"- {layout}" for layout in each["data"])) for each in kinds)
    return _table(("task", "what is asked", "data"), rows)


def _listing(records: Records, heads: Mapping[str, str]) -> FittedTable:
    """A table of these fields, each under its head."""
    return _table(tuple(heads.values()), (tuple(each[field] for field in heads) for each in records))


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> FittedTable:
    """A table of texts, whose first column has the names."""
    name, *others = heads
    columns = [FittedColumn(head=name, holds="name"), *(FittedColumn(head=head, holds="text") for head in others)]
    return FittedTable(columns=tuple(columns), rows=tuple(tuple(map(Text, row)) for row in rows))


def counted_table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> FittedTable:
    """A table of counts, sizes and days, whose first column has the names."""
    name, *others = heads
    columns = [FittedColumn(head=name, holds="name"), *(FittedColumn(head=head.replace(" ", "\n")) for head in others)]
    return FittedTable(columns=tuple(columns), rows=tuple(tuple(map(Text, row)) for row in rows))


def _end(value: float | None, without: str) -> str:
    return without if value is None else f"{value:g}"
