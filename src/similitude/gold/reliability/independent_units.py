"""Units of items that are independent of each other, over which intervals are taken."""

from __future__ import annotations

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements
from similitude.stats import Units
from similitude.stats.arrays import Integers

__all__ = ["LEAST_UNITS", "independent_units"]

LEAST_UNITS = 4
"""With fewer units than this, their spread says too little, and every item is a unit."""


def independent_units(judgements: Judgements) -> Units:
    """The judged items in units that share neither a tuple nor a group.

    Items of one dialogue or sentence pair (the column group) resemble each other, and scores of items that are compared
    with each other add up to 0. If tuples connect all items, or fewer than four units remain, every item is a unit.

    >>> rows = {"items": [[f"{group}{item}" for item in "123"] for group in "abcd"], "best": ["a1", "b1", "c1", "d1"]}
    >>> frame = pl.DataFrame(rows).with_columns(worst=pl.col("items").list.last())
    >>> independent_units(Judgements(name="made", frame=frame)).of_item
    array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    """
    items = len(judgements.judged)
    part = _connected(_links(judgements), items)
    number = int(part.max()) + 1
    return Units(items) if number in (items, *range(LEAST_UNITS)) else Units(number, part)


def _links(judgements: Judgements) -> pl.DataFrame:
    """Pairs of an item and what it may share with others: a tuple, or a group."""
    links = []
    if judgements.kind == "best-worst":
        asked = judgements.frame.select(tie="question", item="items").unique("tie", maintain_order=True)
        links.append(asked.explode("item").select("item", tie=pl.concat_str(pl.lit("q"), "tie")))
    if judgements.items is not None:
        grouped = judgements.items.select(item="id", tie="group").drop_nulls()
        links.append(grouped.select("item", tie=pl.concat_str(pl.lit("g"), "tie")))
    empty = pl.DataFrame(schema={"item": pl.String, "tie": pl.String})
    numbers = {"item": judgements.judged, "number": np.arange(len(judgements.judged))}
    return pl.concat([empty, *links]).join(pl.DataFrame(numbers), on="item", maintain_order="left")


def _connected(links: pl.DataFrame, items: int) -> Integers:
    """The connected part of each item, numbered in order of first appearance."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    tie = links["tie"].rank("dense").to_numpy().astype(np.intp) - 1
    nodes = items + links["tie"].n_unique()
    edges = (np.ones(tie.size, dtype=np.int8), (links["number"].to_numpy().astype(np.intp), items + tie))
    _, part = connected_components(coo_array(edges, shape=(nodes, nodes)).tocsr())
    _, first, of_item = np.unique(part[:items], return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[of_item])
