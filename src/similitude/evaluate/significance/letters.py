"""Compact letter display: systems that share a letter cannot be told apart.

Being told apart is not transitive: the first may differ from the third while the second differs from neither. Then the
second carries both letters: a, ab, b.

Reference: Piepho (2004), An algorithm for a letter-based representation of all-pairwise comparisons.
"""

from __future__ import annotations

import string
from collections.abc import Iterator

import numpy as np

from similitude.stats.arrays import Booleans

__all__ = ["compact_letters"]

Column = frozenset[int]


def compact_letters(differs: Booleans) -> list[str]:
    """The letters of every system; the systems come best first, so that the first has an "a".

    Args:
        differs: systems x systems, whether two can be told apart; symmetric.

    >>> compact_letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    ['a', 'ab', 'b']
    """
    columns = [frozenset(range(len(differs)))]
    for one, other in np.argwhere(np.triu(differs, 1)).tolist():
        columns = _absorbed(_inserted(columns, one, other))
    lettered = list(zip(_letters(), sorted(columns, key=sorted), strict=False))
    return ["".join(letter for letter, column in lettered if system in column) for system in range(len(differs))]


def _inserted(columns: list[Column], one: int, other: int) -> list[Column]:
    """Every column that holds both becomes two: without the one, and without the other."""
    made = []
    for column in columns:
        made += [column - {one}, column - {other}] if {one, other} <= column else [column]
    return made


def _absorbed(columns: list[Column]) -> list[Column]:
    """Without the columns that another holds whole."""
    distinct = list(dict.fromkeys(columns))
    return [column for column in distinct if not any(column < other for other in distinct)]


def _letters() -> Iterator[str]:
    """Small letters, capitals, and then those of other alphabets, so that none is ever used twice."""
    yield from string.ascii_letters
    yield from (chr(code) for code in range(0xDF, 0x10000) if chr(code).isalpha())
