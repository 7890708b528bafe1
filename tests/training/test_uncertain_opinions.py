"""Gold for models of opinions: every rating in its place, stand-ins where there are none, and refusals."""

import numpy as np
import pytest

from similitude.data.benchmark import Benchmark
from similitude.errors import InputError, ScaleError
from similitude.testing.unchecked_benchmark import unchecked_benchmark
from similitude.training.uncertain.opinions import MEAN, RATINGS, SIGMA, opinions_of


def rated(name: str = "rated", *, scale: str = "0..5", items: int = 3, **columns) -> Benchmark:
    whole = {"left": [f"left {i}" for i in range(items)], "right": ["right"] * items, **columns}
    return unchecked_benchmark(name, scale=scale, **whole)


RATED = rated(score=[1.0, 4.0, 5.0], sigma=[1.0, 0.5, 0.0], ratings=[[0.0, 2.0], [3.5, 4.0, 4.5, 4.0], [5.0]])


def test_ratings_in_shares_of_the_scale():
    opinions = opinions_of([RATED], needs_spread=True)
    nan = np.nan
    # mean / 5, sigma / 5, ratings / 5
    expected = [
        [0.2, 0.2, 0.0, 0.4, nan, nan],
        [0.8, 0.1, 0.7, 0.8, 0.9, 0.8],
        [1.0, 0.0, 1.0, nan, nan, nan],
    ]
    np.testing.assert_allclose(opinions.gold, expected, atol=1e-7)
    assert opinions.raters == (1, 4)
    assert opinions.notes == ("1 of 3 items of rated have only one rating",)


def test_no_order_of_rows_leaks():
    turned = opinions_of([RATED.take(np.array([2, 0, 1]))], needs_spread=True)
    np.testing.assert_array_equal(turned.gold, opinions_of([RATED], needs_spread=True).gold)


def test_a_spread_that_is_not_told_is_that_of_the_ratings():
    opinions = opinions_of([rated(score=[1, 4, 5], ratings=[[0, 2], [3, 5], [5, 5]])], needs_spread=True)
    np.testing.assert_allclose(opinions.gold[:, SIGMA], [0.2, 0.2, 0.0], atol=1e-7)


def test_values_stand_in_for_ratings_that_were_not_kept():
    known = opinions_of([rated(scale="1..5", score=[1, 3, 5], sigma=[0.4, 1.2, 0.0])], needs_spread=True)
    ratings = known.gold[:, RATINGS:]
    np.testing.assert_allclose(ratings.mean(axis=1), [0.0, 0.5, 1.0], atol=1e-6)
    np.testing.assert_allclose(ratings.std(axis=1), [0.1, 0.3, 0.0], atol=1e-6)
    assert known.raters == (0, 0)


def test_several_benchmarks_each_from_its_own_scale():
    other = rated("other", scale="0..10", items=1, score=[5.0], sigma=[1.0])
    both = opinions_of([RATED, other], needs_spread=True, balanced=True)
    assert both.gold[3, MEAN] == pytest.approx(0.5)
    assert both.gold[3, SIGMA] == pytest.approx(0.1)
    # 4 items, 2 benchmarks: 3 items weigh 4 / (2 x 3), one weighs 4 / 2; 2 for each benchmark
    np.testing.assert_allclose(both.sources, [2 / 3, 2 / 3, 2 / 3, 2.0])
    assert str(both.scale) == "0..5"
    assert both.notes[-1] == "rated 3 items, other 1 items; all benchmarks have the same weight"
    assert opinions_of([RATED, other], needs_spread=True).sources is None


def test_scores_alone_will_do_where_no_spread_is_learned():
    opinions = opinions_of([rated(score=[1, 2, 5])], needs_spread=False)
    np.testing.assert_allclose(opinions.gold[:, MEAN], [0.2, 0.4, 1.0])
    assert np.isfinite(opinions.gold).all()


def test_scores_alone_where_a_spread_is_needed():
    with pytest.raises(InputError, match=r"3 of 3 items have neither ratings nor a standard deviation.*--head point"):
        opinions_of([rated(score=[1, 2, 5])], needs_spread=True)
    with pytest.raises(InputError, match=r"1 of 3 items .* first '2'"):
        opinions_of([rated(score=[1, 2, 5], sigma=[0.1, None, 0.2])], needs_spread=True)


def test_one_rater_an_item():
    lonely = rated(score=[1, 2, 5], sigma=[0, 0, 0], ratings=[[1], [2], [5]])
    with pytest.raises(InputError, match=r"every item has only one rating.*several people"):
        opinions_of([lonely], needs_spread=True)
    assert len(opinions_of([lonely], needs_spread=False)) == 3


def test_a_rating_off_the_scale():
    with pytest.raises(ScaleError, match=r"1 of 4 ratings lie off the scale 0\.\.5; the first is 7 for item '2'"):
        opinions_of([rated(score=[1, 4, 5], ratings=[[1], [1, 7], [5]])], needs_spread=True)
