"""Short names of systems, which tables show in place of long identities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import replace
from typing import Any

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.data.protocols import System
from similitude.errors import ArgumentError
from similitude.study.runs import Run
from similitude.systems import make_system
from similitude.systems.objects import NEEDS, NamedSystem, ObjectSystem, ScoreColumn
from similitude.systems.objects import system as make_named
from similitude.systems.score_numbers import is_column, shown

__all__ = ["Systems", "distinct_labels", "listed_systems", "named_systems", "other_labels", "renamed", "with_labels"]

LONGEST = 40
"""Longer identities are shortened."""
FOLDERS = re.compile(r"""[^\s,()='"]*/""")
"""What stands before the last part of a path."""

Systems = Any
"""One system, a sequence of systems, or a mapping of short names to systems.

A system is a name with arguments, a system, a function of one pair or of two lists, a ``SentenceTransformer``, a
``CrossEncoder``, an object with ``encode`` or ``score``, or an array, list or column of scores.
"""


Rows = Benchmark | Mapping[str, Benchmark] | None
"""What scores in memory may belong to: the rows of one benchmark, or of several by name."""


def named_systems(
    systems: Systems, names: Sequence[str] = (), *, benchmark: Rows = None, data: Any = None
) -> tuple[list[str | System], list[str]]:
    """The systems in order, and a name for each; empty for those without one.

    Args:
        systems: the systems; the keys of a mapping are their names.
        names: one name for each system, in order; or ``NAME=SYSTEM`` for some of them.
        benchmark: the items whose rows arrays of scores belong to; by name, if there are several; None if there is no
            such table.
        data: what the user gave as data.

    Raises:
        ArgumentError: something is no system, has no name, or the names do not fit the systems.

    >>> named_systems(["levenshtein", "char-ngram-cosine(n=3)"], ["edits", "3-grams"])[1]
    ['edits', '3-grams']
    >>> named_systems(["levenshtein", "char-ngram-cosine(n=3)"], ["3-grams=char-ngram-cosine(n=3)"])[1]
    ['', '3-grams']
    """
    given, keys = _given(systems, names)
    told = keys if not names else _names([_spellings(system) for system in given], names)
    pairs = [_named(system, name, place) for place, (system, name) in enumerate(zip(given, told, strict=True))]
    bound = [_bound(system, benchmark, data) for system, _ in pairs]
    return bound, [name for _, name in pairs]


def listed_systems(
    systems: Systems, names: Sequence[str] = (), *, benchmark: Benchmark | None = None, data: Any = None
) -> list[NamedSystem]:
    """The systems in order, each with its name, to be handed on; the arguments are those of `named_systems`."""
    given, told = named_systems(systems, names, benchmark=benchmark, data=data)
    return [NamedSystem(make_system(system), name) for system, name in zip(given, told, strict=True)]


def _given(systems: Systems, names: Sequence[str]) -> tuple[list[Any], list[str]]:
    """The systems as a list, and the keys of a mapping.

    Raises:
        ArgumentError: it is no system, no sequence and no mapping.
    """
    if isinstance(systems, Mapping):
        if names:
            raise ArgumentError("systems were named twice", remedy="give a mapping, or names, not both")
        return list(systems.values()), [str(name) for name in systems]
    if isinstance(systems, set | frozenset):
        raise ArgumentError("a set of systems has no order", remedy='give a list: ["levenshtein", ...]')
    several = isinstance(systems, Sequence | Iterator | KeysView | ValuesView) and not isinstance(systems, str | bytes)
    given = list(systems) if (several and not is_column(systems)) or _are_names(systems) else [systems]
    return given, [""] * len(given)


def _are_names(systems: Any) -> bool:
    """Whether it is a column of texts, which can only be names of systems."""
    is_one_column = is_column(systems) and not hasattr(systems, "columns") and getattr(systems, "ndim", 1) == 1
    return is_one_column and len(systems) > 0 and all(isinstance(each, str) for each in systems)


def _named(system: Any, name: str, place: int) -> tuple[str | NamedSystem, str]:
    """A system with its name, given or its own; one that is written as text may have none.

    Raises:
        ArgumentError: it is no system, or an object without a name.
    """
    if isinstance(system, str):
        return system, name
    if system is None or (isinstance(system, bytes | int | float | Mapping) and not _is_scores(system)):
        where = f"system '{name}'" if name else f"system {place + 1}"
        raise ArgumentError(f"{shown(system)} is no system", where=where, remedy=NEEDS)
    made = make_named(system, name=name or None)
    is_own = isinstance(made.inner_system, ObjectSystem | ScoreColumn)
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


def _bound(system: str | NamedSystem, benchmark: Rows, data: Any) -> str | System:
    """The system itself; scores with the rows that they belong to.

    Raises:
        ArgumentError: there are no rows that scores could belong to.
    """
    if isinstance(system, str):
        return system
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


def _spellings(system: Any) -> tuple[str, ...]:
    """How a system can be written: as it was given, and as its identity or own name."""
    if isinstance(system, str):
        return (system, str(make_system(system).identity))
    made = make_named(system)
    return (str(made.identity), made.label)


def _names(systems: Sequence[Sequence[str]], names: Sequence[str]) -> list[str]:
    """The name of each system, which is known by some spellings; empty without one."""
    by_system = sum("=" in name for name in names)
    if 0 < by_system < len(names):
        raise ArgumentError(
            "some names say which system they are for, others do not",
            remedy="give one --name for each system, in order, or each as NAME=SYSTEM",
        )
    if not by_system and len(names) != len(systems):
        raise ArgumentError(
            f"{counted(len(names), 'name')} for {counted(len(systems), 'system')}",
            remedy="give one --name for each system, in order, or NAME=SYSTEM for some of them",
        )
    if not by_system:
        return [name.strip() for name in names]
    parts = [name.partition("=") for name in names]
    found = {_place(systems, system.strip()): name.strip() for name, _, system in parts}
    if len(found) < len(names):
        raise ArgumentError("a system has two names", remedy="give each system one --name")
    return [found.get(place, "") for place in range(len(systems))]


def _place(systems: Sequence[Sequence[str]], asked: str) -> int:
    for place, spellings in enumerate(systems):
        if asked in spellings:
            return place
    there = ", ".join(spellings[0] for spellings in systems)
    raise ArgumentError(f"no system '{asked}' to name", remedy=f"systems there: {there}")


def distinct_labels(identities: Sequence[str], names: Sequence[str]) -> list[str]:
    """The label of each system: its name, or its identity; long ones without the folders or the organisation of models.

    >>> distinct_labels(["jaro", "encoder(sentence-transformers/paraphrase-multilingual-mpnet-base-v2)"], ["", ""])
    ['jaro', 'encoder(paraphrase-multilingual-mpnet-base-v2)']

    Raises:
        ArgumentError: two systems would have the same label.
    """
    short = [_without_folders(identity) for identity in identities]
    own = short if len(set(short)) == len(short) else identities
    labels = [name or identity for identity, name in zip(own, names, strict=True)]
    double, times = Counter(labels).most_common(1)[0]
    if times > 1:
        raise ArgumentError(f"{times} systems are named '{double}'", remedy="give each system a name of its own")
    return labels


def _without_folders(identity: str) -> str:
    return identity if len(identity) <= LONGEST else FOLDERS.sub("", identity)


def other_labels(systems: Sequence[tuple[str, str]], names: Sequence[str]) -> list[str]:
    """The labels of systems, given with their identities and labels, after some or all get other names.

    Raises:
        ArgumentError: the names do not fit the systems, or are not distinct.
    """
    return distinct_labels([label for _, label in systems], _names(systems, names))


def renamed(run: Run, names: Sequence[str]) -> Run:
    """A run with other names: one for each system, in the order of the run, or ``NAME=SYSTEM`` for some.

    Raises:
        ArgumentError: the names do not fit the systems, or are not distinct.
    """
    if not names:
        return run
    known = [(record.identity, record.label) for record in run.systems]
    labels = other_labels(known, names)
    return with_labels(run, dict(zip((record.identity for record in run.systems), labels, strict=True)))


def with_labels(run: Run, labels: Mapping[str, str]) -> Run:
    """A run whose systems, by identity, have other labels."""
    return replace(run, systems=tuple(replace(record, label=labels[record.identity]) for record in run.systems))
