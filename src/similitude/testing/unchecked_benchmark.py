"""Benchmarks that are bad on purpose, to try checks on."""

from __future__ import annotations

from typing import Any

import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.scale import Scale

__all__ = ["unchecked_benchmark"]


def unchecked_benchmark(name: str = "unnamed", *, scale: str | Scale | None = None, **columns: Any) -> Benchmark:
    """A benchmark from columns as they are: blank texts, scores off the scale and values that are not finite stay.

    `Benchmark.from_columns` refuses such rows, and readers do.

    >>> unchecked_benchmark(left=["a", None], right=["b", "c"], score=[1, 9], scale="0..5")
    <Benchmark 'unnamed': 2 items, scale 0..5 (declared)>
    """
    frame = pl.DataFrame(columns, strict=False)
    if "id" not in columns:
        frame = frame.with_columns(id=pl.int_range(1, frame.height + 1).cast(pl.String))
    scores = frame["score"].cast(pl.Float64).drop_nulls() if "score" in columns else pl.Series([], dtype=pl.Float64)
    inferred = Scale.infer(scores.to_numpy()) if len(scores) else None
    declared = Scale.parse(scale) if isinstance(scale, str) else scale
    return Benchmark(name=name, frame=frame, scale=declared or inferred)
