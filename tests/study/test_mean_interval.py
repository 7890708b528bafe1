"""Intervals of means over trainings, by hand."""

import math

import numpy as np
import pytest

from similitude.study.mean_interval import mean_interval


def test_one_training_has_the_interval_over_items():
    assert mean_interval([0.5], [(0.4, 0.6)], None, 0.95) == (0.4, 0.6)


def test_both_variances_have_their_own_quantile():
    # Shared variance .0004 (the mean of what lies off the diagonal); the variance of .4, .5, .6 is .01, that of their
    # mean .01 / 3. Quantiles: 1.959964 (normal), 4.302653 (Student's t, 2 degrees of freedom).
    covariances = np.full((3, 3), 0.0004) + np.diag([0.0009] * 3)
    low, high = mean_interval([0.4, 0.5, 0.6], [(0, 1)] * 3, covariances, 0.95)
    half = math.sqrt(1.959964**2 * 0.0004 + 4.302653**2 * 0.01 / 3)
    assert (low, high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)


def test_trainings_that_agree_leave_what_the_items_share():
    low, high = mean_interval([0.5, 0.5], [(0, 1)] * 2, np.full((2, 2), 0.0001), 0.95)
    assert high - low == pytest.approx(2 * 1.959964 * 0.01)


def test_negative_covariances_count_as_none():
    covariances = np.array([[0.01, -0.005], [-0.005, 0.01]])
    assert mean_interval([0.5, 0.5], [(0, 1)] * 2, covariances, 0.95) == (0.5, 0.5)


@pytest.mark.parametrize("covariances", [None, np.full((2, 2), np.nan)])
def test_nothing_is_said_where_nothing_is_known(covariances):
    assert mean_interval([0.5, 0.6], [(0, 1)] * 2, covariances, 0.95) == (None, None)
