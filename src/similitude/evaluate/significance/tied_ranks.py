"""Ranks with ties: systems that are not significantly different share ranks and letters.

Significance is not transitive: the first system may differ from the third while the second differs from neither. The
second then carries both letters: a, ab, b (a compact letter display).

Reference: Piepho (2004), An algorithm for a letter-based representation of all-pairwise comparisons.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Booleans

__all__ = ["UNRANKED", "TiedRank", "compact_letters", "tied_ranks"]

Column = frozenset[int]


class TiedRank(NamedTuple):
    """The ranks that are possible for a system.

    Attributes:
        best: 1 + number of significantly better systems.
        worst: number of systems minus the significantly worse ones.
        letters: systems that share a letter are not significantly different; the best system has an "a".
    """

    best: int
    worst: int
    letters: str


UNRANKED = TiedRank(0, 0, "")
"""The rank of a system whose figure is undefined."""


def tied_ranks(figures: Array, p_values: Array, alpha: float, *, higher_is_better: bool) -> list[TiedRank]:
    """The ranks of all systems, from figures and corrected p-values.

    Systems whose figure is nan have no rank and do not affect others; a pair without a p-value does not differ.

    >>> p_values = np.array([[np.nan, 0.01, 0.3], [0.01, np.nan, 0.04], [0.3, 0.04, np.nan]])
    >>> tied_ranks(np.array([0.8, 0.5, 0.7]), p_values, 0.05, higher_is_better=True)
    [TiedRank(best=1, worst=2, letters='a'),
     TiedRank(best=3, worst=3, letters='b'),
     TiedRank(best=1, worst=2, letters='a')]
    """
    merits = figures if higher_is_better else -figures
    with np.errstate(invalid="ignore"):
        differs = (p_values <= alpha) & (merits[:, None] != merits)
        better = differs & (merits > merits[:, None])
        worse = differs & (merits < merits[:, None])
    ranked = np.flatnonzero(np.isfinite(merits))
    ranked = ranked[np.argsort(-merits[ranked], kind="stable")]
    letters = dict(zip(ranked.tolist(), compact_letters(differs[np.ix_(ranked, ranked)]), strict=True))
    counts = zip((1 + better.sum(axis=1)).tolist(), (ranked.size - worse.sum(axis=1)).tolist(), strict=True)
    return [
        TiedRank(best, worst, letters[system]) if system in letters else UNRANKED
        for system, (best, worst) in enumerate(counts)
    ]


def compact_letters(differs: Booleans) -> list[str]:
    """The letters of every system, given best first, so that the first has an "a".

    Args:
        differs: systems x systems, whether two systems are significantly different; symmetric.

    >>> compact_letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    ['a', 'ab', 'b']
    """
    columns = [frozenset(range(len(differs)))]
    for one, other in np.argwhere(np.triu(differs, 1)).tolist():
        columns = _absorbed(_inserted(columns, one, other))
    lettered = list(zip(_letters(), sorted(columns, key=sorted), strict=False))
    return ["".join(letter for letter, column in lettered if system in column) for system in range(len(differs))]


def _inserted(columns: list[Column], one: int, other: int) -> list[Column]:
    """Split every column that holds both: without the one, and without the other."""
    made = []
    for column in columns:
        made += [column - {one}, column - {other}] if {one, other} <= column else [column]
    return made


def _absorbed(columns: list[Column]) -> list[Column]:
    """Drop columns that are contained in another."""
    distinct = list(dict.fromkeys(columns))
    return [column for column in distinct if not any(column < other for other in distinct)]


def _letters() -> Iterator[str]:
    """Lower-case letters, capitals, then those of other alphabets, without repetition."""
    yield from string.ascii_letters
    yield from filter(str.isalpha, map(chr, count(0xDF)))
