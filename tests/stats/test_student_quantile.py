"""Quantiles of Student's t against scipy and against printed tables."""

from __future__ import annotations

import math

import pytest
from scipy.special import ndtr, ndtri, stdtrit
from scipy.stats import t as student_t

from similitude.stats import student_quantile as module
from similitude.stats.student_quantile import _density, _root, _two_tails, normal_share, student_quantile


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


def counted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[float]:
    """The first arguments of the calls of a function of the module from now on."""
    function, asked = getattr(module, name), []
    monkeypatch.setattr(module, name, lambda *given: asked.append(given[0]) or function(*given))
    return asked


@pytest.mark.parametrize(
    ("upper", "freedom"),
    [(0.5001, 1.0), (0.5001, 1e5), (0.975, 10.0), (0.975, 199.0), (0.999999, 2.0), (0.999999, 19.0)],
)
def test_newton_s_steps_are_few(monkeypatch, upper: float, freedom: float):
    """8 to 16 probabilities; halving alone would take more than 40."""
    asked = counted(monkeypatch, "_two_tails")
    student_quantile.__wrapped__(upper, freedom)
    assert len(asked) < 20


def test_the_fraction_ends_when_it_does_not_change(monkeypatch):
    """It is that of the tail for which fewer terms are enough."""
    asked = counted(monkeypatch, "_away")
    for value, freedom in ((1.1, 1e4), (9.95, 1e4), (1.0, 3.0)):
        _two_tails(value, freedom)
        assert len(asked) < 250
        asked.clear()


def test_the_search_begins_in_the_middle(monkeypatch):
    monkeypatch.setattr(module, "MOST_STEPS", 0)
    assert _root(2.0, 3.0, 0.05, 10.0) == 2.5
