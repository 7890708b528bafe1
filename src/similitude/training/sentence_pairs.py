"""Which items are of the same sentence pair, so that a split or a fold never separates them."""

from __future__ import annotations

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.inspect.checks.text_keys import keyed

__all__ = ["sentence_pairs", "shared_sentence_pairs"]

SAME_TEXTS = ("first_key", "second_key")


def sentence_pairs(data: Benchmark) -> pl.Series:
    """The sentence pair of each item: its group if the data has one, otherwise its two texts.

    The texts are the same in either order, and whatever their case, blanks and Unicode forms. A pair is named as it is
    written where that comes first in the alphabet, so that names do not depend on the order of rows.

    >>> data = Benchmark.from_columns(left=["A cat.", "one cat"], right=["One cat", "a cat."])
    >>> sentence_pairs(data).n_unique()
    1
    """
    texts = pl.concat_str(pl.lit("texts"), pl.col("left"), pl.col("right"), separator="\x1f")
    name = pl.coalesce(pl.concat_str(pl.lit("group"), pl.col("group"), separator="\x1f"), texts)
    return keyed(data).select(name.min().over("group", *SAME_TEXTS).alias("pair")).to_series()


def shared_sentence_pairs(one: Benchmark, other: Benchmark) -> int:
    """How many pairs of texts are in both, in either order and under any condition, whatever their groups."""
    first, second = (keyed(data).select(SAME_TEXTS).unique() for data in (one, other))
    return first.join(second, on=SAME_TEXTS, how="semi").height
