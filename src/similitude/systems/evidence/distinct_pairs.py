"""Distinct pairs, with their two texts in a fixed order."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.item import Items

__all__ = ["DistinctPairs", "distinct_pairs"]

_MAY_BE_READ = ("context", "condition", "language", "group")


class DistinctPairs(NamedTuple):
    """The distinct pairs of some items.

    Attributes:
        items: one item per pair, with its texts in order; the pairs are sorted too.
        places: for each original item, the index of its pair.
        fingerprint: a hash of the pairs.
    """

    items: Items
    places: NDArray[np.intp]
    fingerprint: str


def distinct_pairs(items: Items, reads: Collection[str] = ()) -> DistinctPairs:
    """Pairs that differ in their texts or in the other columns that are read.

    The text that sorts first becomes the left one, except that an item with context keeps its order if context is read,
    since its left text is the last turn of the dialogue.

    Args:
        items: the items.
        reads: which of context, condition, language and group distinguish pairs.

    >>> found = distinct_pairs(Items.from_pairs(["a", "b", "a"], ["c", "a", "b"]))
    >>> found.items.lefts, found.items.rights, found.places
    (['a', 'a'], ['b', 'c'], array([1, 0, 0]))
    """
    keys = ["left", "right", *(name for name in _MAY_BE_READ if name in reads)]
    frame = _in_order(items.frame, with_context="context" in reads).with_row_index("place")
    groups = frame.group_by(keys, maintain_order=True).agg("place").sort("left", "right", maintain_order=True)
    members, sizes = groups["place"].explode().to_numpy(), groups["place"].list.len().to_numpy()
    places = np.empty(len(items), np.intp)
    places[members] = np.repeat(np.arange(groups.height), sizes)
    fingerprint = hashlib.sha256(groups.select(keys).write_ndjson().encode()).hexdigest()
    firsts = groups["place"].list.first().to_numpy()
    return DistinctPairs(Items(frame[firsts]), places, fingerprint)


def _in_order(frame: pl.DataFrame, *, with_context: bool) -> pl.DataFrame:
    turned = pl.col("left") > pl.col("right")
    if with_context:
        turned &= pl.col("context").is_null()
    return frame.with_columns(
        left=pl.when(turned).then("right").otherwise("left"), right=pl.when(turned).then("left").otherwise("right")
    )
