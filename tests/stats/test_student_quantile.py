"""Quantiles of Student's t against scipy and against printed tables."""

from __future__ import annotations

import math

import pytest
from scipy.special import ndtr, ndtri, stdtrit
from scipy.stats import t as student_t

from similitude.stats.student_quantile import _density, _two_tails, normal_share, student_quantile


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


@pytest.mark.parametrize("freedom", [1.0, 2.5, 10.0, 400.0])
@pytest.mark.parametrize("value", [1e-3, 0.1, 0.5, 1.0, 3.0, 40.0])
def test_both_tails_and_the_density_are_those_of_scipy(value, freedom):
    """Small values take the fraction of the other tail."""
    assert _two_tails(value, freedom) == pytest.approx(2 * student_t.sf(value, freedom), rel=1e-10)
    assert _density(value, freedom) == pytest.approx(student_t.pdf(value, freedom), rel=1e-10)


def test_nothing_is_farther_from_0_than_0():
    assert _two_tails(0.0, 5.0) == 1.0
