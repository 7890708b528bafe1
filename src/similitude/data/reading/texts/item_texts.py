"""The distinct texts of items that somebody has paired before."""

from __future__ import annotations

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.plural import counted
from similitude.data.provenance import Provenance
from similitude.data.texts import Texts

__all__ = ["texts_of_items"]

SHARED = ("language", "domain", "source")
"""What both texts of an item share."""


def texts_of_items(data: Benchmark | Items) -> Texts:
    """Each distinct text of either side once, in order of first appearance; a dialogue is a text with its context.

    Only dialogues keep their group: the texts of a pair may be paired again, with each other or with any.

    >>> texts_of_items(Items.from_pairs(["a cat", "a cat"], ["one cat", "a dog"])).texts
    ['a cat', 'one cat', 'a dog']
    """
    frame = data.frame.with_row_index("row")
    left = frame.select("row", pl.lit(0).alias("side"), pl.col("left").alias("text"), "context", "group", *SHARED)
    nothing = (pl.lit(None, pl.List(pl.String)).alias("context"), pl.lit(None, pl.String).alias("group"))
    right = frame.select("row", pl.lit(1).alias("side"), pl.col("right").alias("text"), *nothing, *SHARED)
    both = pl.concat([left, right]).sort("row", "side").drop("row", "side")
    distinct = both.unique(["text", "context"], keep="first", maintain_order=True)
    group = pl.when(pl.col("context").is_not_null()).then("group")
    ids = pl.int_range(1, distinct.height + 1).cast(pl.String).alias("id")
    note = f"{counted(distinct.height, 'distinct text')} of {counted(frame.height, 'item')}"
    files = data.provenance.files if isinstance(data, Benchmark) else ()
    return Texts(distinct.with_columns(ids, group), Provenance(files=files, format="texts", notes=(note,)))
