"""The vocabulary of ``sample:opinions``: domains, their facts, and wordings, from ``opinions.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["DOMAINS", "Domain", "Fact", "FactKind", "OpinionVocabulary", "vocabulary"]

DOMAINS = ("meals", "trips")
"""The domains of pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactKind:
    """Values that belong together.

    Attributes:
        vague: wordings that cover every value of the kind.
        values: the exact wordings of each value.
    """

    vague: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that can be stated about a person.

    Attributes:
        name: the name of the fact.
        weight: how much it counts.
        kinds: its values, by kind.
    """

    name: str
    weight: float
    kinds: tuple[FactKind, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """The vocabulary of one domain.

    Attributes:
        name: the name of the domain.
        vague: the share of facts that one of the two sentences leaves vague.
        facts: the facts that can be stated.
        feelings: wordings of a good feeling, and of a bad one.
    """

    name: str
    vague: float
    facts: tuple[Fact, ...]
    feelings: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionVocabulary:
    """The vocabulary of all pairs.

    Attributes:
        names: names of people.
        three: templates for three predicates.
        four: templates for four predicates.
        domains: the domains, in the order of `DOMAINS`.
    """

    names: tuple[str, ...]
    three: tuple[str, ...]
    four: tuple[str, ...]
    domains: tuple[Domain, ...]

    def domain(self, name: str) -> Domain:
        """The domain of this name."""
        return self.domains[DOMAINS.index(name)]


@cache
def vocabulary() -> OpinionVocabulary:
    """The vocabulary that ships with the package.

    >>> [fact.name for fact in vocabulary().domain("trips").facts]
    ['transport', 'destination', 'departure', 'lodging', 'length', 'luggage', 'activity']
    """
    written = tomllib.loads((files("similitude.samples") / "files" / "opinions.toml").read_text(encoding="utf-8"))
    return OpinionVocabulary(
        names=tuple(written["people"]["names"]),
        three=tuple(written["sentences"]["three"]),
        four=tuple(written["sentences"]["four"]),
        domains=tuple(_domain(name, written[name]) for name in DOMAINS),
    )


def _domain(name: str, written: dict[str, Any]) -> Domain:
    feeling = written["feeling"]
    return Domain(
        name=name,
        vague=written["vague"],
        facts=tuple(_fact(fact) for fact in written["facts"]),
        feelings=(tuple(feeling["good"]), tuple(feeling["bad"])),
    )


def _fact(written: dict[str, Any]) -> Fact:
    kinds = (
        FactKind(vague=tuple(kind["vague"]), values=tuple(tuple(wordings) for wordings in kind["values"]))
        for kind in written["kinds"]
    )
    return Fact(name=written["name"], weight=written["weight"], kinds=tuple(kinds))
