"""How many to take of each part: in proportion to weights, never more than there are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["divide", "even_shares"]

_SLACK = 1e-9
"""Shares that differ by less are equal: they come from divisions."""


def divide(
    totals: NDArray[np.int64],
    parents: NDArray[np.int64],
    weights: NDArray[np.float64],
    available: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Divide the total of each parent over its parts.

    Parts get numbers in proportion to their weights. A part that has fewer gives all it has, and the others of the same
    parent get more, again in proportion. What rounding leaves goes to the largest fractions; which of equal fractions
    is random, so that no part is favoured when many parents are divided.

    Args:
        totals: what each parent has to give.
        parents: the parent of each part.
        weights: of each part; a part of weight 0 gets nothing.
        available: the largest number that each part can get.
        rng: decides between equal fractions.

    Returns:
        One number for each part. Those of a parent sum to its total, or to all that its parts have.

    >>> one = np.zeros(3, np.int64)
    >>> divide(np.array([9]), one, np.ones(3), np.array([1, 10, 10]), np.random.default_rng(1))
    array([1, 4, 4])
    """
    given = np.zeros(len(parents), np.int64)
    left = np.array(totals, np.int64)
    open_ = (weights > 0) & (available > 0)
    while True:
        shares = _level(left, parents, weights, open_)
        full = open_ & (shares >= available - _SLACK)
        if not full.any():
            break
        given[full] = available[full]
        left -= _sums(parents[full], available[full], len(left))
        open_ &= ~full
    whole = np.floor(shares + _SLACK).astype(np.int64)
    left -= _sums(parents, whole, len(left))
    return given + whole + _rounded_up(left, parents, shares - whole, open_, rng)


def even_shares(
    totals: NDArray[np.int64], parents: NDArray[np.int64], weights: NDArray[np.float64]
) -> NDArray[np.int64]:
    """What each part would get at least if it had enough.

    >>> even_shares(np.array([8]), np.zeros(3, np.int64), np.ones(3))
    array([2, 2, 2])
    """
    shares = _level(totals, parents, weights, weights > 0)
    return np.floor(shares + _SLACK).astype(np.int64)


def _level(
    left: NDArray[np.int64], parents: NDArray[np.int64], weights: NDArray[np.float64], open_: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """What each part that is not full yet would get; 0 for the others."""
    held = np.where(open_, weights, 0.0)
    sums = np.bincount(parents, held, len(left))
    return np.asarray(held * (left / np.where(sums > 0, sums, 1.0))[parents])


def _sums(parents: NDArray[np.int64], numbers: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    return np.bincount(parents, numbers, count).astype(np.int64)


def _rounded_up(
    left: NDArray[np.int64],
    parents: NDArray[np.int64],
    fractions: NDArray[np.float64],
    open_: NDArray[np.bool_],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """1 for the parts that get one more: the largest fractions of each parent, as many as it has left."""
    up = np.zeros(len(parents), np.int64)
    parts = np.flatnonzero(open_)
    parts = parts[np.lexsort((rng.random(len(parts)), -np.round(fractions[parts], 9), parents[parts]))]
    firsts = np.searchsorted(parents[parts], parents[parts])
    up[parts] = np.arange(len(parts)) - firsts < left[parents[parts]]
    return up
