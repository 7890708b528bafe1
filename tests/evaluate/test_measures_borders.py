"""What measures promise of their range, their arguments and what they swap, each by its definition."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from similitude.data import Scale
from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import catalogue, make_measure, make_measures
from similitude.evaluate.measures.combination import F1LowHigh
from similitude.evaluate.measures.grouped import Grouped, GroupedCumulativeGain
from similitude.evaluate.tasks.requirements import Requirements

FIVE = Scale(low=0, high=5)
RANKED = [str(each) for each in catalogue() if each.swapped == "ranks"]


def forecasts() -> Comparison:
    """Gold and predictions with standard deviations, on both sides."""
    gold = np.array([1.0, 2.0, 4.0])
    made = Comparison.of_scores(gold, np.array([[1.5, 2.5, 3.0]]), FIVE)
    return replace(made, gold_sigma=np.array([0.0, 1.0, 0.5]), predicted_sigma=np.array([[0.5, 0.25, 0.75]]))


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("nlpd", -np.inf, np.inf),
        ("crps", 0.0, np.inf),
        ("kl", 0.0, np.inf),
        ("ece", 0.0, 1.0),
        ("ece_wang2022", 0.0, 0.05**2 + 0.25**2 + 0.5**2 + 0.75**2 + 0.95**2),
        ("sigma_pearson", -1.0, 1.0),
        ("sigma_spearman", -1.0, 1.0),
        ("accuracy_low", 0.0, 1.0),
        ("f1_low", 0.0, 1.0),
        ("accuracy_3bin", 0.0, 1.0),
        ("f1_macro_3bin", 0.0, 1.0),
    ],
)
def test_the_range_of_a_figure(name: str, low: float, high: float):
    """The worst for ece_wang2022: no observation, or all, below every quantile."""
    measure = make_measure(name)
    assert (measure.low, measure.high) == (low, pytest.approx(high))
    (figure,) = measure(forecasts())
    assert low <= figure.value <= high


def test_arguments_that_are_the_usual_ones_are_not_written():
    """One human standard deviation is 0: it is dropped, or raised to 0.1."""
    usual, dropped, raised = (make_measure(f"kl{how}") for how in ("", "(zero_variance=drop)", "(zero_variance=floor)"))
    assert (dropped, str(dropped)) == (usual, "kl")
    assert str(raised) == "kl(zero_variance=floor)"
    values = [measure(forecasts())[0].value for measure in (usual, dropped, raised)]
    assert values[0] == values[1] != values[2]


def test_f1_has_parts_that_nobody_chooses():
    low, high = make_measure("f1_low"), make_measure("f1_high")
    assert (F1LowHigh().first, F1LowHigh().second) == (low, high)
    for parts in ({"first": low}, {"second": high}):
        with pytest.raises(TypeError):
            F1LowHigh(**parts)
    with pytest.raises(ArgumentError):
        make_measure("f1(pearson, spearman)")


def test_measures_that_are_always_defined_say_so():
    assert make_measure("crps").undefined == "never"


def test_a_measure_is_defined_if_one_system_has_what_it_needs():
    gold = np.array([1.0, 2.0])
    made = Comparison.of_scores(gold, np.stack([gold, gold]), FIVE)
    for on_scale, expected in (([True, False], True), ([False, False], False), ([True, True], True)):
        assert make_measure("mae").is_defined_on(replace(made, is_on_scale=np.array(on_scale))) is expected


@pytest.mark.parametrize("name", RANKED)
def test_measures_of_ranks_swap_ranks(name: str):
    """Stretching one system's scores changes none of its ranks, and so nothing that is swapped."""
    rng = np.random.default_rng(0)
    gold, groups = rng.integers(0, 2, 40) * 5.0, np.arange(40) // 4
    predicted = gold + rng.normal(0, 2, (2, 40))
    swaps = rng.integers(0, 2, (6, 40)).astype(float)
    made = Comparison.of_scores(gold, predicted, FIVE, groups)
    stretched = Comparison.of_scores(gold, np.stack([np.exp(predicted[0]), predicted[1]]), FIVE, groups)
    measure = make_measure(name)
    np.testing.assert_allclose(measure.swapped_values(made, swaps), measure.swapped_values(stretched, swaps))


def test_there_are_measures_of_ranks():
    assert {"spearman", "kendall", "auc", "average_precision"} <= set(RANKED)


def test_gain_without_a_discount():
    """Ranked by the system, gold reads 1 2 4 3; the best three hold 4 + 3 + 2: (1 + 2 + 4) / 9."""
    made = Comparison.of_scores(np.array([4.0, 3, 2, 1]), np.array([2.0, 1, 3, 4]), groups=np.zeros(4, dtype=int))
    assert GroupedCumulativeGain(k=3)(made)[0].value == pytest.approx(7 / 9)


@dataclass(frozen=True, repr=False)
class Positive(Grouped):
    """The share of positive predictions of each group; undefined for a system that says 0 somewhere."""

    name: ClassVar[str] = "positive"

    def figures_of(self, gold, predicted):
        return np.where((predicted == 0).any(axis=-1), np.nan, (predicted > 0).mean(axis=-1))


def test_a_group_counts_only_if_it_counts_for_every_system():
    """Of three groups, the first system has no figure on the second: both are measured on the other two."""
    predicted = np.array([[1.0, 2, 0, 1, -1, 1], [-1.0, 1, 1, 1, -1, -1]])
    made = Comparison.of_scores(np.arange(6.0), predicted, groups=np.repeat([0, 1, 2], 2))
    assert [figure.value for figure in Positive()(made)] == [0.75, 0.25]
    assert Positive().caveats(made) == ["positive: 1 of 3 groups cannot rank systems and are left out"]


def test_tasks_that_rank_the_candidates_of_each_query():
    def ranks(interest, information) -> bool:
        return Requirements(cardinality="1:n", interest=interest, information=information).ranks_queries

    assert ranks("all", "rank") is True
    assert ranks("k-best", "rank") is True
    assert ranks("k-best", "value") is True
    assert ranks("all", "value") is False
    assert ranks("threshold", "rank") is False


def test_a_ranking_of_all_pairs_says_how_to_rank_those_of_each_query():
    made = Comparison.of_scores(np.arange(1200.0), np.arange(1200.0))
    said = "ndcg@5 ranks all 1,200 pairs as one list; group_ndcg@5 ranks those of each query ({})"
    assert make_measure("ndcg@5").caveats(made) == [said.format("--column group=NAME says which they are")]
    grouped = replace(made, groups=np.arange(1200) // 2)
    assert make_measure("ndcg@5").caveats(grouped) == [said.format("the pairs share groups")]
    words = "ncg ranks all 1,200 pairs as one list; group_ncg ranks those of each query (the pairs share groups)"
    assert make_measure("ncg").caveats(grouped) == [words]


@pytest.mark.parametrize("measure", catalogue(), ids=str)
def test_a_measure_that_is_made_twice_is_the_same(measure):
    """Python 3.13 compares the fields of dataclasses one by one, so that a field that is nan differs from itself."""
    assert make_measure(str(measure)) == measure
    assert hash(make_measure(str(measure))) == hash(measure)


def test_nobody_named_a_measure():
    assert make_measures(None) == []
