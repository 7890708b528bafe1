import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.gold.reliability.rating_spread import divergence, floor_of, ratings_of, ratings_on, spread_of
from similitude.samples import read_sample


def test_mean_and_spread_by_hand():
    # a: 1, 2, 3 -> mean 2, variance 2/3; b: 4, -, 4 -> mean 4, sigma 0; c: nobody
    values = np.array([[1.0, 4.0, np.nan], [2.0, np.nan, np.nan], [3.0, 4.0, np.nan]])
    mean, sigma, number = spread_of(values)
    np.testing.assert_allclose(mean, [2.0, 4.0, np.nan])
    np.testing.assert_allclose(sigma, [np.sqrt(2 / 3), 0.0, np.nan])
    assert number.tolist() == [3, 2, 0]
    np.testing.assert_allclose(spread_of(values, ddof=1).sigma, [1.0, 0.0, np.nan])


def test_float_noise_is_no_spread():
    assert spread_of(np.array([[0.49999999999999994], [0.5], [0.5]])).sigma.item() == 0.0


def test_divergence_drops_what_agrees_or_was_rated_once():
    # KL(N(1, 1) || N(2, 2)) = ln 2 + (1 + 1) / 8 - 1/2
    p = spread_of(np.array([[0.0, 1.0, 0.0], [2.0, 1.0, 2.0]]))
    q = spread_of(np.array([[0.0, 0.0, 1.0], [4.0, 2.0, np.nan]]))
    expected = np.log(2) + 2 / 8 - 0.5
    np.testing.assert_allclose(divergence(p, q), [expected, np.nan, np.nan])
    # with a floor of 0.5 the second is KL(N(1, 0.5) || N(1, 1)) = ln 2 + 0.25 / 2 - 1/2; the third stays unknown
    np.testing.assert_allclose(divergence(p, q, floor=0.5), [expected, np.log(2) + 0.125 - 0.5, np.nan])


def test_the_floor_is_a_tenth_on_0_to_5():
    made = Judgements(name="m", frame=pl.DataFrame({"item": ["a"], "value": [1.0]}), scale=Scale(low=0, high=5))
    assert floor_of(made, "drop") is None
    assert floor_of(made, "floor") == pytest.approx(0.1)
    with pytest.raises(ArgumentError, match="use 'drop' or 'floor'"):
        floor_of(made, "clip")  # type: ignore[arg-type]


def test_the_last_rating_of_an_annotator_counts_and_every_unnamed_one():
    rows = {"annotator": ["x", "x", None, None], "item": ["a"] * 4, "value": [1.0, 2.0, 3.0, 4.0]}
    kept = ratings_of(Judgements(name="made", frame=pl.DataFrame(rows)))
    assert ratings_on(kept, ["a"]).ravel().tolist() == [2.0, 3.0, 4.0]


def test_ratings_of_no_item_are_an_empty_table():
    rows = pl.DataFrame({"annotator": ["x"], "item": ["a"], "value": [1.0]})
    assert ratings_on(rows, ["b"]).shape == (0, 1)


def test_best_worst_answers_have_no_spread():
    with pytest.raises(ArgumentError, match="best-worst"):
        ratings_of(Judgements.of_benchmark(read_sample("dialogues")))
