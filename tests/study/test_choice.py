"""Choosing: the measure that fits decides, Pearson stands beside it, and the run remembers what for."""

import numpy as np
import polars as pl
import pytest

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError
from similitude.evaluate.tasks import Requirements
from similitude.registry import Spec
from similitude.report.page import report_page
from similitude.study import choose, load_run

TOP = Requirements(cardinality="1:n", interest="k-best", information="rank", k=5)
VALUE = Requirements(cardinality="1:1", interest="all", information="value")


class FixedScores:
    """A system that gives each item a fixed score."""

    summary = "gives fixed scores"
    range = Scale(low=0, high=5)
    reads = frozenset()

    def __init__(self, name, scores):
        self.name, self.scores = name, scores

    @property
    def identity(self):
        return Spec(self.name)

    def score(self, items):
        return Predictions(np.array([self.scores[int(name) - 1] for name in items.ids]))


@pytest.fixture
def benchmark():
    gold = np.linspace(0, 5, 200)
    texts = [f"text {n}" for n in range(200)]
    return Benchmark(
        name="made",
        frame=pl.DataFrame({"id": [str(n) for n in range(1, 201)], "left": texts, "right": texts, "score": gold}),
        scale=Scale(low=0, high=5),
    )


def systems(benchmark):
    """One is right about the top and blind below; the other is good everywhere and wrong about the very top."""
    gold = benchmark.gold.scores
    rng = np.random.default_rng(0)
    sharp = np.where(gold > 4.5, gold, rng.uniform(0, 4.4, 200))
    broad = np.where(gold > 4.5, 2.5, gold)
    return [FixedScores("broad", broad), FixedScores("sharp", sharp)]


def test_the_fitting_measure_decides_against_pearson(benchmark):
    choice = choose(benchmark, systems(benchmark), TOP)
    assert (choice.fitting.best, choice.usual.best) == ("sharp", "broad")
    assert choice.differs
    assert choice.is_real
    assert choice.decision() == (
        "For your task: sharp (ndcg@5 1.000), told apart from all others. "
        "By Pearson you would have picked broad, which does worse here by more than chance."
    )
    assert choice.record()["by_pearson"]["system"] == "broad"


def test_the_same_choice_is_said_to_be_the_same(benchmark):
    choice = choose(benchmark, systems(benchmark), VALUE)
    assert not choice.differs
    assert choice.decision().endswith("By Pearson you would have picked the same.")


def test_without_resampling_nothing_is_claimed(benchmark):
    choice = choose(benchmark, systems(benchmark), TOP, resamples=0)
    assert choice.fitting.tied is None
    assert "was not tested" in choice.decision()


def test_a_saved_run_remembers_what_it_was_for(benchmark, tmp_path):
    # `Told` cannot be rebuilt from its name; the run is loaded all the same, and its page has the decision on top.
    choose(benchmark, systems(benchmark), TOP, out=tmp_path / "run")
    loaded = load_run(tmp_path / "run")
    assert loaded.task == TOP
    assert "For your task: sharp" in report_page(loaded)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"systems": 1}, ArgumentError, "there is only one system to choose from"),
        ({"items": 2}, InputError, "2 items are too few to rank systems"),
        ({"threshold": 5.0}, ArgumentError, "is undefined for every system"),
    ],
)
def test_what_cannot_be_chosen_is_said(benchmark, change, error, message):
    told = systems(benchmark)[: change.get("systems", 2)]
    few = benchmark.take(np.arange(change.get("items", 200)))
    task = VALUE
    if "threshold" in change:  # no gold score lies above the end of the scale
        task = Requirements(cardinality="1:1", information="classification", threshold=change["threshold"])
    with pytest.raises(error, match=message):
        choose(few, told, task, resamples=0)
