"""Quantiles of Student's t against scipy and against printed tables."""

from __future__ import annotations

import math

import pytest
from scipy.special import ndtr, ndtri, stdtrit

from similitude.stats.student_quantile import normal_share, student_quantile


@pytest.mark.parametrize("freedom", [1, 1.5, 2, 2.424, 3, 5, 9.7, 19, 49, 199, 1378, 1e5])
@pytest.mark.parametrize("upper", [0.5001, 0.6, 0.75, 0.95, 0.975, 0.995, 0.9995, 0.999999])
def test_quantiles_are_those_of_scipy(upper: float, freedom: float):
    assert student_quantile(upper, freedom) == pytest.approx(stdtrit(freedom, upper), rel=1e-9)


def test_printed_tables():
    table = {1: 12.706, 2: 4.303, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980}
    assert {freedom: round(student_quantile(0.975, freedom), 3) for freedom in table} == table


def test_ends():
    assert student_quantile(0.5, 7.0) == 0.0
    assert student_quantile(0.975, math.inf) == pytest.approx(ndtri(0.975), abs=1e-14)
    for value in (-9.0, -1.0, 0.0, 0.5, 3.0):
        assert normal_share(value) == pytest.approx(ndtr(value), rel=1e-13)
