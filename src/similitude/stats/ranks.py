"""Sorted rows, their ranks and ties."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["Ordering", "average_ranks", "competition_ranks"]


@dataclass(frozen=True, eq=False)
class Ordering:
    """The ascending order of an array along the last axis, and its ties.

    One sort serves ranks, rank correlations and all ranking measures.
    """

    values: NDArray[np.float64]

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Positions in ascending order of the values; the order inside a tie is arbitrary."""
        return np.argsort(self.values)

    @cached_property
    def tie(self) -> NDArray[np.intp]:
        """The number of the tie at each place of the sorted rows; numbers continue from row to row."""
        ordered = np.take_along_axis(self.values, self.order, axis=-1)
        is_new = np.ones(ordered.shape, dtype=np.bool_)
        np.not_equal(ordered[..., 1:], ordered[..., :-1], out=is_new[..., 1:])
        return (np.cumsum(is_new) - 1).reshape(ordered.shape)

    @cached_property
    def tie_sizes(self) -> NDArray[np.intp]:
        """The number of values in each tie."""
        return np.bincount(self.tie.ravel())

    @cached_property
    def ranks(self) -> NDArray[np.float64]:
        """Ranks from 1 (lowest); ties have their average rank."""
        n = self.values.shape[-1]
        places = np.broadcast_to(np.arange(1.0, n + 1.0), self.values.shape)
        ranks = np.empty(self.values.shape)
        np.put_along_axis(ranks, self.order, self.averaged(places), axis=-1)
        return ranks

    def averaged(self, placed: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values in sorted order, each replaced by the mean of its tie."""
        if self.tie_sizes.size == self.tie.size:
            return placed
        sums = np.bincount(self.tie.ravel(), weights=placed.ravel())
        return np.asarray((sums / self.tie_sizes)[self.tie])


def average_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1 (lowest) along the last axis; ties have their average rank.

    >>> average_ranks(np.array([10.0, 30.0, 10.0, 20.0]))
    array([1.5, 4. , 1.5, 3. ])
    """
    return Ordering(np.asarray(values)).ranks


def competition_ranks(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Ranks from 1 (highest) along the last axis, as in tables: ties have the lowest of their ranks.

    >>> competition_ranks(np.array([0.5, 0.9, 0.9, 0.1]))
    array([3, 1, 1, 4])
    """
    from scipy.stats import rankdata

    return np.asarray(rankdata(-np.asarray(values, dtype=np.float64), method="min", axis=-1), dtype=np.intp)
