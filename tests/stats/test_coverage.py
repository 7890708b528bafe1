"""Coverage of Gaussian forecasts: where an observation lies is told by its z = (y - mean) / sd."""

import numpy as np
import pytest

from similitude.stats import coverage

# With mean 10 and sd 2, these lie at z = 0, 1 and -1; P(|Z| < 1) = .683, P(Z < 1) = .841, P(Z < -1) = .159.
Y, MEAN, SD = np.array([10.0, 12.0, 8.0]), np.full(3, 10.0), np.full(3, 2.0)


def test_levels_are_the_twentieths():
    np.testing.assert_allclose(coverage.LEVELS, [step / 20 for step in range(1, 20)])


@pytest.mark.parametrize(("region", "levels"), [("central", [19, 6, 6]), ("below", [10, 3, 16])])
def test_levels_that_hold_an_observation(region, levels):
    """Central: all; 70 % and more; the same. Below: the median and more; 85 % and more; 20 % and more."""
    covered = coverage.is_covered(Y, MEAN, SD, region)
    assert covered.shape == (3, 19)
    np.testing.assert_array_equal(covered.sum(axis=1), levels)
    assert covered[:, -1].all()


def test_central_is_what_is_meant_without_a_word():
    np.testing.assert_array_equal(coverage.is_covered(Y, MEAN, SD), coverage.is_covered(Y, MEAN, SD, "central"))
    observed = coverage.observed_coverage(Y, MEAN, SD)
    np.testing.assert_array_equal(observed, coverage.observed_coverage(Y, MEAN, SD, "central"))
    assert coverage.ece(Y, MEAN, SD) == coverage.ece(Y, MEAN, SD, "central")


def test_an_observation_on_a_forecast_without_spread_is_covered():
    assert coverage.is_covered(np.array([1.0]), np.array([1.0]), np.array([0.0])).all()


def test_observed_coverage_is_a_share_of_observations():
    """Two observations at z = 0 and 1: half are covered at 65 % and below, all from 70 % on."""
    observed = coverage.observed_coverage(Y[:2], MEAN[:2], SD[:2])
    np.testing.assert_array_equal(observed, [0.5] * 13 + [1.0] * 6)
    below = coverage.observed_coverage(Y[:2], MEAN[:2], SD[:2], "below")
    np.testing.assert_array_equal(below, [0.0] * 9 + [0.5] * 7 + [1.0] * 3)


def test_calibration_error_is_the_mean_gap():
    """Central gaps: .45, .40, ..., 0, .05, .10, .15 (2.55 in all), then .30, .25, ..., .05 (1.05)."""
    assert coverage.ece(Y[:2], MEAN[:2], SD[:2]) == pytest.approx(3.6 / 19)
    assert coverage.ece(Y[:2], MEAN[:2], SD[:2], "below") == pytest.approx((2.25 + 1.05 + 0.30) / 19)
    # One observation at z = -1, below: 0 up to 15 %, then 1: .05 + .10 + .15 + (.80 + .75 + ... + .05 = 6.8).
    assert coverage.ece(Y[2:], MEAN[2:], SD[2:], "below") == pytest.approx(7.1 / 19)


def test_mean_gap_is_over_levels_and_keeps_rows():
    np.testing.assert_allclose(coverage.mean_gap(np.array([np.ones(19), coverage.LEVELS])), [0.5, 0.0], atol=1e-12)


def test_quantiles_of_wang_are_rounded_and_themselves_below():
    y = np.array([0.68, 0.69, -1.64, -1.65, 0.0, -0.68, 1.64, 1.65])
    below = coverage.is_below_wang2022(y, np.zeros(8), np.ones(8))
    np.testing.assert_array_equal(below.sum(axis=1), [2, 1, 5, 5, 3, 4, 1, 0])
    np.testing.assert_array_equal(
        coverage.is_below_wang2022(np.array([2.4]), np.array([1.0]), np.array([2.0])).sum(), 1
    )


def test_squared_gaps_of_wang():
    observed = np.array([[0.0] * 5, [0.0, 0.0, 0.5, 1.0, 1.0]])
    np.testing.assert_allclose(coverage.squared_gaps_wang2022(observed), [1.78, 0.13])
    # z = 0 and z = 1: shares 0, 0, .5, .5, 1.
    expected = 0.05**2 + 0.25**2 + 0 + 0.25**2 + 0.05**2
    assert coverage.ece_wang2022(Y[:2], MEAN[:2], SD[:2]) == pytest.approx(expected)
