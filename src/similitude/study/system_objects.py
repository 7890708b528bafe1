"""Objects as systems of a run: functions, models in memory and arrays of scores, each with a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import System
from similitude.errors import ArgumentError
from similitude.systems.objects import NEEDS, FileFunction, NamedSystem, ObjectSystem, ScoreColumn
from similitude.systems.objects import system as make_named
from similitude.systems.score_numbers import shown

__all__ = ["Rows", "named_object", "spellings_of_object"]

Rows = Benchmark | Mapping[str, Benchmark] | None
"""What scores in memory may belong to: the rows of one benchmark, or of several by name."""


def named_object(system: Any, name: str, place: int, benchmark: Rows, data: Any) -> tuple[System, str]:
    """The system that an object is, and its name.

    Args:
        system: anything but a text.
        name: that the user gave; may be empty.
        place: among the systems, from 0.
        benchmark: whose rows scores belong to.
        data: what the user gave as data.

    Raises:
        ArgumentError: it is no system, has no name, or has no rows that its scores could belong to.
    """
    made, label = _named(system, name, place)
    return _bound(made, benchmark, data), label


def spellings_of_object(system: Any) -> tuple[str, ...]:
    """How such a system can be written: as its identity or own name."""
    made = make_named(system)
    return str(made.identity), made.label


def _named(system: Any, name: str, place: int) -> tuple[NamedSystem, str]:
    """A system with its name, given or its own.

    Raises:
        ArgumentError: it is no system, or an object without a name.
    """
    if system is None or (isinstance(system, bytes | int | float | Mapping) and not _is_scores(system)):
        where = f"system '{name}'" if name else f"system {place + 1}"
        raise ArgumentError(f"{shown(system)} is no system", where=where, remedy=NEEDS)
    made = make_named(system, name=name or None)
    is_own = isinstance(made.inner_system, ObjectSystem | ScoreColumn)
    is_own = is_own and not isinstance(made.inner_system, FileFunction)  # which goes by its file
    if is_own and not made.label:
        kind = "an array of scores" if isinstance(made.inner_system, ScoreColumn) else shown(system)
        raise ArgumentError(
            f"system {place + 1} is {kind} without a name",
            remedy='give it one: {"mine": ...} instead of a list, or sim.system(..., name="mine")',
        )
    if made.is_fitted:
        what = f"'{made.identity}' was fitted by hand, but a run fits it to the texts of its data"
        raise ArgumentError(what, remedy=f'give "{made.identity}" as it is')
    return made, name or (made.label if is_own or isinstance(system, NamedSystem) else "")


def _bound(system: NamedSystem, benchmark: Rows, data: Any) -> System:
    """The system; scores with the rows that they belong to.

    Raises:
        ArgumentError: there are no rows that scores could belong to.
    """
    inner = system.inner_system
    if not isinstance(inner, ScoreColumn):
        return inner
    if benchmark is None:
        raise ArgumentError(
            "an array of scores belongs to the rows of one table, and a task has pairs of its own",
            where=f"system '{inner.called}'",
            remedy="give it to sim.run with its table, or give a function or a model",
        )
    return inner.bound_to_each(benchmark) if isinstance(benchmark, Mapping) else inner.bound_to(benchmark, data)


def _is_scores(system: Any) -> bool:
    return isinstance(system, Mapping) and bool(system)
