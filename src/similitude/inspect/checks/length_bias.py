"""Check for gold that the length of the texts predicts."""

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

    Why: systems must then beat a baseline that counts characters; a lower correlation shows no understanding. Warning
    if |Spearman| of gold with the difference or the sum of the lengths, in characters, is at least 0.3 and p < 0.001,
    over at least 30 items with gold. The message also gives the correlation with the ratio of the lengths.
    """
    known = benchmark.frame.filter(pl.col("score").is_finite())
    if known.height < FEWEST:
        return
    found = {each.feature: each for each in _associations(known)}
    worst = max(found["difference"], found["total"], key=lambda each: abs(each.rho))
    if abs(worst.rho) < STRONG or worst.p >= SIGNIFICANT:
        return
    rhos = ", ".join(f"{name} {each.rho:.2f}" for name, each in found.items())
    strength = f"Spearman {abs(worst.rho):.2f} ({formatted_p_value(worst.p)})"
    message = f"text length alone predicts gold with {strength}: {rhos}"
    yield Finding("length-bias", "warning", message, known.height, "report this baseline beside the systems")


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
