"""A listing: what ships with Similitude, and what other packages add."""

from __future__ import annotations

from typing import Final, NamedTuple

from similitude.cli.catalogue.declared import Kind, Record, declared
from similitude.registry.outside import entry_points_of

__all__ = ["GROUPS", "Listing", "listed"]

GROUPS: Final[dict[Kind, str]] = {
    "measures": "similitude.measures",
    "systems": "similitude.systems",
    "formats": "similitude.formats",
    "tasks": "similitude.task_kinds",
    "checks": "similitude.checks",
    "samples": "similitude.samples",
}
"""The group of entry points by which other packages add to a kind; the other kinds are closed."""


class Listing(NamedTuple):
    """The records of a kind, and one line for each thing of another package that cannot be used."""

    records: list[Record]
    broken: list[str]


def listed(kind: Kind) -> Listing:
    """All that has a name of this kind, that of other packages included."""
    if kind not in GROUPS or not entry_points_of(GROUPS[kind]):
        return Listing(declared(kind), [])
    from similitude.cli.catalogue.registered import REGISTERED, broken

    return Listing(REGISTERED[kind](), list(map(str, broken(kind))))
