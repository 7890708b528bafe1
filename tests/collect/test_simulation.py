from itertools import combinations

import numpy as np
import polars as pl
import pytest

from similitude.collect.simulation import Annotators, PerceivedScores, judge_best_worst, judge_ratings
from similitude.data import Scale
from similitude.gold.aggregation import count_best_worst
from similitude.stats import spearman

FIVE = Scale(low=0, high=5)


def rate(readings, seed=1, **options):
    rng = np.random.default_rng(seed)
    options = {"per_item": 10, "scale": FIVE, "step": 0.1} | options
    return judge_ratings(readings, Annotators.draw(20, rng), rng=rng, **options)


def mean_and_spread(rated):
    ratings = pl.col("ratings").list
    return rated.with_columns(score=ratings.mean(), sigma=ratings.std(ddof=0))


def test_ratings_recover_what_was_simulated():
    truth = np.linspace(0.05, 0.95, 200)
    rated = mean_and_spread(rate({str(i): [PerceivedScores(t)] for i, t in enumerate(truth)}))
    assert spearman(truth, rated["score"].to_numpy()) > 0.99
    assert np.abs(rated["score"].to_numpy() / 5 - truth).mean() < 0.03


def test_two_camps_disagree_more_than_noise():
    camps = [PerceivedScores(0.1, 0.5), PerceivedScores(0.8, 0.5)]
    rated = mean_and_spread(rate({"plain": [PerceivedScores(0.5)], "contentious": camps}))
    plain, contentious = rated["sigma"].to_list()
    assert plain < 0.5 < contentious


def test_ratings_stay_on_the_scale_and_its_steps():
    rated = rate(
        {"top": [PerceivedScores(1.0)], "bottom": [PerceivedScores(0.0)]},
        scale=Scale(low=1, high=5),
        step=1.0,
        per_item=20,
    )
    ratings = rated["ratings"].explode()
    assert set(ratings.to_list()) <= {1.0, 2.0, 3.0, 4.0, 5.0}


def test_each_item_is_rated_by_different_annotators():
    raters = rate({"a": [PerceivedScores(0.5)]})["raters"][0].to_list()
    assert len(set(raters)) == 10


def test_best_worst_recovers_the_order():
    truth = dict(zip("abcde", (0.95, 0.7, 0.45, 0.2, 0.05), strict=True))
    tuples = {str(n): chosen for n, chosen in enumerate(combinations("abcde", 3))}
    rng = np.random.default_rng(5)
    judged = judge_best_worst(tuples, truth, Annotators.draw(12, rng), per_tuple=5, rng=rng)
    assert judged.height == 50
    counted = count_best_worst(judged)
    assert counted["appearances"].to_list() == [30] * 5
    assert counted.sort("score", descending=True)["id"].to_list() == list("abcde")


def test_the_same_seed_gives_the_same_answers():
    readings = {"a": [PerceivedScores(0.3)], "b": [PerceivedScores(0.2, 0.5), PerceivedScores(0.9, 0.5)]}
    assert rate(readings, seed=8).equals(rate(readings, seed=8))
    assert not rate(readings, seed=8).equals(rate(readings, seed=9))


@pytest.mark.parametrize("column", ["best", "worst"])
def test_answers_name_items_of_the_tuple(column: str):
    rng = np.random.default_rng(0)
    judged = judge_best_worst(
        {"q": "xyz"}, dict(zip("xyz", (0.1, 0.2, 0.3), strict=True)), Annotators.draw(9, rng), per_tuple=9, rng=rng
    )
    assert judged.select(pl.col("items").list.contains(pl.col(column)).all()).item()
