"""Estimates and the resamples in which they are undefined."""

import numpy as np
import pytest

from similitude.gold.reliability.estimate import Estimate, estimate_of


def test_one_in_ten_resamples_may_be_undefined():
    nine = np.append(np.arange(1.0, 10.0), np.nan)
    found = estimate_of(5.0, nine, 0.5)
    assert found.reason == "left out 1 of 10 resamples in which the figure is undefined"
    assert (found.low, found.high) == pytest.approx((3.0, 7.0))
    more = estimate_of(5.0, np.append(nine, [np.nan] * 2), 0.5)
    assert np.isnan([more.low, more.high]).all()
    assert more.reason == "no interval: the figure is undefined in 3 of 12 resamples"


def test_a_figure_that_is_known_everywhere_has_no_caveat():
    assert estimate_of(2.0, np.array([1.0, 2.0, 3.0]), 0.9).reason is None
    undefined = estimate_of(np.nan, np.array([1.0, 2.0, 3.0]), 0.9)
    assert not undefined.is_defined
    assert undefined.reason is None
    assert Estimate(1.0).low != Estimate(1.0).low
