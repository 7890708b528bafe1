import math

import numpy as np
import pytest

from similitude.stats import pearson
from similitude.stats.influence import pearson_influence
from similitude.stats.influence_intervals import attenuated_interval, influence_error, reliability_interval
from similitude.stats.left_out_influence import left_out, left_out_influence, pearson_left_out


def test_variances_and_covariance_without_each_item():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 7))
    found = left_out(x, y)
    for item in range(7):
        own, other = np.delete(x, item), np.delete(y, item)
        assert found.x_variance[item] == pytest.approx(own.var(ddof=1))
        assert found.y_variance[item] == pytest.approx(other.var(ddof=1))
        assert found.covariance[item] == pytest.approx(np.cov(own, other)[0, 1])


def test_pearson_without_each_item_row_by_row():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=9), rng.normal(size=(3, 9))
    found = pearson_left_out(x, y)
    assert found.figure == pytest.approx(pearson(x, y))
    for row in range(3):
        without = np.array([pearson(np.delete(x, item), np.delete(y[row], item)) for item in range(9)])
        assert found.of_item[row] == pytest.approx(8 * (without.mean() - without))


def test_with_many_items_it_is_the_derivative():
    rng = np.random.default_rng(2)
    x = rng.normal(size=5000)
    y = x + rng.normal(size=5000)
    assert pearson_left_out(x, y).of_item == pytest.approx(pearson_influence(x, y).of_item, abs=0.05)


def test_a_side_that_is_constant_without_one_item_has_no_influence():
    found = pearson_left_out(np.array([0.0, 0, 0, 1]), np.array([1.0, 2, 3, 4]))
    assert np.isnan(found.of_item).all()


def test_the_error_of_a_mean_and_of_groups():
    values = np.array([1.0, 2, 4, 9])
    influence = left_out_influence((values.sum() - values) / 3)
    assert influence_error(influence) == pytest.approx(values.std(ddof=1) / 2)
    # two groups of two: sums -1 and 1 about the mean, 2 (1 + 1) / (2 - 1) / 4^2
    assert influence_error(np.array([-1.0, 0.0, 1.0, 0.0]), np.array([7, 7, 3, 3])) == pytest.approx(0.5)
    assert math.isnan(influence_error(np.array([1.0, -1.0]), np.array([3, 3])))
    assert math.isnan(influence_error(np.array([1.0])))


def test_an_attenuated_correlation_by_hand():
    # t with 10 - 2 degrees of freedom at 97.5 %: 2.306; the error of r itself is 0.05 * 0.9
    room = 2.3060041350333704 * 0.05 * 0.9 / (1 - 0.6**2)
    found = attenuated_interval(0.6, 0.05, 0.9, 10, 0.95)
    assert found.low == pytest.approx(math.tanh(math.atanh(0.6) - room) / 0.9)
    assert found.high == pytest.approx(math.tanh(math.atanh(0.6) + room) / 0.9)
    assert attenuated_interval(0.89, 0.2, 0.9, 10, 0.95).high > 1


@pytest.mark.parametrize(("r", "error", "units"), [(1.0, 0.1, 10), (-1.0, 0.1, 10), (0.5, math.nan, 10), (0.5, 0.1, 2)])
def test_no_attenuated_interval(r, error, units):
    assert math.isnan(attenuated_interval(r, error, 0.9, units, 0.95).low)


def test_three_units_have_an_interval():
    assert attenuated_interval(0.5, 0.1, 1.0, 3, 0.95).low < 0.5
    assert reliability_interval(0.5, 0.1, 3, 0.95).low < 0.5


def test_a_reliability_by_hand():
    room = 2.3060041350333704 * 0.05 / 0.2
    found = reliability_interval(0.8, 0.05, 10, 0.95)
    assert found.low == pytest.approx(1 - 0.2 * math.exp(room))
    assert found.high == pytest.approx(1 - 0.2 * math.exp(-room))


@pytest.mark.parametrize(("value", "error", "units"), [(1.0, 0.1, 10), (0.5, math.nan, 10), (0.5, 0.1, 2)])
def test_no_interval_of_a_reliability(value, error, units):
    assert math.isnan(reliability_interval(value, error, units, 0.95).high)
