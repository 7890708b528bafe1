"""The order of rounds of annotation."""

from __future__ import annotations

import re
from typing import Final

import polars as pl

from similitude.data.judgements import FIRST_ROUND

__all__ = ["rounds_in_order"]

ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def rounds_in_order(rounds: pl.Series) -> list[str]:
    """The names of rounds, earliest first, each once.

    Names with a number, such as ``2`` or ``round 10``, and ordinal words have an order of their own. Other names stand
    in order of first appearance, after "first".

    >>> rounds_in_order(pl.Series(["round 10", "first", "round 2"]))
    ['first', 'round 2', 'round 10']
    >>> rounds_in_order(pl.Series(["pilot", "main", "pilot"]))
    ['pilot', 'main']
    """
    names: list[str] = rounds.drop_nulls().unique(maintain_order=True).to_list()
    numbers = {name: _number(name) for name in names}
    known = [number for number in numbers.values() if number is not None]
    if len(known) == len(names) == len(set(known)):
        return sorted(names, key=lambda name: numbers[name] or 0)
    return sorted(names, key=lambda name: name != FIRST_ROUND)


def _number(name: str) -> int | None:
    """The only number in a name, or that of an ordinal word."""
    word = name.strip().lower()
    if word in ORDINALS:
        return ORDINALS.index(word) + 1
    found = re.findall(r"\d+", word)
    return int(found[0]) if len(found) == 1 else None
