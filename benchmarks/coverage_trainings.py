"""Coverage of intervals for means over trainings: ``python benchmarks/coverage_trainings.py``.

A system is trained several times; its quality varies from training to training, and all are measured on the same items.
The truth is the mean Spearman correlation over all trainings and items. Nominal coverage is 95 %; the standard error
of a share over 500 simulations is 1 point.
"""

from __future__ import annotations

import argparse

import numpy as np
from rich.console import Console
from rich.table import Table

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.evaluate.measures import make_measure
from similitude.evaluate.rescaling import mapping_from_range
from similitude.stats import spearman
from similitude.study.mean_interval import mean_interval
from similitude.study.measurement import Intervals, measurement_of

DESIGNS = [(100, 3, 0.0, 0.5), (100, 3, 0.02, 0.9), (500, 3, 0.03, 0.9), (2000, 3, 0.03, 0.9), (2000, 3, 0.1, 0.9),
           (2000, 5, 0.1, 0.9)]  # fmt: skip
"""Items, trainings, deviation of quality between trainings, share of the errors that trainings have in common."""

QUALITY = 0.8


def main() -> None:
    """Print one row per case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=500)
    asked = parser.parse_args()
    table = Table("items", "trainings", "deviation", "errors in common", "coverage", "mean width")
    rng = np.random.default_rng(0)
    for items, trainings, deviation, common in DESIGNS:
        truth = _truth(deviation)
        found = [_interval(rng, items, trainings, deviation, common) for _ in range(asked.simulations)]
        inside = np.mean([low <= truth <= high for low, high in found])
        width = np.mean([high - low for low, high in found])
        table.add_row(f"{items:,}", str(trainings), str(deviation), f"{common:.0%}", f"{inside:.1%}", f"{width:.3f}")
    Console().print(table)


def _interval(
    rng: np.random.Generator, items: int, trainings: int, deviation: float, common: float
) -> tuple[float, float]:
    gold, shared = rng.normal(size=items), rng.normal(size=items)
    said = []
    for quality in QUALITY + deviation * rng.normal(size=trainings):
        errors = np.sqrt(common) * shared + np.sqrt(1 - common) * rng.normal(size=items)
        said.append(Predictions(quality * gold + QUALITY * errors))
    columns = {"id": [str(n) for n in range(items)], "left": ["a"] * items, "right": ["b"] * items}
    benchmark = Benchmark.from_columns("simulated", **columns, score=gold)
    found = measurement_of(
        benchmark,
        said,
        [mapping_from_range(None, None)] * trainings,
        [make_measure("spearman")],
        calibrate=lambda comparison, measures: None,
        intervals=Intervals(),
    )
    assert found.confidence is not None
    figures = [found.figure(row, 0) for row in range(trainings)]
    ends = [(figure.low, figure.high) for figure in figures]
    low, high = mean_interval([float(each) for each in figures], ends, found.confidence.covariances[0], 0.95)
    assert low is not None
    assert high is not None
    return low, high


def _truth(deviation: float, trainings: int = 300, items: int = 20_000) -> float:
    rng = np.random.default_rng(1)
    found = []
    for quality in QUALITY + deviation * rng.normal(size=trainings):
        gold = rng.normal(size=items)
        found.append(float(spearman(quality * gold + QUALITY * rng.normal(size=items), gold)))
    return float(np.mean(found))


if __name__ == "__main__":
    main()
