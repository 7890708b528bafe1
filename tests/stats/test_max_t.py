"""Simultaneous inference: critical values against published tables, and what must hold for any covariance."""

import numpy as np
import pytest

from similitude.stats import (
    MaxT,
    many_to_one_p_values,
    step_down,
    t_statistics,
    t_tail,
)
from similitude.stats.max_t import Radii, difference_errors

INFINITE = np.inf


def dunnett(others: list[int], reference: MaxT, level: float) -> float:
    """What no difference from the first exceeds with this probability."""
    return reference.critical_value(np.abs(reference.differences(0, others)).max(axis=0), level)


def apart(*statistics: float) -> np.ndarray:
    """Systems x systems: the first differs by so much from the others, and these by next to nothing."""
    found = np.zeros((len(statistics) + 1, len(statistics) + 1))
    found[0, 1:], found[1:, 0] = statistics, np.negative(statistics)
    return found


@pytest.mark.parametrize(
    ("systems", "freedom", "table"),
    # Tukey's studentised range, 5 %
    [(2, 20, 2.95), (3, 20, 3.58), (5, 10, 4.65), (10, 20, 5.01), (20, INFINITE, 5.01)],
)
def test_tukey_s_table(systems, freedom, table):
    """With equal systems the first step is Tukey's range test."""
    statistics = apart(table / 2**0.5, *[0.0] * (systems - 2))
    found = step_down(statistics, MaxT(np.eye(systems), freedom), 0.95)
    assert found.p_values[0, 1] == pytest.approx(0.05, abs=0.002)
    assert found.criticals[0, 1] * 2**0.5 == pytest.approx(table, abs=0.02)


def test_two_systems_are_an_exact_t_test():
    covariance = np.array([[0.04, 0.01], [0.01, 0.09]])
    statistics = t_statistics(np.array([0.9, 0.3]), covariance)
    assert statistics[0, 1] == pytest.approx(0.6 / 0.11**0.5)
    exact = 2 * t_tail(0.6 / 0.11**0.5, 12)
    found = step_down(statistics, MaxT(covariance, 12), 0.95)
    assert found.p_values[0, 1] == found.p_values[1, 0] == pytest.approx(exact, rel=1e-4)
    assert found.criticals[0, 1] == pytest.approx(2.179, abs=1e-3)  # Student's t, 12 degrees of freedom
    signed = (statistics[1, 0], 0.0, statistics[0, 1])
    one_sided = [many_to_one_p_values(np.array([0, t]), 0, MaxT(covariance, 12))[1] for t in signed]
    assert one_sided == pytest.approx([1 - exact / 2, 0.5, exact / 2], rel=1e-3)


def test_small_p_values_are_not_cut_off():
    found = step_down(apart(8.0, 0.1, 0.1), MaxT(np.eye(4), INFINITE), 0.95).p_values[0, 1]
    single = 2 * t_tail(8.0, INFINITE)  # 1.2e-15
    assert 5 * single < found < 6.1 * single  # of six pairs


def test_step_down_counts_only_what_is_not_yet_decided():
    """Three systems: the clearest is compared with all three pairs, the last is a plain t test."""
    statistics = np.array([[0.0, 2.2, 6.0], [-2.2, 0.0, 5.0], [-6.0, -5.0, 0.0]])
    found = step_down(statistics, MaxT(np.eye(3), 20), 0.95)
    assert found.p_values[0, 1] == pytest.approx(2 * t_tail(2.2, 20), rel=0.02)
    # Tukey's 3.58, the two pairs of one system with the others (Dunnett), Student's t
    steps = [found.criticals[0, 2] * 2**0.5, found.criticals[1, 2], found.criticals[0, 1]]
    assert steps == pytest.approx([3.58, 2.38, 2.09], abs=0.02)


