"""Williams' and Steiger's tests, against published values."""

import numpy as np
import pytest

from similitude.stats.dependent_correlations import steiger_p_value, steiger_z, williams_p_value, williams_t


def test_the_example_of_silver_hittner_and_may():
    """Silver, Hittner and May (2006), DEPCOR: r = .3 and .4, .5 between the two, n = 100; also in R's cocor."""
    assert williams_t(0.3, 0.4, 0.5, 100) == pytest.approx(-1.0767, abs=5e-5)
    assert williams_p_value(0.3, 0.4, 0.5, 100) == pytest.approx(0.2843, abs=5e-5)
    assert steiger_z(0.3, 0.4, 0.5, 100) == pytest.approx(-1.0718, abs=5e-5)
    assert steiger_p_value(0.3, 0.4, 0.5, 100) == pytest.approx(0.2838, abs=5e-5)


def test_the_example_of_steiger():
    """Steiger (1980), page 249, case A: -.8913 with rounded steps; unrounded -0.8887185, as R's cocor gives."""
    assert steiger_z(0.4, 0.5, 0.1, 103) == pytest.approx(-0.8887185, abs=5e-8)


def test_the_examples_of_the_cambridge_statistics_wiki():
    """t by hand for r = .50 and .32, .65 between the two, n = 50.

    The determinant is 1 - .25 - .1024 - .4225 + 2 * .5 * .32 * .65 = .4331, the mean correlation .41:
    t = .18 * sqrt(49 * 1.65) / sqrt(2 * 49/47 * .4331 + .41^2 * .35^3) = 1.61853 / sqrt(.903060 + .007207)
    """
    assert williams_t(0.50, 0.32, 0.65, 50) == pytest.approx(1.61853 / np.sqrt(0.910267), abs=1e-4)


@pytest.mark.parametrize("test", [williams_p_value, steiger_p_value])
def test_order_does_not_matter_and_equal_correlations_are_not_told_apart(test):
    assert test(0.3, 0.4, 0.5, 100) == test(0.4, 0.3, 0.5, 100)
    assert test(0.4, 0.4, 0.9, 30) == 1
    assert test(1.0, 1.0, 1.0, 30) == 1
    assert test(0.3, 0.4, 0.5, 400) < test(0.3, 0.4, 0.5, 100)


@pytest.mark.parametrize("test", [williams_p_value, steiger_p_value])
def test_four_observations_are_the_fewest(test):
    assert np.isnan(test(0.3, 0.4, 0.5, 3))
    assert 0 < test(0.3, 0.4, 0.5, 4) < 1


def test_a_difference_without_variance_is_certain():
    assert williams_p_value(1.0, -1.0, -1.0, 10) == 0
    assert 0 < steiger_p_value(1.0, 0.5, 0.5, 10) < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("test", [williams_p_value, steiger_p_value])
def test_equal_correlations_are_told_apart_in_5_percent_of_samples(test):
    rng, rejected = np.random.default_rng(0), 0
    for _ in range(2000):
        gold, shared, one, other = rng.normal(size=(4, 25))
        found = np.corrcoef([gold, gold + shared + one, gold + shared + other])
        rejected += test(found[0, 1], found[0, 2], found[1, 2], 25) <= 0.05
    assert 0.04 <= rejected / 2000 <= 0.06
