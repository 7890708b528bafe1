"""Families of numbered columns, such as Item1, Item2, Item3."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

__all__ = ["numbered_families"]

NUMBERED = re.compile(r"^(?P<stem>.*?)[\s_.-]*(?P<number>\d{1,2})$", re.DOTALL)
LETTERED = re.compile(r"^(?P<stem>.*?)(?:[\s_.-]+(?P<letter>[A-Za-z])|(?<=[a-z])(?P<capital>[A-Z]))$", re.DOTALL)
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
