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
    """Twenty queries with ten candidates each; those of a query span the whole scale."""
    texts = [f"text {n}" for n in range(200)]
    columns = {"id": [str(n) for n in range(1, 201)], "left": texts, "right": texts, "score": np.linspace(0, 5, 200)}
    queries = [f"query {n % 20}" for n in range(200)]
    return Benchmark(name="made", frame=pl.DataFrame(columns | {"group": queries}), scale=Scale(low=0, high=5))


def without_queries(benchmark):
    return Benchmark(name="made", frame=benchmark.frame.drop("group"), scale=benchmark.scale)


def systems(benchmark):
    """One is right about the top and blind below; the other is good everywhere and wrong about the very top."""
    gold = benchmark.gold.scores
    rng = np.random.default_rng(0)
    sharp = np.where(gold > 3, gold, rng.uniform(0, 2.9, 200))
    broad = np.where(gold > 4.5, 2.4, gold)
    return [FixedScores("broad", broad), FixedScores("sharp", sharp)]


def test_the_fitting_measure_decides_against_pearson(benchmark):
    choice = choose(benchmark, systems(benchmark), TOP)
    assert (choice.fitting.best, choice.usual.best) == ("sharp", "broad")
    assert choice.differs
    assert choice.is_real
    assert choice.decision() == (
        f"For your task: sharp (group_ndcg@5 {choice.fitting.value:.3f}), significantly better than broad. "
        "By Pearson you would have picked broad, which is significantly worse here."
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


RANKING = [
    TOP,
    Requirements(cardinality="1:n", interest="all", information="rank"),
    Requirements(cardinality="1:n", interest="k-best", information="value"),
]


@pytest.mark.parametrize("task", RANKING)
def test_ranking_without_queries_is_refused(benchmark, task):
    pooled = without_queries(benchmark)
    with pytest.raises(ArgumentError) as refused:
        choose(pooled, systems(pooled), task)
    assert f"{task.name} ranks the candidates of each query, but the data has no queries" in str(refused.value)
    assert "none of its 200 pairs share a group" in str(refused.value)
    assert "--column group=NAME;" in str(refused.value)


def test_a_ranking_measure_beside_another_needs_queries_too(benchmark):
    task = Requirements(cardinality="1:n", information="classification")
    pooled = without_queries(benchmark)
    with pytest.raises(ArgumentError, match=r"\(1:n, all, classification\) with hmean\(ndcg@10, pearson\) ranks"):
        choose(pooled, systems(pooled), task, measures=["pearson", "hmean(ndcg@10, pearson)"], resamples=0)
    choice = choose(benchmark, systems(benchmark), task, measures=["ndcg@10", "ncg@3"], resamples=0)
    assert [str(one) for one in choice.run.measures] == ["f1", "pearson", "group_ndcg@10", "group_ncg@3"]
    assert choose(pooled, systems(pooled), task, resamples=0).fitting.measure == "f1"


def test_left_texts_that_repeat_may_be_queries(benchmark):
    frame = benchmark.frame.drop("group").with_columns(left=pl.Series([f"text {n // 2}" for n in range(200)]))
    pooled = Benchmark(name="made", frame=frame, scale=benchmark.scale)
    with pytest.raises(ArgumentError, match=r"perhaps that of the left texts, of which 100 differ"):
        choose(pooled, systems(pooled), TOP)


def test_one_to_one_may_show_a_pooled_ranking_beside(benchmark):
    pooled = without_queries(benchmark)
    choice = choose(pooled, systems(pooled), VALUE, measures=["ndcg@10"], resamples=0)
    assert [str(one) for one in choice.run.measures] == ["pearson", "ndcg@10"]
    assert any(text.startswith("ndcg@10 ranks all 200 pairs as one list") for text in choice.run.caveats)


def test_queries_are_what_is_drawn(benchmark):
    choice = choose(benchmark, systems(benchmark), TOP)
    assert choice.run.confidence.groups == 20
    assert choice.measure.values(choice.run.comparison)[1] == pytest.approx(choice.run["sharp", "group_ndcg@5"])


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
