import numpy as np
import polars as pl
import pytest

from similitude.collect.simulation import Annotators, judge_best_worst
from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.ceiling import human_ceiling


def of_matrix(values) -> Judgements:
    """Raters x items, nan where a rating is missing."""
    rater, item = np.nonzero(np.isfinite(values))
    names, ids = [f"r{n}" for n in rater], [f"i{n}" for n in item]
    frame = pl.DataFrame({"annotator": names, "item": ids, "value": values[rater, item]})
    return Judgements(name="made", frame=frame, scale=Scale(low=0, high=5))


def test_one_rater_against_the_rest_by_hand():
    # x 1 2 3 against (y + z) / 2 = 1.5 3.5 4, which is 3 + (-1.5, 0.5, 1): (1.5 + 1) / sqrt(2 * 3.5)
    # y 1 3 2 against (x + z) / 2 = 1.5 3 4.5, which is 3 + (-1.5, 0, 1.5): 1.5 / sqrt(2 * 4.5)
    # z 2 4 6 against (x + y) / 2 = 1 2.5 2.5, which is 2 + (-1, 0.5, 0.5): (2 + 1) / sqrt(8 * 1.5)
    values = np.array([[1.0, 2, 3], [1, 3, 2], [2, 4, 6]])
    expected = [2.5 / np.sqrt(7), 0.5, np.sqrt(3) / 2]
    found = human_ceiling(of_matrix(values), least_items=3, resampling=NO_INTERVALS)
    assert found.annotators["pearson"].to_list() == pytest.approx(expected)
    assert found.pearson.value == pytest.approx(np.mean(expected))
    # ranks: x 123 against 123 -> 1; y 132 against 123 -> 0.5; z 123 against 1, 2.5, 2.5 -> sqrt(3) / 2
    assert found.spearman.value == pytest.approx((1 + 0.5 + np.sqrt(3) / 2) / 3)


def test_theory_on_simulated_raters():
    # truth ~ N(0, 1), noise ~ N(0, 0.8^2), 9 raters: r of one with 8 others is 1 / sqrt(1.64 * (1 + 0.64 / 8)),
    # and a perfect system reaches 1 / sqrt(1 + 0.64 / 9)
    rng = np.random.default_rng(7)
    values = rng.normal(0, 1, 1500) + rng.normal(0, 0.8, (9, 1500))
    found = human_ceiling(of_matrix(values), resampling=Resampling(resamples=100, rng=rng))
    one, perfect = 1 / np.sqrt(1.64 * 1.08), 1 / np.sqrt(1 + 0.64 / 9)
    assert found.pearson.low < one < found.pearson.high
    assert found.pearson.value == pytest.approx(one, abs=0.01)
    assert found.reachable.value == pytest.approx(perfect, abs=0.005)
    assert found.reachable.low <= found.reachable.value <= found.reachable.high


def test_an_odd_number_of_ratings_and_gaps():
    # five raters of twenty an item: halves of two, carried to five
    rng = np.random.default_rng(8)
    values = rng.normal(0, 1, 2000) + rng.normal(0, 1, (20, 2000))
    values[rng.permuted(np.tile(np.arange(20) >= 5, (2000, 1)), axis=1).T] = np.nan
    found = human_ceiling(of_matrix(values), resampling=Resampling(resamples=0, rng=rng))
    assert found.reachable.value == pytest.approx(1 / np.sqrt(1 + 1 / 5), abs=0.01)


def test_annotators_with_few_shared_items_are_left_out():
    values = np.full((3, 30), np.nan)
    values[:2] = np.random.default_rng(0).uniform(0, 5, (2, 30))
    values[2, :4] = [1, 2, 3, 4]
    found = human_ceiling(of_matrix(values), resampling=NO_INTERVALS)
    assert found.left_out == 1
    assert found.annotators["annotator"].to_list() == ["r0", "r1"]


def test_one_annotator_has_no_ceiling():
    found = human_ceiling(of_matrix(np.arange(12.0)[None] % 5))
    assert found.pearson.reason == "no annotator shares enough items with others"
    assert found.reachable.reason == "no item has two ratings: there is nothing to split"
    assert found.annotators.is_empty()


def test_constant_answers_are_undefined_not_zero():
    found = human_ceiling(of_matrix(np.full((3, 12), 2.0)), resampling=NO_INTERVALS)
    assert np.isnan(found.pearson.value)
    assert "gives all items the same score" in found.pearson.reason
    assert found.reachable.reason.startswith("a half gives all items the same score")


def test_best_worst_ceiling_recovers_careful_and_careless_annotators():
    rng = np.random.default_rng(5)
    ids = [f"i{n}" for n in range(40)]
    truth = dict(zip(ids, rng.uniform(0, 1, 40), strict=True))
    tuples = {f"q{n}": rng.choice(ids, 4, replace=False).tolist() for n in range(80)}
    careful = Annotators(np.zeros(6), np.full(6, 0.02))
    careless = Annotators(np.zeros(6), np.full(6, 0.8))
    ceilings = []
    for pool in (careful, careless):
        frame = judge_best_worst(tuples, truth, pool, per_tuple=6, rng=rng)
        ceilings.append(
            human_ceiling(Judgements(name="made", frame=frame), resampling=Resampling(resamples=50, rng=rng))
        )
    high, low = ceilings
    assert high.pearson.value > 0.9 > 0.6 > low.pearson.value
    assert high.reachable.value > 0.99 > low.reachable.value
    assert low.reachable.value > low.pearson.value  # gold from all is better than one person
