"""What a system loses by rounded weights: its figure on items that it scored both ways."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.data.protocols import HasExactSample, System
from similitude.evaluate.measures import Measure
from similitude.evaluate.rescaling import Rescaling
from similitude.study.benchmark_comparison import comparison_of

__all__ = ["rounding_losses"]


def rounding_losses(
    benchmark: Benchmark,
    systems: Sequence[System],
    predictions: Sequence[Predictions],
    mappings: Sequence[Rescaling],
    labels: Sequence[str],
    measure: Measure,
) -> Iterator[str]:
    """One line for each system that computes with rounded weights: its figure on the sample, and the exact one."""
    for row, system in enumerate(systems):
        found = system.exact_sample(benchmark.items) if isinstance(system, HasExactSample) else None
        if found is None:
            continue
        places, exact = found
        both = [predictions[row].take(places), Predictions(exact)]
        rounded, full = (one.value for one in measure(comparison_of(benchmark.take(places), both, [mappings[row]] * 2)))
        if not math.isnan(rounded - full):
            yield (
                f"{labels[row]}: {measure} {rounded:.4f} in int8, {full:.4f} in float32 "
                f"({rounded - full:+.4f}), on {len(places):,} of {len(benchmark):,} items scored in both"
            )
