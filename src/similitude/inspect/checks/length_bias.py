"""Check for gold that can be read off the length of the texts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.inspect.checks.association import Association, formatted_p_value
from similitude.inspect.checks.catalogue import CHECKS
from similitude.inspect.checks.findings import Finding
from similitude.stats.ranks import average_ranks

__all__ = ["length_bias"]

FEWEST = 30
STRONG = 0.3
SIGNIFICANT = 0.001


@CHECKS.register("length-bias")
def length_bias(benchmark: Benchmark) -> Iterator[Finding]:
    """Gold that the lengths of the two texts predict.

    Why: a system that counts characters is then a baseline to beat, and a correlation below it shows no understanding.
    Lengths are in characters. Warning where |Spearman| of gold with the difference in length or with the total length
    is at least 0.3 and p < 0.001, over at least 30 items with gold; the message also gives the shorter length over
    the longer.
    """
    known = benchmark.frame.filter(pl.col("score").is_finite())
    if known.height < FEWEST:
        return
    found = {each.feature: each for each in _associations(known)}
    worst = max(found["difference"], found["total"], key=lambda each: abs(each.rho))
    if abs(worst.rho) < STRONG or worst.p >= SIGNIFICANT:
        return
    rhos = ", ".join(f"{name} {each.rho:.2f}" for name, each in found.items())
    yield Finding(
        code="length-bias",
        severity="warning",
        message=f"text length alone predicts gold with Spearman {abs(worst.rho):.2f} ({formatted_p_value(worst.p)}): "
        f"{rhos}",
        count=known.height,
        remedy="print this baseline beside the systems; one that does not beat it has shown nothing",
    )


def _associations(known: pl.DataFrame) -> Iterator[Association]:
    lengths = known.select(pl.col("left", "right").fill_null("").str.len_chars().cast(pl.Float64))
    left, right = (lengths[side].to_numpy() for side in ("left", "right"))
    features = {
        "difference": np.abs(left - right),
        "total": left + right,
        "ratio": np.minimum(left, right) / np.maximum(np.maximum(left, right), 1.0),
    }
    gold_ranks = average_ranks(known["score"].to_numpy())
    for name, feature in features.items():
        yield Association.of_ranks(name, average_ranks(feature), gold_ranks)
