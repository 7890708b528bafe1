"""Gold in ten bins."""

import math

import numpy as np
import pytest

import similitude as sim
from similitude.inspect.words.distribution import Distribution, NumberSummary, score_distribution, sigma_distribution


def test_spread_leaves_out_what_is_not_there():
    assert NumberSummary.of(np.array([4.0, 1.0, np.nan, 1.0])) == NumberSummary(2.0, 1.0, 4.0)
    assert all(math.isnan(value) for value in NumberSummary.of(np.array([np.nan])))


def test_bins_hold_their_lower_end_and_the_last_one_both():
    # On 0..5 a bin is 0.5 wide: 0 | 0.5 and 0.9 | 4.99 and 5, whatever float noise stands on an edge.
    values = np.array([0.0, 0.5, 0.9, 0.49999999999999994, 4.99, 5.0, 5.1, np.nan])
    found = Distribution.of(values, 0, 5)
    assert found.counts == (1, 3, 0, 0, 0, 0, 0, 0, 0, 2)
    assert (found.beyond, found.missing) == (1, 1)
    assert found.edges == pytest.approx(np.arange(0, 5.5, 0.5))


def test_counts_are_those_of_numpy_away_from_edges():
    values = np.random.default_rng(3).uniform(-1, 1, 1000)
    assert Distribution.of(values, -1, 1).counts == tuple(np.histogram(values, bins=10, range=(-1, 1))[0])


def test_hidden_scores_are_missing_and_no_score_means_no_distribution():
    some = sim.Benchmark.from_columns(left=["a", "b"], right=["c", "d"], score=[2.0, None], scale="0..5")
    found = score_distribution(some.frame, some.scale)
    assert (sum(found.counts), found.missing, found.spread.mean) == (1, 1, 2.0)
    none = sim.Benchmark.from_columns(left=["a"], right=["c"])
    assert score_distribution(none.frame, none.scale) is None
    assert sigma_distribution(none.frame, none.scale) is None


def test_sigmas_come_from_ratings_where_none_is_stated():
    rated = sim.Benchmark.from_columns(
        left=["a", "b", "c"],
        right=["d", "e", "f"],
        score=[2.5, 2.5, 1.0],
        sigma=[1.2, None, None],
        ratings=[[0, 5], [0, 5], [1]],
        scale="0..5",
    )
    # 1.2 as stated; 0 and 5 have a standard deviation of 2.5, the most there can be; one rating has none.
    found = sigma_distribution(rated.frame, rated.scale)
    assert found.counts == (0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
    assert (found.high, found.missing) == (2.5, 1)
