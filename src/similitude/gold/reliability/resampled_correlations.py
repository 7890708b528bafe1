"""Correlations between raters in many resamples at once.

If every rater rated every item, one matrix product per resample correlates all raters. Otherwise each pair of raters
has its own items, and the ratings of all pairs are concatenated.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal

import numpy as np

from similitude.stats import Ordering, in_chunks, levels_by_row, pearson_from_sums
from similitude.stats.arrays import Array, Integers

__all__ = ["Correlation", "SharedItems", "correlations_of_resamples"]

Correlation = Literal["pearson", "spearman"]

CHUNK_CELLS = 2_000_000
"""How many resampled ratings are held in memory at a time: 16 MB."""
BLOCK_RATINGS = 4096
"""About how many ratings of pairs are processed at a time."""
ROUNDING = 1e-12
"""A spread below this fraction of the whole sample's counts as 0."""


def correlations_of_resamples(values: Array, weights: Array, correlation: Correlation) -> Array:
    """The correlation of every two rows in every resample: resamples x rows x rows; nan where a row is constant.

    Args:
        values: rows x items, none missing.
        weights: resamples x items, how often each item was drawn.
        correlation: "pearson" or "spearman".

    >>> rows = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]])
    >>> correlations_of_resamples(rows, np.array([[1.0, 1.0, 1.0], [3.0, 0.0, 0.0]]), "spearman")[:, 0, 1]
    array([0.5, nan])
    """
    standings = _ranks_by_resample(values) if correlation == "spearman" else _scaled(values)
    chunks = in_chunks(len(weights), max(1, CHUNK_CELLS // values.size))
    return np.concatenate([_correlations(standings(weights[a:b]), weights[a:b]) for a, b in chunks])


def _correlations(standings: Array, weights: Array) -> Array:
    total = weights.sum(axis=1)[:, None]
    middle = np.einsum("bri,bi->br", standings, weights) / total
    apart = (standings - middle[:, :, None]) * np.sqrt(weights)[:, None, :]
    products = apart @ apart.swapaxes(1, 2)
    spread = np.einsum("brr->br", products)
    # Standings are ranks, or values scaled to spread 1 in the whole sample; far smaller spreads are rounding.
    length = np.sqrt(np.where(spread > ROUNDING * total, spread, np.nan))
    return np.asarray(np.clip(products / length[:, :, None] / length[:, None, :], -1.0, 1.0))


def _scaled(values: Array) -> Callable[[Array], Array]:
    centred = values - values.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=1, keepdims=True))
    scaled = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 0)
    return lambda weights: np.broadcast_to(scaled, (len(weights), *scaled.shape))


def _ranks_by_resample(values: Array) -> Callable[[Array], Array]:
    """Ranks (minus one half) of every row in every resample: draws below a value, plus half of those at it."""
    rows = levels_by_row(Ordering(values))

    def ranks(weights: Array) -> Array:
        found = np.empty((len(weights), *values.shape))
        for place, levels in enumerate(rows):
            drawn = np.add.reduceat(weights[:, levels.order], levels.starts, axis=1)
            found[:, place] = np.take(np.cumsum(drawn, axis=1) - drawn / 2, levels.of_item, axis=1)
        return found

    return ranks


class _Side:
    """One rater's ratings of every pair, grouped into levels: equal values of one pair."""

    def __init__(self, pair: Integers, items: Integers, values: Array, number: int) -> None:
        order = np.lexsort((values, pair))
        is_new = np.ones(order.size, dtype=np.bool_)
        is_new[1:] = (np.diff(pair[order]) != 0) | (np.diff(values[order]) != 0)
        starts = np.flatnonzero(is_new)
        self._of_rating = np.empty(order.size, dtype=np.intp)
        self._of_rating[order] = np.cumsum(is_new) - 1
        self._at_level = _adding(items[order], starts, number)
        self._sizes = np.bincount(pair[order][starts])
        self._firsts = np.cumsum(self._sizes) - self._sizes
        self._of_pair = _adding(np.arange(starts.size), self._firsts, starts.size)

    def ranks(self, by_item: Array) -> tuple[Array, Array]:
        """Centred ranks, ratings x resamples, and the sum of their squares, pairs x resamples."""
        drawn = self._at_level @ by_item
        upto = np.cumsum(drawn, axis=0)
        before = upto[self._firsts] - drawn[self._firsts]
        centre = before + self._of_pair @ drawn / 2
        middle = upto - drawn / 2 - np.repeat(centre, self._sizes, axis=0)
        return np.take(middle, self._of_rating, axis=0), self._of_pair @ (drawn * middle**2)


