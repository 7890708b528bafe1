"""How many raters: the borders at which a plan is vague, far away or impossible."""

import numpy as np
import pytest

from similitude.gold.reliability import sample_size
from similitude.gold.reliability.estimate import Estimate, undefined
from similitude.gold.reliability.sample_size import RatingVariances, far_beyond, raters_for, told_plainly


def test_what_a_plan_takes_for_granted():
    assert (sample_size.MOST, sample_size.LEAST_ITEMS, sample_size.FAR) == (1000, 10, 4)


@pytest.mark.parametrize(
    ("low", "high", "ends", "reason"),
    [
        (5.2, 10.0, (5, 10), ""),  # twice as many, no more
        (5.9, 10.1, (5, 11), "the pilot is too small to tell: 5 to 11 raters"),
        (1.0, 4.5, (1, 5), ""),  # more than twice, but 4 apart
        (1.0, 5.5, (1, 6), "the pilot is too small to tell: 1 to 6 raters"),
    ],
)
def test_ends_are_rounded_outwards_and_called_vague(low, high, ends, reason):
    told = told_plainly(Estimate(7.0, low, high), "raters")
    assert (told.value, told.low, told.high, told.reason or "") == (7.0, *ends, reason)


def test_an_unknown_number_says_why():
    told = told_plainly(undefined("so"), "tuples")
    assert told.reason == "more than 1,000 tuples, or the pilot's items do not differ"


def test_four_times_the_pilot_is_not_far():
    assert far_beyond(Estimate(16.0), 4.0, "raters") == ()
    assert far_beyond(Estimate(16.5), 4.0, "raters") != ()
    assert far_beyond(undefined("so"), 4.0, "raters") == ()


def test_the_first_number_that_meets_a_target():
    falling = np.array([[0.9, 0.9], [0.5, 0.8], [0.3, 0.7]])
    np.testing.assert_array_equal(raters_for(falling, 0.5, at_most=True), [2, np.nan])
    np.testing.assert_array_equal(raters_for(falling, 0.5 - 1e-12, at_most=True), [2, np.nan])
    np.testing.assert_array_equal(raters_for(falling, 0.9 + 1e-12, at_most=False), [1, 1])
    np.testing.assert_array_equal(raters_for(falling, 0.91, at_most=False), [np.nan, np.nan])


def test_two_raters_misjudge_a_spread_by_six_tenths():
    """c(2) = Gamma(1) / Gamma(1/2) = 1 / sqrt(pi); sqrt(1 + 1/2 - 2 / sqrt(pi)). One rater sees no spread at all."""
    variances = RatingVariances(np.array([1.0]), np.array([1.0]), np.array([4.0]))
    error = sample_size.sigma_error(variances, np.array([1, 2, 3]))
    # c(3) = sqrt(2/3) Gamma(3/2) / Gamma(1) = sqrt(2/3) sqrt(pi) / 2
    third = np.sqrt(1 + 2 / 3 - np.sqrt(2 / 3) * np.sqrt(np.pi))
    np.testing.assert_allclose(error, [2.0, 2 * np.sqrt(1.5 - 2 / np.sqrt(np.pi)), 2 * third])


def test_noise_without_end_leaves_order_to_chance_and_none_makes_it_sure():
    variances = RatingVariances(np.array([1.0, 1.0]), np.array([0.0, 1e12]), np.ones(2))
    np.testing.assert_allclose(sample_size.order(variances, np.array([1.0]), 0.5), [1.0, 0.5], atol=1e-6)


def test_items_that_differ_little_have_a_correlation():
    variances = RatingVariances(np.array([0.01, 0.0]), np.array([0.03, 0.03]), np.ones(2))
    np.testing.assert_allclose(sample_size.correlation(variances, np.array([1.0])), [0.5, np.nan])
