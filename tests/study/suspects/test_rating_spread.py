"""What ratings say of a label."""

import math

from similitude.data.benchmark import Benchmark
from similitude.study.suspects.rating_spread import rating_spread


def of(**columns):
    count = len(columns["score"])
    return rating_spread(Benchmark.from_columns(left=["a"] * count, right=["b"] * count, scale="1..5", **columns))


def test_two_camps_a_slip_and_agreement():
    camps, slip, same = of(score=[3.0, 2.0, 4.0], ratings=[[1, 1, 5, 5], [1, 1, 1, 5], [4, 4, 4, 4]])
    assert camps.is_contentious
    assert math.isnan(camps.outlier)
    # Deviations -1, -1, -1, 3: the root of 12 / 4.
    assert (round(slip.sigma, 4), slip.is_contentious, slip.outlier, slip.without) == (1.7321, False, 5.0, 1.0)
    assert not same.is_contentious
    assert math.isnan(same.outlier)


def test_a_standard_deviation_alone():
    wide, narrow = of(score=[3.0, 3.0], sigma=[0.41, 0.39])  # a tenth of the scale is 0.4
    assert (wide.is_contentious, narrow.is_contentious) == (True, False)


def test_nothing_is_known():
    [one] = of(score=[3.0])
    assert math.isnan(one.sigma)
    assert not one.is_contentious