def _adding(places: Integers, starts: Integers, number: int) -> Any:
    """The sparse matrix that sums rows: for each start, those from there to the next start."""
    from scipy.sparse import csr_array

    ends = np.append(starts, places.size)
    return csr_array((np.ones(places.size), places, ends), shape=(starts.size, number))


class SharedItems:
    """The ratings of pairs of raters, each pair on the items that both rated.

    Attributes:
        items: the item of each rating, pair after pair.
        starts: where each pair begins.
        one: ratings of one rater.
        other: ratings of the other.
    """

    def __init__(self, ratings: Array, pairs: Integers) -> None:
        there = ~np.isnan(ratings)
        shared = [np.flatnonzero(there[a] & there[b]) for a, b in pairs.tolist()]
        sizes = np.array([items.size for items in shared], dtype=np.intp)
        self.items = np.concatenate(shared)
        self.starts = np.cumsum(sizes) - sizes
        self._pair = np.repeat(np.arange(len(pairs)), sizes)
        self._number = ratings.shape[1]
        self.one, self.other = ratings[pairs[self._pair].T, self.items]

    @classmethod
    def blocks(cls, ratings: Array, pairs: Integers, shared: Integers) -> list[SharedItems]:
        """The pairs in blocks of a few thousand ratings each, which fit into the processor's cache.

        Args:
            ratings: raters x items, nan where there is none.
            pairs: the two raters of each pair.
            shared: number of items that each pair shares.
        """
        block = np.cumsum(shared) // BLOCK_RATINGS
        cuts = np.flatnonzero(np.diff(block)) + 1
        return [cls(ratings, part) for part in np.split(pairs, cuts)]

    def correlations(self, weights: Array, correlation: Correlation) -> Array:
        """The correlation of every pair in every resample, pairs x resamples; nan where it is undefined."""
        return self._spearman(weights) if correlation == "spearman" else self._pearson(weights)

    def _pearson(self, weights: Array) -> Array:
        by_item = np.ascontiguousarray(weights.T)
        return pearson_from_sums(np.stack([table @ by_item for table in self._features], axis=-1))

    def _spearman(self, weights: Array) -> Array:
        by_item = np.ascontiguousarray(weights.T)
        (one, one_spread), (other, other_spread) = (side.ranks(by_item) for side in self._sides)
        one *= other
        one *= np.take(by_item, self.items, axis=0)
        products, spread = self._of_pair @ one, np.sqrt(one_spread * other_spread)
        rho = np.divide(products, spread, out=np.full_like(spread, np.nan), where=spread > 0)
        return np.asarray(np.clip(rho, -1.0, 1.0))

    @cached_property
    def _sides(self) -> tuple[_Side, _Side]:
        one, other = (_Side(self._pair, self.items, side, self._number) for side in (self.one, self.other))
        return one, other

    @cached_property
    def _of_pair(self) -> Any:
        return _adding(np.arange(self.items.size), self.starts, self.items.size)

    @cached_property
    def _features(self) -> list[Any]:
        """The terms to sum for Pearson's r: pairs x items, each sparse."""
        from scipy.sparse import csr_array

        x, y = self._centred(self.one), self._centred(self.other)
        shape, ends = (self.starts.size, self._number), np.append(self.starts, self.items.size)
        rows = (np.ones_like(x), x, y, x * x, y * y, x * y)
        return [csr_array((row, self.items, ends), shape=shape) for row in rows]

    def _centred(self, side: Array) -> Array:
        sizes = np.bincount(self._pair)
        return np.asarray(side - (np.bincount(self._pair, side) / sizes)[self._pair])
