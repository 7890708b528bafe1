"""Gaussians against their definitions."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from similitude.stats import gaussian


def test_divergence_by_hand():
    """KL(N(1, 2) || N(3, 4)) = ln(4 / 2) + (2^2 + (1 - 3)^2) / (2 * 4^2) - 1/2."""
    found = gaussian.kl_divergence(
        np.array([1.0, 0.0]), np.array([2.0, 1.0]), np.array([3.0, 0.0]), np.array([4.0, 1.0])
    )
    np.testing.assert_allclose(found, [math.log(2) + 8 / 32 - 0.5, 0.0])


@pytest.mark.parametrize(("sd_p", "sd_q"), [(0.0, 1.0), (1.0, 0.0), (-1.0, 1.0)])
def test_divergence_without_spread_is_undefined(sd_p: float, sd_q: float):
    found = gaussian.kl_divergence(np.zeros(2), np.array([sd_p, 0.5]), np.zeros(2), np.array([sd_q, 0.5]))
    assert np.isnan(found[0])
    assert found[1] == 0


def test_log_density_by_definition():
    y, mean, sd = np.array([3.0, 1.0]), np.array([1.0, 1.0]), np.array([2.0, 0.0])
    found = gaussian.negative_log_density(y, mean, sd)
    assert found[0] == pytest.approx(-norm.logpdf(3, 1, 2))
    assert np.isnan(found[1])
    assert gaussian.negative_log_density(y, mean, sd, constant=False)[0] == pytest.approx(0.5 + math.log(2))


@pytest.mark.parametrize(("y", "mean", "sd"), [(2.0, 1.0, 0.5), (1.0, 1.0, 3.0), (-4.0, 1.0, 2.0)])
def test_ranked_probability_score_is_the_integral_of_its_definition(y: float, mean: float, sd: float):
    below, _ = quad(lambda x: norm.cdf(x, mean, sd) ** 2, -40, y)
    above, _ = quad(lambda x: (norm.cdf(x, mean, sd) - 1) ** 2, y, 40)
    assert gaussian.crps(np.array(y), np.array(mean), np.array(sd)) == pytest.approx(below + above, abs=1e-7)


def test_ranked_probability_score_without_spread_is_the_absolute_error():
    np.testing.assert_allclose(gaussian.crps(np.array([3.0, -3.0, 0.0]), np.zeros(3), np.zeros(3)), [3, 3, 0])


def test_whole_numbers_are_taken():
    one, two = np.array([1]), np.array([2])
    assert gaussian.kl_divergence(one, two, two, one)[0] == pytest.approx(-np.log(2) + (4 + 1) / 2 - 0.5)
    assert gaussian.crps(two, one, one)[0] == pytest.approx(
        gaussian.crps(np.array([2.0]), np.array([1.0]), np.array([1.0]))[0]
    )
