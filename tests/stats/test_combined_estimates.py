"""Weighted sums of independent estimates, and votes of rankings."""

from __future__ import annotations

import numpy as np
import pytest

from similitude.stats import Ends, combined_ends, combined_freedom, rank_votes


def test_symmetric_intervals_give_the_usual_interval_of_a_mean():
    # reach of each 0.1 and 0.3: sqrt(.25 * .01 + .25 * .09) = sqrt(.025)
    values, reach = np.array([0.5, 0.7]), np.array([0.1, 0.3])
    found = combined_ends(np.array([0.5, 0.5]), values, Ends(values - reach, values + reach))
    assert (float(found.low), float(found.high)) == pytest.approx((0.6 - 0.025**0.5, 0.6 + 0.025**0.5))


def test_skewness_adds_up_in_cumulants():
    # half widths .25 and .125, middles .15 and .075 below the values; weights .75 and .25
    # squares: .75^2 .25^2 + .25^2 .125^2; the middle moves by (.75^3 * -.15 * .25^2 + .25^3 * -.075 * .125^2) / squares
    found = combined_ends(
        np.array([0.75, 0.25]),
        np.array([[0.8], [0.9]]),
        Ends(np.array([[0.4], [0.7]]), np.array([[0.9], [0.95]])),
    )
    squares = 0.75**2 * 0.25**2 + 0.25**2 * 0.125**2
    moved = -(0.75**3 * 0.15 * 0.25**2 + 0.25**3 * 0.075 * 0.125**2) / squares
    assert found.low[0] == pytest.approx(0.825 + moved - squares**0.5)
    assert found.high[0] == pytest.approx(0.825 + moved + squares**0.5)


def test_one_estimate_keeps_its_interval_and_many_alike_become_symmetric():
    one = combined_ends(np.array([1.0]), np.array([0.8]), Ends(np.array([0.5]), np.array([0.9])))
    assert (float(one.low), float(one.high)) == pytest.approx((0.5, 0.9))
    many = np.full(100, 0.01)
    found = combined_ends(many, np.full(100, 0.8), Ends(np.full(100, 0.5), np.full(100, 0.9)))
    assert (float(found.low), float(found.high)) == pytest.approx((0.8 - 0.001 - 0.02, 0.8 - 0.001 + 0.02))
    exact = combined_ends(many, np.full(100, 0.8), Ends(np.full(100, 0.8), np.full(100, 0.8)))
    assert (float(exact.low), float(exact.high)) == pytest.approx((0.8, 0.8))


def test_a_missing_interval_leaves_no_interval():
    values = np.array([[0.5, 0.5], [0.7, 0.7]])
    low = np.array([[0.4, np.nan], [0.6, 0.6]])
    found = combined_ends(np.array([0.5, 0.5]), values, Ends(low, values + 0.1))
    assert np.isnan(found.low).tolist() == np.isnan(found.high).tolist() == [False, True]


def test_freedom_of_welch():
    # two equal variances with 9 and 19 degrees: (1 + 1)^2 / (1/9 + 1/19)
    assert combined_freedom(np.ones((2, 1)), np.array([[9.0], [19.0]]))[0] == pytest.approx(4 / (1 / 9 + 1 / 19))
    assert combined_freedom(np.ones((2, 1)), np.full((2, 1), np.inf))[0] == np.inf
    assert combined_freedom(np.zeros((2, 1)), np.ones((2, 1)))[0] == np.inf


def test_borda_counts_and_mean_ranks_by_hand():
    # voter 1: a > b > c > d gives 3 2 1 0; voter 2: b > a = c > d gives 1.5 3 1.5 0; voter 3: all level gives 1.5 each
    votes = rank_votes(np.array([[4.0, 3.0, 2.0, 1.0], [0.5, 0.9, 0.5, 0.1], [1.0, 1.0, 1.0, 1.0]]))
    assert votes.borda.tolist() == [6.0, 6.5, 4.0, 1.5]
    assert votes.mean_rank.tolist() == pytest.approx([(1 + 2.5 + 2.5) / 3, (2 + 1 + 2.5) / 3, (3 + 2.5 + 2.5) / 3, 3.5])
    assert votes.borda.sum() == 3 * (3 + 2 + 1 + 0)
