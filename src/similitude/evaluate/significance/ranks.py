"""Ranks that know what they do not know: systems that cannot be told apart share them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.evaluate.significance.letters import compact_letters
from similitude.stats.arrays import Array

__all__ = ["UNRANKED", "TiedRank", "tied_ranks"]


class TiedRank(NamedTuple):
    """The ranks that a system may have.

    Attributes:
        best: 1 + how many systems are significantly better.
        worst: how many systems there are, less those that are significantly worse.
        letters: systems that share one cannot be told apart; "a" is the best system's.
    """

    best: int
    worst: int
    letters: str


UNRANKED = TiedRank(0, 0, "")
"""Of a system whose figure is undefined."""


def tied_ranks(figures: Array, p_values: Array, alpha: float, *, higher_is_better: bool) -> list[TiedRank]:
    """The rank of every system from figures and corrected p-values.

    Systems whose figure is nan have no rank and count for nobody's; a pair without a p-value cannot be told apart.

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
