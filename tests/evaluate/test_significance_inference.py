"""Intervals and p-values of one measure from made-up resamples, by hand."""

import numpy as np
import pytest

from similitude.data import Scale
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.evaluate.significance.inference import (
    PValues,
    _p_values,
    bootstrap_intervals,
    bootstrap_p_values,
    bootstrap_spread,
    permutation_p_values,
)
from similitude.evaluate.significance.resampler import Permuted
from similitude.evaluate.significance.tested_measure import subjects_of
from similitude.stats import bias_corrected_interval, expanded_level, percentile_interval

FIVE = Scale(low=0, high=5)


def erring(systems: int = 2):
    """Systems with errors of 0.5, 1.0, 1.5 and so on."""
    gold = np.linspace(1, 4, 20)
    return subjects_of(
        Comparison.of_scores(gold, gold + 0.5 * np.arange(1, systems + 1)[:, None], FIVE), [make_measure("mae")]
    )[0]


def with_unknown(number: int, of: int = 100) -> np.ndarray:
    values = np.linspace(0, 1, of)
    values[:number] = np.nan
    return values


def test_a_tenth_of_the_resamples_may_be_undefined():
    drawn = np.stack([with_unknown(10), with_unknown(11)])
    first, second = bootstrap_intervals(erring(), drawn, None, 20, 0.95).figures
    assert first.reason == "left out 10 of 100 resamples in which the measure is undefined"
    assert first[:2] == percentile_interval(drawn[0, 10:], expanded_level(0.95, 20))[:2]
    assert second.reason == "the measure is undefined in 11 of 100 resamples"
    assert np.isnan(second[:2]).all()


def test_the_difference_of_any_two_at_any_level():
    drawn = np.array([[1.0, 2, 3, 4, 5], [0, 0, 1, 1, 1], [5, 5, 5, 5, 6]])
    found = bootstrap_intervals(erring(systems=3), drawn, None, 20, 0.95).difference
    assert found(0, 1, 0.95) == percentile_interval(np.array([1.0, 2, 2, 3, 4]), expanded_level(0.95, 20))
    assert found(1, 2, 0.6) == percentile_interval(np.array([-5.0, -5, -4, -4, -5]), expanded_level(0.6, 20))


def separator():
    gold = np.tile([0.0, 0, 0, 1, 1], 4)
    return subjects_of(Comparison.of_scores(gold, gold), [make_measure("accuracy")])[0]


def test_a_learned_figure_that_never_changes_has_wilson_s_interval():
    (found,) = bootstrap_intervals(separator(), np.ones((1, 50)), None, 20, 0.95, is_biased=True).figures
    square = 1.959963984540054**2
    assert found == (pytest.approx(20 / (20 + square)), 1.0, "Wilson's interval: all resamples give the same figure")
    drawn = np.append(np.ones(47), [0.9, 0.8, 0.7])[None]
    (found,) = bootstrap_intervals(separator(), drawn, None, 20, 0.95, is_biased=True).figures
    assert found == bias_corrected_interval(drawn[0], 1.0, 0.95)
    some = np.append(np.ones(49), np.nan)[None]
    (found,) = bootstrap_intervals(separator(), some, None, 20, 0.95, is_biased=True).figures
    assert found.reason == "Wilson's interval: all resamples give the same figure"
    (found,) = bootstrap_intervals(separator(), np.full((1, 50), np.nan), None, 20, 0.95, is_biased=True).figures
    assert found.reason == "the measure is undefined in 50 of 50 resamples"
    assert np.isnan(found[:2]).all()


