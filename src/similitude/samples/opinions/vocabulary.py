"""What made pairs are about: domains, the facts told in each, and their wordings, as written in ``opinions.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["DOMAINS", "Domain", "Fact", "FactKind", "OpinionVocabulary", "vocabulary"]

DOMAINS = ("meals", "trips")
"""What pairs can be about."""


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
    """Something that can be told of somebody: a name, how much it counts, and values in kinds."""

    name: str
    weight: float
    kinds: tuple[FactKind, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """What pairs of one domain are made of.

    Attributes:
        name: of the domain.
        vague: the share of facts that one of the two sentences leaves vague.
        facts: what can be told.
        feelings: wordings of a good feeling, and of a bad one.
    """

    name: str
    vague: float
    facts: tuple[Fact, ...]
    feelings: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionVocabulary:
    """All that pairs are made of.

    Attributes:
        names: of the people.
        three: sentences that hold three predicates.
        four: sentences that hold four.
        domains: by the order of `DOMAINS`.
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
