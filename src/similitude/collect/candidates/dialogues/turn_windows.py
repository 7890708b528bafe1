"""Stretches of consecutive turns: where they may end, and which dialogue gets how many turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["dealt_lengths", "window_ends"]

NONE: Final = 0
"""The end of a stretch that does not exist."""


def window_ends(turns: pl.Series, may_end: pl.Series, length: int, *, last: bool) -> NDArray[np.int64]:
    """The number of the turn, from 1, at which a stretch of turns ends in each dialogue; `NONE` where there is none.

    Args:
        turns: how many turns each dialogue has, at least 1.
        may_end: for each turn of all dialogues, one after the other, whether a stretch may end there.
        length: how many turns a stretch has.
        last: take the last stretch of a dialogue instead of the first.

    >>> window_ends(pl.Series([2, 4]), pl.Series([True, True, True, False, False, True]), 3, last=False).tolist()
    [0, 4]
    """
    counts = turns.to_numpy().astype(np.int64)
    starts = np.cumsum(counts) - counts
    numbers = np.arange(int(counts.sum())) - np.repeat(starts, counts) + 1
    fits = may_end.to_numpy() & (numbers >= length)
    if last:
        return np.maximum.reduceat(np.where(fits, numbers, NONE), starts)
    far = int(counts.max()) + 1
    ends = np.minimum.reduceat(np.where(fits, numbers, far), starts)
    return np.where(ends == far, NONE, ends)


def dealt_lengths(possible: NDArray[np.bool_], lengths: Sequence[int], rng: np.random.Generator) -> NDArray[np.int64]:
    """The position of the length that each dialogue gets, -1 if none is possible; each length as often as it can be.

    Dialogues come in random order, those with the fewest choices first, and take the length that was taken least.

    Args:
        possible: for each dialogue and each length, whether a stretch of that length exists.
        lengths: ascending.
        rng: for the order.
    """
    order = rng.permutation(len(possible))
    choices = possible.sum(axis=1)
    order = order[np.argsort(choices[order], kind="stable")]
    taken, dealt = [0] * len(lengths), np.full(len(possible), -1, dtype=np.int64)
    for dialogue in order[choices[order] > 0].tolist():
        position = min(np.flatnonzero(possible[dialogue]).tolist(), key=lambda each: (taken[each], each))
        dealt[dialogue] = position
        taken[position] += 1
    return dealt