def test_p_values_of_the_bootstrap():
    # nine of ten differences are known: just enough; the observed one is -1/2
    few, fewer = np.full((2, 10), 0.0), np.full((2, 10), 0.0)
    few[0, :1], fewer[0, :2] = np.nan, np.nan
    assert np.isfinite(bootstrap_p_values(erring(), few).values[0, 1])
    assert np.isnan(bootstrap_p_values(erring(), fewer).values[0, 1])
    never = bootstrap_p_values(erring(), np.stack([np.full(99, 0.5), np.full(99, 1.0)]))
    assert never.values[0, 1] == pytest.approx(1 / 100)
    assert never.is_floor.tolist() == [[False, True], [False, False]]
    one = bootstrap_p_values(erring(), np.stack([np.append(np.full(98, 0.5), 1.0), np.full(99, 1.0)]))
    assert (one.values[0, 1], one.is_floor.any()) == (pytest.approx(2 / 100), False)
    # of three resamples, 2/4 is not the least
    three = bootstrap_p_values(erring(), np.stack([np.array([0.5, 0.5, 1.0]), np.full(3, 1.0)]))
    assert (three.values[0, 1], three.is_floor.any()) == (pytest.approx(2 / 4), False)
    # with two resamples undefined for one system and three for the other, 95 are left of 100
    gaps = np.stack([with_unknown(2), with_unknown(5)]) * 0 + [[0.5], [1.0]]
    left = bootstrap_p_values(erring(), gaps)
    assert left.values[0, 1] == pytest.approx(1 / 96)
    assert left.is_floor.tolist() == [[False, True], [False, False]]


def test_p_values_of_permutations():
    def found(exceeding: int, defined: int, permutations: int = 100) -> PValues:
        counts = (np.full((2, 2), number, dtype=np.intp) for number in (exceeding, defined))
        return permutation_p_values(erring(), Permuted(*counts), permutations)

    assert found(4, 100).values[0, 1] == pytest.approx(5 / 101)
    assert not found(4, 100).is_floor.any()
    assert found(4, 90).values[0, 1] == pytest.approx(5 / 91)
    assert np.isnan(found(4, 89).values).all()
    assert found(0, 100).is_floor.tolist() == [[False, True], [False, False]]
    # with one permutation undefined, 1 / 100 is the least that the others can give
    assert found(0, 99).values[0, 1] == pytest.approx(1 / 100)
    assert found(0, 99).is_floor.tolist() == [[False, True], [False, False]]
    assert not found(1, 99).is_floor.any()
    assert not found(1, 3, permutations=3).is_floor.any()


def test_the_spread_of_resamples_in_which_all_are_known():
    """Nine of ten known are just enough; 20 units widen a variance by 20 / 19."""
    drawn = np.stack([with_unknown(10), np.linspace(3, 1, 100) ** 2, with_unknown(11)])
    drawn[1, -5:] = np.nan
    found = bootstrap_spread(drawn, 20)
    expected = np.cov(drawn[:2, 10:-5]) * 20 / 19
    np.testing.assert_allclose(found.covariance[:2, :2], expected)
    assert np.isnan(found.covariance[2]).all()
    assert np.isnan(found.covariance[:, 2]).all()
    np.testing.assert_array_equal(found.freedoms, [19, 19, np.nan])


def test_two_resamples_have_a_spread_and_one_has_none():
    two = bootstrap_spread(np.array([[1.0, 3.0]]), 11)
    assert (two.covariance.item(), two.freedoms.item()) == (pytest.approx(2 * 11 / 10), 10)
    one = bootstrap_spread(np.array([[1.0]]), 11)
    assert np.isnan([one.covariance.item(), one.freedoms.item()]).all()


def test_rounding_is_relative_to_the_figures():
    """Errors of 10 and 20 million: a resampled difference that misses twice the observed one by rounding reaches it."""
    gold = np.zeros(4)
    made = Comparison.of_scores(gold, gold + 1e7 * np.array([[1.0], [2.0]]), Scale(low=0, high=1e8))
    (subject,) = subjects_of(made, [make_measure("mae")])
    drawn = np.stack([np.zeros(9), np.full(9, 2e7 - 1e-6)])
    assert bootstrap_p_values(subject, drawn).values[0, 1] == 1.0


def test_a_p_value_of_zero_is_at_no_floor_where_nothing_is_drawn():
    assert not _p_values(2, lambda one, other: 0.0).is_floor.any()
