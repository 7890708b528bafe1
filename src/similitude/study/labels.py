"""Short names of systems, which tables show in place of long identities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from similitude.data.plural import counted
from similitude.data.protocols import System
from similitude.errors import ArgumentError
from similitude.study.runs import Run
from similitude.systems import make_system

__all__ = ["Systems", "distinct_labels", "named_systems", "other_labels", "renamed", "with_labels"]

LONGEST = 40
"""Longer identities are shortened."""
FOLDERS = re.compile(r"""[^\s,()='"]*/""")
"""What stands before the last part of a path."""

Systems = Sequence[str | System] | Mapping[str, str | System]
"""Systems, or short names with their systems."""


def named_systems(systems: Systems, names: Sequence[str] = ()) -> tuple[list[str | System], list[str]]:
    """The systems in order, and a name for each; empty for those without one.

    Args:
        systems: the systems; the keys of a mapping are their names.
        names: one name for each system, in order; or ``NAME=SYSTEM`` for some of them.

    Raises:
        ArgumentError: the names do not fit the systems.

    >>> named_systems(["levenshtein", "char-ngram-cosine(n=3)"], ["edits", "3-grams"])[1]
    ['edits', '3-grams']
    >>> named_systems(["levenshtein", "char-ngram-cosine(n=3)"], ["3-grams=char-ngram-cosine(n=3)"])[1]
    ['', '3-grams']
    """
    if isinstance(systems, Mapping):
        if names:
            raise ArgumentError("systems were named twice", remedy="give a mapping, or names, not both")
        return list(systems.values()), [str(name) for name in systems]
    given = list(systems)
    if not names:
        return given, [""] * len(given)
    return given, _names([_spellings(system) for system in given], names)


def _spellings(system: str | System) -> tuple[str, ...]:
    """How a system can be written: as it was given, and as its identity."""
    identity = str(make_system(system).identity)
    return (system, identity) if isinstance(system, str) else (identity,)


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
