"""Ratings in a long list, and the pairs of raters who share items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from similitude.gold.aggregation.tuple_arrays import numbered
from similitude.stats.arrays import Array, Integers

__all__ = ["RaterPairs", "Ratings"]

ROWS = 2_000_000
"""About how many rows of pairs are held in memory at a time."""


class RaterPairs(NamedTuple):
    """Some pairs of raters, each with the items that both rated, pair after pair.

    Attributes:
        sizes: number of shared items of each pair.
        item: the item of each row.
        one: the rating of one rater.
        other: the rating of the other.
    """

    sizes: Integers
    item: Integers
    one: Array
    other: Array


class Ratings(NamedTuple):
    """Ratings by named raters, sorted by item, then by rater. A rater rates an item once.

    Attributes:
        rater: the number of each rating's rater.
        item: the number of its item.
        value: the rating.
    """

    rater: Integers
    item: Integers
    value: Array

    @classmethod
    def of_matrix(cls, values: Array) -> Ratings:
        """From raters x items, nan where a rater did not rate an item."""
        item, rater = np.nonzero(~np.isnan(values.T))
        return cls(rater, item, values[rater, item])

    @classmethod
    def of_frame(cls, rated: pl.DataFrame) -> Ratings:
        """From a table with the columns annotator, item and value, one row for a rater and an item."""
        rater, item = (
            numbered(rated[name], rated[name].unique(maintain_order=True)).to_numpy().astype(np.intp)
            for name in ("annotator", "item")
        )
        order = np.lexsort((rater, item))
        return cls(rater[order], item[order], rated["value"].to_numpy().astype(np.float64)[order])

    @property
    def raters(self) -> int:
        """The number of raters who rated anything."""
        return int(np.unique(self.rater).size)

    def pairs(self, least_shared: int) -> Iterator[RaterPairs]:
        """All pairs who share at least so many items, in blocks."""
        if self.rater.size == 0:
            return
        later = self._later_raters()
        order = np.argsort(self.rater, kind="stable")
        of_rater = np.bincount(self.rater, later).astype(np.intp)
        blocks = np.cumsum(of_rater) // ROWS
        for chosen in np.split(order, np.flatnonzero(np.diff(blocks[self.rater[order]])) + 1):
            found = self._pairs_of(chosen, later[chosen], least_shared)
            if found.sizes.size:
                yield found

    def _later_raters(self) -> Integers:
        """For each rating, how many ratings of the same item follow it."""
        sizes = np.bincount(self.item)
        return np.asarray(np.cumsum(sizes)[self.item] - np.arange(self.item.size) - 1)

    def _pairs_of(self, chosen: Integers, later: Integers, least_shared: int) -> RaterPairs:
        """The pairs of these ratings' raters with raters of a higher number."""
        row = np.repeat(chosen, later)
        partner = row + 1 + np.arange(row.size) - np.repeat(np.cumsum(later) - later, later)
        pair = self.rater[row] * np.int64(self.rater.max() + 1) + self.rater[partner]
        order = np.argsort(pair, kind="stable")
        _, sizes = np.unique(pair, return_counts=True)
        kept = order[np.repeat(sizes >= least_shared, sizes)]
        row, partner = row[kept], partner[kept]
        return RaterPairs(sizes[sizes >= least_shared], self.item[row], self.value[row], self.value[partner])
