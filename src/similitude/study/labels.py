"""Short names of systems, which tables show in place of long identities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.data.protocols import System
from similitude.errors import ArgumentError
from similitude.study.runs import Run
from similitude.systems import make_system
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.score_numbers import is_column

if TYPE_CHECKING:
    from similitude.study.system_objects import Rows
    from similitude.systems.objects import NamedSystem

__all__ = ["Systems", "distinct_labels", "listed_systems", "named_systems", "other_labels", "renamed", "with_labels"]

LONGEST = 40
"""Longer identities are shortened."""
FOLDERS = re.compile(r"""[^\s,()='"]*/""")
"""What stands before the last part of a path."""

Systems = Any
"""One system, a sequence of systems, a mapping of short names to systems, or a data frame of scores.

A system is a name with arguments, a system, a function of one pair or of two lists, a ``SentenceTransformer``, a
``CrossEncoder``, an object with ``encode`` or ``score``, or an array, list or column of scores.
"""


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
    pairs = [
        _named(system, name, place, benchmark, data)
        for place, (system, name) in enumerate(zip(given, told, strict=True))
    ]
    return [system for system, _ in pairs], [name for _, name in pairs]


def _named(system: Any, name: str, place: int, benchmark: Rows, data: Any) -> tuple[str | System, str]:
    """A system with its name; one that is written as text may have none."""
    if isinstance(system, str):
        _refuse_column(system, data)
        return system, name
    from similitude.study.system_objects import named_object  # late: the command line has names alone

    return named_object(system, name, place, benchmark, data)


def listed_systems(
    systems: Systems, names: Sequence[str] = (), *, benchmark: Benchmark | None = None, data: Any = None
) -> list[NamedSystem]:
    """The systems in order, each with its name, to be handed on; the arguments are those of `named_systems`."""
    from similitude.systems.objects import NamedSystem  # late: takes time

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
    if is_column(systems) and hasattr(systems, "columns"):
        return _given({name: systems[name] for name in systems.columns}, names)
    if isinstance(systems, set | frozenset):
        raise ArgumentError("a set of systems has no order", remedy='give a list: ["levenshtein", ...]')
    several = isinstance(systems, Sequence | Iterator | KeysView | ValuesView) and not isinstance(systems, str | bytes)
    given = list(systems) if (several and not is_column(systems)) or _are_names(systems) else [systems]
    return given, [""] * len(given)


def _are_names(systems: Any) -> bool:
    """Whether it is a column of texts, which can only be names of systems."""
    is_one_column = is_column(systems) and getattr(systems, "ndim", 1) == 1
    return is_one_column and len(systems) > 0 and all(isinstance(each, str) for each in systems)


def _refuse_column(name: str, data: Any) -> None:
    """Refuse the name of a column of the data that is no system.

    Raises:
        ArgumentError: it is one.
    """
    columns = data if isinstance(data, Mapping) else getattr(data, "columns", ())
    if isinstance(columns, Iterable) and name in list(columns) and name not in SYSTEMS:
        what = f"'{name}' is a column of the data, not a system"
        raise ArgumentError(what, remedy=f'give the column itself: {{"{name}": data["{name}"]}}')


def _spellings(system: Any) -> tuple[str, ...]:
    """How a system can be written: as it was given, and as its identity or own name."""
    if isinstance(system, str):
        return (system, str(make_system(system).identity))
    from similitude.study.system_objects import spellings_of_object

    return spellings_of_object(system)


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