def test_p_values_never_fall_below_those_of_clearer_differences():
    found = step_down(apart(1.5, 1.49, 1.48), MaxT(np.eye(4), 30), 0.95)
    values = found.p_values[0, 1:]
    assert values[0] <= values[1] <= values[2]
    assert values[2] < 0.5 == pytest.approx(found.p_values[0, 1], abs=0.1)
    assert (found.criticals[0, 1:] == found.criticals[0, 1]).all(), "nothing is decided at the first step"


def test_pairs_without_a_statistic_are_no_part_of_the_family():
    statistics = apart(2.2, 1.0)
    statistics[0, 2] = statistics[2, 0] = statistics[1, 2] = statistics[2, 1] = np.nan
    found = step_down(statistics, MaxT(np.eye(3), 20), 0.95)
    assert found.p_values[0, 1] == pytest.approx(2 * t_tail(2.2, 20), rel=0.01)
    assert np.isnan([found.p_values[0, 2], found.criticals[1, 2]]).all()


def test_decisions_are_those_of_the_critical_values():
    """Whatever the covariance: a pair is decided exactly if it exceeds what it has to."""
    rng = np.random.default_rng(5)
    for systems in (2, 3, 6, 12):
        made = rng.normal(size=(systems, 40)) + 0.5 * rng.normal(size=(systems, 1))
        covariance = np.cov(made) / 40
        statistics = t_statistics(made.mean(axis=1), covariance)
        found = step_down(statistics, MaxT(covariance, 39), 0.95)
        above = np.triu_indices(systems, 1)
        decided = found.p_values[above] <= 0.05
        assert decided.sum() > 0 or systems == 2
        assert (decided == (np.abs(statistics[above]) > found.criticals[above])).all()


def test_scale_and_order_of_systems_do_not_matter():
    rng = np.random.default_rng(1)
    made = rng.normal(size=(5, 30))
    covariance, values, order = np.cov(made) / 30, made.mean(axis=1), np.array([3, 1, 4, 0, 2])
    first = step_down(t_statistics(values, covariance), MaxT(covariance, 29), 0.95).p_values
    scaled = step_down(t_statistics(100 * values, 1e4 * covariance), MaxT(1e4 * covariance, 29), 0.95).p_values
    pairs = np.ix_(order, order)
    shuffled = step_down(t_statistics(values[order], covariance[pairs]), MaxT(covariance[pairs], 29), 0.95).p_values
    np.testing.assert_allclose(scaled, first, atol=1e-9)
    np.testing.assert_allclose(shuffled, first[pairs], atol=0.01)


@pytest.mark.parametrize(
    ("others", "freedom", "table"),
    # Dunnett (1955, 1964), two-sided, 5 %, equal group sizes
    [(1, 20, 2.09), (2, 20, 2.38), (3, 20, 2.54), (9, 20, 2.95), (3, 10, 2.76), (2, 5, 3.03), (9, INFINITE, 2.69)],
)
def test_dunnett_s_table(others, freedom, table):
    found = dunnett(list(range(1, others + 1)), MaxT(np.eye(others + 1), freedom), 0.95)
    assert found == pytest.approx(table, abs=0.02)


def test_dunnett_s_table_at_1_percent():
    assert dunnett([1, 2, 3], MaxT(np.eye(4), 20), 0.99) == pytest.approx(3.29, abs=0.02)


def test_correlated_errors_count():
    """If the errors of two systems are nearly the same, comparing both with a third is nearly one comparison."""
    near = np.eye(3)
    near[1, 2] = near[2, 1] = 0.999
    found = dunnett([1, 2], MaxT(near, INFINITE), 0.95)
    assert 1.96 < found < 2.0
    assert dunnett([1, 2], MaxT(np.eye(3), INFINITE), 0.95) == pytest.approx(2.21, abs=0.01)


