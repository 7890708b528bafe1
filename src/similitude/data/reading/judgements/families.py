"""Families of numbered columns, such as Item1, Item2, Item3."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

__all__ = ["main_family", "numbered_families"]

NUMBERED = re.compile(r"^(?P<stem>.*?)[\s_.-]*(?P<number>\d{1,2})$", re.DOTALL)
LETTERED = re.compile(r"^(?P<stem>.*?)(?:[\s_.-]+(?P<letter>[A-Za-z])|(?<=[a-z])(?P<capital>[A-Z]))$", re.DOTALL)
IN_BRACKETS = re.compile(r"^(?P<stem>.*?)\s*\[.*\]$", re.DOTALL)
OF_MANY = re.compile(r"^(?P<stem>.*?)[\s_.-]*\d+$", re.DOTALL)
INSIDE = re.compile(r"\.\d+\.")
"""A number inside a name, as oTree writes sim.1.player.rating."""

ANSWER = re.compile(r"\.(rating|response|value|score|answer|label)$")
FEWEST = 3
"""So many columns of one stem are a family, if they are most of the columns."""

ALIKE = 0.6
"""The least similarity of two spellings of one stem: SentPai and SemPair have it, id and text do not."""


class _Member(NamedTuple):
    column: str
    stem: str
    number: int


def numbered_families(columns: Iterable[str]) -> list[list[str]]:
    """Groups of two or more columns that are numbered from 1 (or A) without a gap, each in order.

    >>> numbered_families(["SentPair1", "SentPai2", "SentPair3", "SemPair4", "Best", "Worst"])
    [['SentPair1', 'SentPai2', 'SentPair3', 'SemPair4']]
    >>> numbered_families(["id1", "text1", "id2", "text2"])
    [['id1', 'id2'], ['text1', 'text2']]
    """
    families: list[list[_Member]] = []
    for column in columns:
        member = _member(column)
        if member is None:
            continue
        home = _home(member, families)
        if home is not None:
            home.append(member)
        elif member.number == 1:
            families.append([member])
    return [[member.column for member in family] for family in families if len(family) > 1]


def main_family(columns: Sequence[str]) -> list[str]:
    """The columns that are numbered, or have a part in brackets, after the stem that most of them share; else none.

    If no stem is that of most columns, it is the one that ends like an answer.

    >>> main_family(["pair_1", "pair_2", "pair_3", "pairs_complete"])
    ['pair_1', 'pair_2', 'pair_3']
    >>> main_family(["Rate [a]", "Rate [b]", "Rate [c]", "Last page"])
    ['Rate [a]', 'Rate [b]', 'Rate [c]']
    >>> main_family([f"sim.{round}.player.{name}" for round in (1, 2, 3) for name in ("rating", "payoff")])
    ['sim.1.player.rating', 'sim.2.player.rating', 'sim.3.player.rating']
    >>> main_family(["ann", "bob", "cyd"])
    []
    """
    stems = [_stem(column) for column in columns]
    counted = Counter(stem for stem in stems if stem)
    common = [stem for stem, size in counted.items() if size >= FEWEST and 2 * size > len(columns)]
    answers = [stem for stem, size in counted.items() if size >= FEWEST and ANSWER.search(stem)]
    chosen = common or answers
    return [column for column, stem in zip(columns, stems, strict=True) if stem in chosen] if len(chosen) == 1 else []


def _stem(column: str) -> str | None:
    found = IN_BRACKETS.match(column.strip()) or OF_MANY.match(column.strip())
    inside = INSIDE.sub(".#.", column.strip().lower())
    return found["stem"].lower() or None if found else inside if ".#." in inside else None


def _member(column: str) -> _Member | None:
    numbered = NUMBERED.match(column.strip())
    if numbered:
        return _Member(column, numbered["stem"].lower(), int(numbered["number"]))
    lettered = LETTERED.match(column.strip())
    if lettered:
        letter = lettered["letter"] or lettered["capital"]
        return _Member(column, lettered["stem"].lower(), ord(letter.lower()) - ord("a") + 1)
    return None


def _home(member: _Member, families: Sequence[list[_Member]]) -> list[_Member] | None:
    """The family whose next number this is, and whose stem is most similar."""
    waiting = [family for family in families if family[-1].number + 1 == member.number]
    likeness = [SequenceMatcher(None, family[0].stem, member.stem).ratio() for family in waiting]
    best = max(likeness, default=0.0)
    return waiting[likeness.index(best)] if best >= ALIKE else None
