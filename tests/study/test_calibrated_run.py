"""Runs with calibrated scores: the default, what is printed and saved, and what a narrow band of cosines did before."""

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.evaluate.tasks import Requirements
from similitude.registry import Spec
from similitude.study.breakdown import breakdown

CLASSES = Requirements(cardinality="1:1", information="classification")


class Band:
    """A system whose scores are gold with noise, squeezed into a band of 0..1."""

    summary = "made"
    reads = frozenset()
    range = sim.Scale(low=0, high=1)

    def __init__(self, name, noise, low, high):
        self.name, self.noise, self.low, self.high = name, noise, low, high

    @property
    def identity(self):
        return Spec(self.name)

    def score(self, items):
        places = np.array([int(name) for name in items.ids])
        rng = np.random.default_rng(sum(self.name.encode()))
        noisy = gold(places) + rng.normal(0, self.noise, 1000)[places]
        return sim.Predictions(self.low + (self.high - self.low) / (1 + np.exp(2.5 - noisy)))


def gold(places):
    return np.random.default_rng(5).uniform(0, 5, 1000)[places]


def benchmark(items=400, **columns):
    texts = [f"text {n}" for n in range(items)]
    frame = {"id": [str(n) for n in range(items)], "left": texts, "right": texts, "score": gold(np.arange(items))}
    return sim.Benchmark(name="made", frame=pl.DataFrame(frame | columns), scale=sim.Scale(low=0, high=5))


SYSTEMS = [
    Band("narrow", 0.8, 0.72, 0.99),  # cosines of an encoder: all of them "high" on the declared range
    *(Band(f"wide{n}", 1.6 + 0.1 * n, 0.0, 1.0) for n in range(6)),
]


def test_a_band_of_cosines_is_first_after_calibration_and_last_before():
    """The claim of the issue: F1 .668 after calibration, but .000 and rank 7 without."""
    calibrated = sim.run(benchmark(), SYSTEMS, ["f1"], resamples=0)
    raw = sim.run(benchmark(), SYSTEMS, ["f1(when_empty=0)" if False else "macro_avg(f1_low, f1_high)"], resamples=0)
    by_hand = sim.run(benchmark(), SYSTEMS, ["f1_low"], calibrate="none", resamples=0)
    before = [figures[0].value for figures in by_hand.figures]
    after = [figures[0].value for figures in calibrated.figures]
    assert before[0] == 0.0
    assert sorted(before, reverse=True).index(before[0]) == 6
    assert after[0] > 0.668
    assert after[0] == max(after)
    assert max(after[1:]) < after[0] - 0.05
    assert raw.calibration.method == "quantile"
