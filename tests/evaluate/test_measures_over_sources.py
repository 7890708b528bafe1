"""Means over sources, by hand."""

import numpy as np
import pytest

from similitude.data import Benchmark, Scale
from similitude.evaluate.comparison import Comparison, Sources
from similitude.evaluate.measures import make_measure
from similitude.evaluate.measures.resampled_comparison import drawn
from similitude.study.benchmark_comparison import sources_of

FIVE = Scale(low=0, high=5)


def made(gold, predicted, numbers, names=("a", "b")) -> Comparison:
    sources = Sources(np.array(numbers), tuple(names))
    return Comparison.of_scores(np.array(gold, float), np.array(predicted, float), FIVE, sources=sources)


# Source a: gold 1 2 3, system 1 3 2. Deviations -1 0 1 and -1 1 0: r = 1 / 2.
# Source b: gold 0 4, system 5 1: r = -1.
# Pooled: gold 1 2 3 0 4 (mean 2), system 1 3 2 5 1 (mean 2.4). Deviations -1 0 1 -2 2 and -1.4 .6 -.4 2.6 -1.4:
# r = (1.4 - .4 - 5.2 - 2.8) / sqrt(10 * 11.2) = -7 / sqrt(112).
MIXED = ([1, 2, 3, 0, 4], [1, 3, 2, 5, 1], [0, 0, 0, 1, 1])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mean_over_sources(pearson)", (3 * 0.5 + 2 * -1) / 5),
        ("plain_mean_over_sources(pearson)", (0.5 - 1) / 2),
        ("pearson", -7 / np.sqrt(112)),
        ("mean_over_sources(mae)", (0 + 1 + 1 + 5 + 3) / 5),
        ("plain_mean_over_sources(mae)", (2 / 3 + 4) / 2),
    ],
)
def test_weighted_and_plain_mean(name: str, expected: float):
    assert make_measure(name)(made(*MIXED))[0].value == pytest.approx(expected)


def test_order_of_items_and_names_of_sources_do_not_matter():
    mixed = made(*MIXED)
    order = np.array([4, 1, 3, 0, 2])
    measure = make_measure("mean_over_sources(pearson)")
    assert measure(drawn(mixed, order))[0].value == pytest.approx(measure(mixed)[0].value)
    renamed = made(MIXED[0], MIXED[1], [1, 1, 1, 0, 0], ("z", "y"))
    assert measure(renamed)[0].value == pytest.approx(measure(mixed)[0].value)


def test_range_and_direction_are_those_of_the_measure():
    loss = make_measure("mean_over_sources(mae)")
    assert not loss.higher_is_better
    assert loss.low == 0
    assert loss.requires == {"sources", "scale"}
    assert str(loss) == "mean_over_sources(mae)"


def test_a_source_of_one_item_makes_it_undefined():
    lone = made([1, 2, 3, 4], [1, 2, 4, 3], [0, 0, 0, 1], ("a", "tiny"))
    (figure,) = make_measure("mean_over_sources(pearson)")(lone)
    assert np.isnan(figure.value)
    assert figure.reason.startswith("pearson on source 'tiny' (1 item): ")


def test_constant_gold_in_a_source_makes_it_undefined_and_says_where():
    (figure,) = make_measure("mean_over_sources(pearson)")(
        made([1, 2, 3, 3], [1, 2, 4, 3], [0, 0, 1, 1], ("a", "flat"))
    )
    assert np.isnan(figure.value)
    assert figure.reason.startswith("pearson on source 'flat' (2 items): ")


def test_without_sources_it_says_so():
    bare = Comparison.of_scores(np.array([1.0, 2.0]), np.array([1.0, 2.0]))
    measure = make_measure("mean_over_sources(ndcg)")
    (figure,) = measure(bare)
    assert np.isnan(figure.value)
    assert figure.reason == "the items name no source"
    assert measure.caveats(bare) == []


def test_swapped_predictions_are_those_of_each_source():
    rng = np.random.default_rng(0)
    gold, predicted, numbers = rng.normal(size=30), rng.normal(size=(2, 30)), np.arange(30) % 3
    whole = made(gold, predicted, numbers, ("a", "b", "c"))
    swaps = rng.integers(0, 2, (7, 30)).astype(float)
    parts = [
        make_measure("pearson").swapped_values(drawn(whole, np.flatnonzero(numbers == at)), swaps[:, numbers == at])
        for at in range(3)
    ]
    ours = make_measure("mean_over_sources(pearson)").swapped_values(whole, swaps)
    np.testing.assert_allclose(ours, sum(parts) / 3, atol=1e-12)


def test_sources_of_a_benchmark():
    columns = {"left": ["a", "b", "c"], "right": ["d", "e", "f"], "score": [1.0, 2.0, 3.0]}
    assert sources_of(Benchmark.from_columns(**columns)) is None
    found = sources_of(Benchmark.from_columns(**columns, source=["x", None, "x"]))
    assert found.names == ("x", None)
    assert found.numbers.tolist() == [0, 1, 0]


def test_a_source_of_which_nothing_is_drawn_does_not_count():
    """Errors 0 1 1 on source a, 5 and 3 on source b."""
    weights = np.array([[1.0, 2, 0, 0, 0], [1, 1, 1, 1, 0], [0, 0, 0, 0, 2]])
    weighted = make_measure("mean_over_sources(mae)").weighted_values(made(*MIXED), weights)
    np.testing.assert_allclose(weighted, [[2 / 3, (2 + 5) / 4, 3]])
    plain = make_measure("plain_mean_over_sources(mae)").weighted_values(made(*MIXED), weights)
    np.testing.assert_allclose(plain, [[2 / 3, (2 / 3 + 5) / 2, 3]])
    # a source that has items and no figure
    assert np.isnan(make_measure("mean_over_sources(pearson)").weighted_values(made(*MIXED), weights[1:2])).all()


def test_a_mean_of_shares_is_no_share():
    for part, sampling in (("accuracy_3bin", "logit"), ("pearson", "fisher"), ("mae", "skewed"), ("ndcg@3", "cut")):
        assert make_measure(f"mean_over_sources({part})").sampling == sampling
