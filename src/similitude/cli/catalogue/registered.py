"""The records of listings, from the registries themselves: slow, because everything that is listed is imported."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from similitude.cli.catalogue.declared import Kind, Record

if TYPE_CHECKING:
    from similitude.errors import ExtensionError

__all__ = ["REGISTERED", "broken"]


def measures() -> list[Record]:
    """One example of every measure: name, meaning, direction, range, needs, ties, where it is undefined."""
    from similitude.evaluate.measures import catalogue

    return [
        {
            "name": str(m),
            "meaning": m.meaning,
            "higher_is_better": m.higher_is_better,
            "low": m.low if math.isfinite(m.low) else None,
            "high": m.high if math.isfinite(m.high) else None,
            "needs": sorted(m.requires),
            "ties": m.on_ties,
            "undefined": m.undefined,
        }
        for m in catalogue()
    ]


def systems() -> list[Record]:
    """Every system: name, arguments, summary, whether it is the default."""
    from similitude.systems import DEFAULT_SYSTEM, SYSTEMS

    return [
        {
            "name": name,
            "arguments": SYSTEMS.parameters(name),
            "summary": _summary(maker),
            "default": name == DEFAULT_SYSTEM,
        }
        for name, maker in SYSTEMS.listed().makers.items()
    ]


def formats() -> list[Record]:
    """Every format of benchmarks: name, how it is recognised, what it is."""
    from similitude.data.reading import describe_formats

    return [{"name": name, "how": how, "what": what} for name, how, what in describe_formats()]


def recipes() -> list[Record]:
    """Every recipe that ships: name, data set, scale, licence, citation."""
    from similitude.data.reading.recipes import shipped_recipes

    return [
        {
            "name": each.name,
            "data": each.title or each.listed_summary,
            "scale": each.scale or "-",
            "licence": each.licence or "not stated",
            "citation": each.citation or "-",
        }
        for each in shipped_recipes()
    ]


def suites() -> list[Record]:
    """Every suite that ships: name, language, benchmarks, description."""
    from similitude.study.suite import shipped_suites

    return [
        {
            "name": plan.name,
            "language": plan.language or "-",
            "benchmarks": [each.name for each in plan.benchmarks],
            "description": plan.description or "-",
        }
        for plan in shipped_suites().values()
    ]


def tasks() -> list[Record]:
    """Every kind of task: name, what is asked, the data it needs."""
    from similitude.evaluate.tasks.reading import describe_task_kinds

    return [{"name": name, "task": task, "data": list(layouts)} for name, task, layouts in describe_task_kinds()]


def checks() -> list[Record]:
    """Every check of benchmarks: name, what it looks for."""
    from similitude.inspect.checks import CHECKS

    return [{"name": name, "what": _summary(maker)} for name, maker in CHECKS.listed().makers.items()]


def samples() -> list[Record]:
    """Every part of the sample: name, and whether it is a benchmark or a task."""
    from similitude.samples import PARTS, SAMPLE_TASKS

    parts = [{"name": name, "kind": "benchmark"} for name in PARTS]
    return [*parts, *({"name": name, "kind": "task"} for name in SAMPLE_TASKS)]


REGISTERED: Final[dict[Kind, Callable[[], list[Record]]]] = {
    "measures": measures,
    "systems": systems,
    "formats": formats,
    "recipes": recipes,
    "suites": suites,
    "tasks": tasks,
    "checks": checks,
    "samples": samples,
}


def broken(kind: Kind) -> list[ExtensionError]:
    """What other packages registered and cannot be used."""
    from similitude.data.reading import FORMATS
    from similitude.evaluate.measures import MEASURES
    from similitude.evaluate.tasks.reading import TASK_KINDS
    from similitude.inspect.checks import CHECKS
    from similitude.systems import SYSTEMS

    registries: dict[str, Any] = {
        "measures": MEASURES,
        "systems": SYSTEMS,
        "formats": FORMATS,
        "tasks": TASK_KINDS,
        "checks": CHECKS,
    }
    found: list[ExtensionError] = registries[kind].listed().broken if kind in registries else []
    return found


def _summary(maker: object) -> str:
    summary = getattr(maker, "summary", None)
    return summary if isinstance(summary, str) else (maker.__doc__ or "").strip().partition("\n")[0]
