"""The items of a benchmark that people truly differ over."""

from __future__ import annotations

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.gold.reliability.contention import contention
from similitude.gold.reliability.rating_spread import NOISE
from similitude.gold.reliability.rounds import TIPPING_POINT

__all__ = ["CONTENTIOUS", "UNCONTROVERSIAL", "contention_of", "knows_contention"]

CONTENTIOUS, UNCONTROVERSIAL = "contentious", "uncontroversial"


def knows_contention(benchmark: Benchmark) -> bool:
    """Whether gold says how far people differ, and the scale is known."""
    gold = benchmark.gold
    return benchmark.scale is not None and not (gold.sigmas is None and gold.ratings is None)


def contention_of(benchmark: Benchmark) -> pl.Series:
    """For each item "contentious", "uncontroversial", or null if too little is known.

    An item is contentious if the (population) standard deviation among its first-round raters is above a tenth of the
    scale, 0.5 on 0..5 (USTS, section 3.3). If ratings were not kept, the standard deviation of gold is used; an item
    with one rating gets null.

    >>> from similitude.samples import read_sample
    >>> contention_of(read_sample("opinions")).value_counts().sort("count")["count"].to_list()
    [21, 39]
    """
    frame = benchmark.frame.select("id", "sigma", rated=pl.col("ratings").list.len() > 0)
    is_contentious = pl.lit(None, dtype=pl.Boolean)
    if benchmark.scale is not None:
        is_contentious = pl.col("sigma") > TIPPING_POINT * benchmark.scale.width + NOISE
    if benchmark.gold.ratings is not None and benchmark.scale is not None:
        verdicts = contention(Judgements.of_benchmark(benchmark)).select(id="item", verdict="contentious")
        frame = frame.join(verdicts, on="id", how="left", maintain_order="left")
        is_contentious = pl.when("rated").then("verdict").otherwise(is_contentious)
    named = pl.when(is_contentious).then(pl.lit(CONTENTIOUS)).when(~is_contentious).then(pl.lit(UNCONTROVERSIAL))
    return frame.select(named.alias("contention")).to_series()