def test_systems_that_never_differ():
    equal = np.ones((3, 3))
    assert t_statistics(np.zeros(3), equal).tolist() == np.zeros((3, 3)).tolist()
    above = np.triu_indices(3, 1)
    assert step_down(np.zeros((3, 3)), MaxT(equal, 10), 0.95).p_values[above].tolist() == [1, 1, 1]
    assert dunnett([1, 2], MaxT(equal, 10), 0.95) == 0
    # p-values of another test: no reference for them, so Bonferroni's correction
    found = step_down(apart(6.0, 6.0), MaxT(equal, 10), 0.95).p_values[above]
    assert found == pytest.approx([3 * 2 * t_tail(6, 10)] * 2 + [1])
    pair = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # the first two are the same
    statistics = t_statistics(np.array([3.0, 3.0, 0.0]), pair)
    found = step_down(statistics, MaxT(pair, 50), 0.95).p_values[above]
    assert found == pytest.approx([1, *[2 * t_tail(3 / 2**0.5, 50)] * 2], rel=0.01)
    assert np.isnan(many_to_one_p_values(np.zeros(1), 0, MaxT(np.eye(1), 10))).all()


def test_one_sided_tests_of_what_is_below():
    """Three differences of -1: the largest is that large nearly always, but less surely than for -2."""
    reference = MaxT(np.eye(4), 40)
    near, far = (many_to_one_p_values(np.array([0.0, *[low] * 3]), 0, reference)[1] for low in (-1, -2))
    assert t_tail(-1.0, 40) < near < far < 1
    assert many_to_one_p_values(np.array([0.0, 2.19, 0, 0]), 0, reference)[1] == pytest.approx(
        0.044, abs=0.003
    )  # Dunnett (1955), one-sided, three comparisons, 40 degrees of freedom: 2.13 at 5 %


def test_a_radius_without_end_is_never_exceeded():
    """Cauchy's distribution has tails that a table cut at any radius would leave out."""
    found = Radii(1, 1.0).beyond(np.array([0.0, 2.0, 1e4, np.inf]))
    assert found[:3] == pytest.approx([1, *(2 * t_tail(np.array([2.0, 1e4]), 1))], rel=1e-3)
    assert found[3] == 0


@pytest.mark.parametrize(("level", "table"), [(0.5, 1.000), (0.95, 12.706), (0.99, 63.657), (0.999, 636.619)])
def test_student_s_table_with_one_degree_of_freedom(level: float, table: float):
    assert dunnett([1], MaxT(np.eye(2), 1), level) == pytest.approx(table, rel=1e-3)


def test_a_critical_value_below_1():
    assert dunnett([1], MaxT(np.eye(2), 20), 0.5) == pytest.approx(0.687, abs=1e-3)


def test_positive_and_negative_statistics_side_by_side():
    """One difference each, so that the p-values are those of a plain t test."""
    reference = MaxT(np.eye(2), 20)
    seen = np.array([0.5, -1.0, 1.0, 0.0])
    largest = np.repeat(reference.differences(0, [1]), 4, axis=0)
    assert reference.p_values(largest, seen) == pytest.approx(t_tail(seen, 20), rel=1e-3)


def test_a_largest_difference_of_0_is_above_all_that_is_negative():
    reference = MaxT(np.eye(2), 20)
    assert reference.p_values(np.zeros((3, 8)), np.array([-1.0, 0.0, 1.0])).tolist() == [1, 1, 0]


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_units_do_not_matter_however_small_or_large(unit: float):
    covariance = unit**2 * np.array([[0.05, 0.01], [0.01, 0.06]])
    assert difference_errors(covariance) == pytest.approx(unit * np.array([[0, 0.3], [0.3, 0]]), rel=1e-12)
    reference = MaxT(unit**2 * np.eye(4), 20)
    assert dunnett([1, 2, 3], reference, 0.95) == pytest.approx(2.54, abs=0.02)


def test_systems_that_never_differ_have_no_errors_and_no_differences():
    made = np.cov(np.random.default_rng(2).normal(size=(4, 9)))
    twice = made[np.ix_([0, 1, 2, 3, 1], [0, 1, 2, 3, 1])]
    assert difference_errors(twice)[1, 4] == 0
    assert (MaxT(twice, 8).differences(1, [4]) == 0).all()
