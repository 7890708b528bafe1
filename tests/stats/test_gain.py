"""Cumulative gain, with places counted by hand."""

import numpy as np
import pytest

from similitude.stats import gain
from similitude.stats.ranks import Ordering

LOG3 = np.log2(3)


def test_first_two_places_are_not_discounted():
    np.testing.assert_allclose(gain.discounts(5), [1, 1, 1 / LOG3, 1 / 2, 1 / np.log2(5)])
    np.testing.assert_array_equal(gain.discounts(1), [1])


def test_ties_have_the_mean_of_their_gains_or_their_order():
    gains, scores = np.array([1.0, 5.0, 3.0, 0.0]), np.array([[0.2, 0.9, 0.9, 0.1], [4.0, 3.0, 2.0, 1.0]])
    expected = gain.gains_by_rank_expected(gains, Ordering(scores))
    np.testing.assert_array_equal(expected, [[4, 4, 1, 0], [1, 5, 3, 0]])
    stable = gain.gains_by_rank_stable(gains[[0, 2, 1, 3]], scores)
    np.testing.assert_array_equal(stable, [[3, 5, 1, 0], [1, 3, 5, 0]])


def test_share_of_the_best_possible_gain():
    ranked, ideal = np.array([[0.1, 0.3, 0.2], [0.3, 0.2, 0.1]]), np.array([0.3, 0.2, 0.1])
    np.testing.assert_allclose(gain.normalised_gain(ranked, ideal, 2, discounted=False), [4 / 5, 1])
    expected = (1 + 3 + 2 / LOG3) / (3 + 2 + 1 / LOG3)
    np.testing.assert_allclose(gain.normalised_gain(ranked, ideal, 3, discounted=True), [expected, 1])
    np.testing.assert_allclose(gain.normalised_gain(ranked, ideal, 9, discounted=True), [expected, 1])


@pytest.mark.parametrize("best", [0.0, -1.0])
def test_undefined_where_nothing_can_be_gained(best: float):
    assert np.isnan(gain.normalised_gain(np.array([best, best]), np.array([best, best]), 1, discounted=True))
    assert np.isnan(gain.normalised_gain(np.array([1.0, 0.0]), np.array([best, best]), 1, discounted=True))


def test_many_ties_keep_their_order():
    scores = np.arange(60.0) // 20
    np.testing.assert_array_equal(
        gain.gains_by_rank_stable(np.arange(60), scores), [*range(40, 60), *range(20, 40), *range(20)]
    )
    expected = gain.gains_by_rank_expected(np.arange(60.0), Ordering(scores))
    np.testing.assert_array_equal(expected, np.repeat([49.5, 29.5, 9.5], 20))
