"""The part of the raters' leniency that is no noise, because it moves the scores of all items alike.

Some raters are lenient, some strict. If every item has raters of its own, that is noise of the items' means. If all
items have the same raters, all means move alike, and no correlation changes. In between, raters who rate many of the
items move many of the means, and the variance of the means holds less of their leniency than the ratings suggest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from similitude.stats.arrays import Array, Integers

__all__ = ["shared_leniency"]

PAIRS = 50_000_000
"""The most pairs of ratings of one item that are counted; beyond, leniency is estimated from the first items."""
ROUNDING = 1e-9
"""Two expectations that differ by less, relatively, are the same: leniency and noise cannot be told apart."""


def shared_leniency(rated: pl.DataFrame) -> float:
    """The variance of leniency that all items share, in the means of their ratings; 0 if a rating is unnamed.

    With a_r the mean weight of rater r in the n scores (1 / k_i for each of the items that r rated), the scores of the
    sample share var(leniency) (n sum a_r^2 - mean 1 / k_i) / (n - 1). It is var(leniency) / k if all items have
    the same k raters, and 0 if they have none in common. The variance of leniency is estimated by equating two sums
    of squares with their expectation: of all ratings, and of raters, both about the items' means; at least 0.

    Args:
        rated: one rating of each annotator for each item: item, annotator, value.

    >>> both = [("a", "x", 1.0), ("a", "y", 3.0), ("b", "x", 2.0), ("b", "y", 4.0), ("c", "x", 4.0), ("c", "y", 6.0)]
    >>> shared_leniency(pl.DataFrame(both, schema=["item", "annotator", "value"], orient="row"))  # -1 and 1: 2 / 2
    1.0
    """
    if rated.is_empty() or rated["annotator"].null_count():
        return 0.0
    ratings = _Ratings.of(rated)
    items = ratings.sizes.size
    weight = 1 / ratings.sizes[ratings.item]
    mean_weight = np.bincount(ratings.rater, weight) / items
    overlap = (items * float(mean_weight @ mean_weight) - float((1 / ratings.sizes).mean())) / max(items - 1, 1)
    return overlap * _variance(ratings.limited()) if overlap > 0 else 0.0


class _Ratings(NamedTuple):
    """Ratings as arrays: item, rater and value of each, and ratings per item."""

    item: Integers
    rater: Integers
    value: Array
    sizes: Array

    @classmethod
    def of(cls, rated: pl.DataFrame) -> _Ratings:
        item, rater = (_numbered(rated[name]) for name in ("item", "annotator"))
        return cls(item, rater, rated["value"].to_numpy(), np.bincount(item).astype(np.float64))

    def limited(self) -> _Ratings:
        """The first items, as many as have no more than so many pairs of ratings."""
        kept = np.searchsorted(np.cumsum(self.sizes**2), PAIRS, side="right")
        if kept >= self.sizes.size:
            return self
        there = self.item < kept
        return _Ratings(self.item[there], self.rater[there], self.value[there], self.sizes[:kept])


def _numbered(names: pl.Series) -> Integers:
    return names.cast(pl.Categorical).to_physical().rank("dense").to_numpy().astype(np.intp) - 1


def _variance(ratings: _Ratings) -> float:
    """The variance of leniency among raters."""
    from scipy.sparse import csr_array

    item, rater, value, sizes = ratings
    if not item.size:
        return 0.0
    apart = value - (np.bincount(item, value) / sizes)[item]
    number = np.bincount(rater).astype(np.float64)
    seen = number > 0
    together = csr_array((1 / np.sqrt(sizes)[item], (item, rater)), shape=(sizes.size, number.size))
    common = (together.T @ together).tocsr()
    own = common.diagonal()
    squares = (number - own) ** 2 + np.asarray(common.multiply(common).sum(axis=1)) - own**2
    of_rater = float((np.bincount(rater, apart)[seen] ** 2 / number[seen]).sum())
    inside, freedom = float(apart @ apart), value.size - sizes.size
    expected, own_share = float((squares[seen] / number[seen]).sum()), float((1 - own[seen] / number[seen]).sum())
    if freedom <= 0 or expected - own_share <= ROUNDING * expected:
        return 0.0
    return max(0.0, (of_rater - inside / freedom * own_share) / (expected - own_share))
