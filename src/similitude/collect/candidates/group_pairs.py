"""Pairs of groups: every text of one group with every text of another, as C-STS pairs the captions of two images."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.errors import ColumnError

__all__ = ["TextPairs", "first_rows", "texts_of_groups"]


class TextPairs(NamedTuple):
    """Pairs of rows of a table of texts."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]


def first_rows(texts: pl.DataFrame, column: str) -> NDArray[np.int64]:
    """For each text, the row of the first text of its group, which stands for the group while neighbours are sought.

    A text without a group is one of its own.

    Raises:
        ColumnError: there is no such column.

    >>> first_rows(pl.DataFrame({"image": ["a", None, "a", "b", None]}), "image")
    array([0, 1, 0, 3, 4])
    """
    if column not in texts.columns:
        raise ColumnError(
            f"texts have no column '{column}' that says which belong together",
            remedy=f"known: {', '.join(texts.columns)}",
        )
    rows = texts.select(group=column).with_row_index("row")
    firsts = pl.when(pl.col("group").is_null()).then("row").otherwise(pl.col("row").min().over("group"))
    return rows.select(firsts.cast(pl.Int64)).to_series().to_numpy()


def texts_of_groups(firsts: NDArray[np.int64], left: NDArray[np.int64], right: NDArray[np.int64]) -> TextPairs:
    """Every text of one group with every text of the other, for each pair of groups, in its order.

    Args:
        firsts: for each text, the first row of its group.
        left: the first row of each pair's first group.
        right: the first row of each pair's second group.

    >>> texts_of_groups(np.array([0, 1, 0]), np.array([0]), np.array([1]))
    TextPairs(left=array([0, 2]), right=array([1, 1]))
    """
    order = np.argsort(firsts, kind="stable")
    sizes = np.bincount(firsts, minlength=len(firsts))
    starts = np.cumsum(sizes) - sizes
    products = sizes[left] * sizes[right]
    pair = np.repeat(np.arange(len(left)), products)
    place = np.arange(len(pair)) - np.repeat(np.cumsum(products) - products, products)
    one, other = np.divmod(place, sizes[right][pair])
    return TextPairs(order[starts[left][pair] + one], order[starts[right][pair] + other])
