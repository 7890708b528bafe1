"""Simultaneous inference: critical values against published tables, and what must hold for any covariance."""

import numpy as np
import pytest

from similitude.stats import (
    MaxT,
    best_p_values,
    best_step_values,
    many_to_one_critical_value,
    many_to_one_p_values,
    many_to_one_step_values,
    t_statistics,
    t_tail,
)
from similitude.stats.max_t import Radii, difference_errors

INFINITE = np.inf


@pytest.mark.parametrize(
    ("others", "freedom", "table"),
    # Dunnett (1955, 1964), two-sided, 5 %, equal group sizes
    [(1, 20, 2.09), (2, 20, 2.38), (3, 20, 2.54), (9, 20, 2.95), (3, 10, 2.76), (2, 5, 3.03), (9, INFINITE, 2.69)],
)
def test_dunnett_s_table(others, freedom, table):
    found = many_to_one_critical_value(0, list(range(1, others + 1)), MaxT(np.eye(others + 1), freedom), 0.95)
    assert found == pytest.approx(table, abs=0.02)


def test_dunnett_s_table_at_1_percent():
    assert many_to_one_critical_value(0, [1, 2, 3], MaxT(np.eye(4), 20), 0.99) == pytest.approx(3.29, abs=0.02)


@pytest.mark.parametrize(
    ("systems", "freedom", "table"),
    # Tukey's studentised range, 5 %
    [(2, 20, 2.95), (3, 20, 3.58), (5, 10, 4.65), (10, 20, 5.01), (20, INFINITE, 5.01)],
)
def test_tukey_s_table(systems, freedom, table):
    """With equal systems the first step of the confidence set is Tukey's range test."""
    reference = MaxT(np.eye(systems), freedom)
    statistics = np.zeros((systems, systems))
    statistics[0, 1], statistics[1, 0] = table / 2**0.5, -table / 2**0.5
    assert best_p_values(statistics, reference)[1] == pytest.approx(0.05, abs=0.002)
    if systems > 2:
        steps = best_step_values(statistics, list(range(systems)), reference, 0.95)
        assert steps[1] * 2**0.5 == pytest.approx(table, abs=0.06)


def test_two_systems_are_an_exact_t_test():
    covariance = np.array([[0.04, 0.01], [0.01, 0.09]])
    statistics = t_statistics(np.array([0.9, 0.3]), covariance)
    assert statistics[0, 1] == pytest.approx(0.6 / 0.11**0.5)
    exact = 2 * t_tail(0.6 / 0.11**0.5, 12)
    assert best_p_values(statistics, MaxT(covariance, 12)) == pytest.approx([1, exact], rel=1e-4)
    assert many_to_one_p_values(statistics[:, 0], 0, MaxT(covariance, 12))[1] == pytest.approx(exact, rel=1e-4)
    signed = (statistics[1, 0], 0.0, statistics[0, 1])
    one_sided = [many_to_one_p_values(np.array([0, t]), 0, MaxT(covariance, 12), sides="one")[1] for t in signed]
    assert one_sided == pytest.approx([1 - exact / 2, 0.5, exact / 2], rel=1e-3)


def test_small_p_values_are_not_cut_off():
    reference = MaxT(np.eye(4), INFINITE)
    found = many_to_one_p_values(np.array([0.0, 8.0, 0.1, 0.1]), 0, reference)[1]
    single = 2 * t_tail(8.0, INFINITE)  # 1.2e-15
    assert 2 * single < found < 3.05 * single


def test_step_down_counts_only_what_is_not_yet_decided():
    """The last of three comparisons is a plain t test, the first Dunnett's with three, the one between with two."""
    reference = MaxT(np.eye(4), 20)
    found = many_to_one_p_values(np.array([0.0, 6.0, -2.38, 2.2]), 0, reference)
    assert found[2] == pytest.approx(0.05, abs=0.003)  # 2.38 is the value of the table for two
    last = many_to_one_p_values(np.array([0.0, 6.0, -5.0, 2.2]), 0, reference)[3]
    assert last == pytest.approx(2 * t_tail(2.2, 20), rel=0.02)
    assert np.isnan(found[0])


def test_p_values_never_fall_below_those_of_clearer_differences():
    found = many_to_one_p_values(np.array([0.0, 1.5, 1.49, 1.48]), 0, MaxT(np.eye(4), 30))
    assert found[1] <= found[2] <= found[3]
    # the largest of three is as large in 30 % of cases; 1.48 alone in 15 %
    assert found[3] == pytest.approx(found[1], abs=1e-12)


def test_step_values_are_those_of_the_table():
    reference, statistics = MaxT(np.eye(4), 20), np.array([0.0, 9.0, 1.5, 1.0])
    found = many_to_one_step_values(statistics, 0, [1, 2, 3], reference, 0.95)
    assert [found[row] for row in (1, 2, 3)] == pytest.approx([2.54, 2.38, 2.09], abs=0.04)
    assert list(many_to_one_step_values(statistics, 0, [3], reference, 0.95)) == [3]


def test_bystanders_that_are_clearly_worse_do_not_matter_for_the_best():
    """Two systems 2.2 standard errors apart are told apart alone, and among 18 that are far behind."""
    rng = np.random.default_rng(0)
    values = np.array([2.2 * 2**0.5, 0.0, *(-30 - rng.random(18))])
    alone = best_p_values(t_statistics(values[:2], np.eye(2)), MaxT(np.eye(2), 200))
    among = best_p_values(t_statistics(values, np.eye(20)), MaxT(np.eye(20), 200))
    assert alone[1] == pytest.approx(2 * t_tail(2.2, 200), rel=1e-4)
    assert among[1] == pytest.approx(alone[1], rel=0.05)
    assert (among[2:] <= among[1]).all()


def test_correlated_errors_count():
    """If the errors of two systems are nearly the same, comparing both with a third is nearly one comparison."""
    near = np.eye(3)
    near[1, 2] = near[2, 1] = 0.999
    found = many_to_one_critical_value(0, [1, 2], MaxT(near, INFINITE), 0.95)
    assert 1.96 < found < 2.0
    assert many_to_one_critical_value(0, [1, 2], MaxT(np.eye(3), INFINITE), 0.95) == pytest.approx(2.21, abs=0.01)


def test_scale_and_order_of_systems_do_not_matter():
    rng = np.random.default_rng(1)
    made = rng.normal(size=(5, 30))
    covariance, values, order = np.cov(made) / 30, made.mean(axis=1), np.array([3, 1, 4, 0, 2])
    first = best_p_values(t_statistics(values, covariance), MaxT(covariance, 29))
    scaled = best_p_values(t_statistics(100 * values, 1e4 * covariance), MaxT(1e4 * covariance, 29))
    moved = covariance[np.ix_(order, order)]
    shuffled = best_p_values(t_statistics(values[order], moved), MaxT(moved, 29))
    assert scaled == pytest.approx(first, abs=1e-9)
    assert shuffled == pytest.approx(first[order], abs=0.01)


def test_systems_that_never_differ():
    equal = np.ones((3, 3))
    assert t_statistics(np.zeros(3), equal).tolist() == np.zeros((3, 3)).tolist()
    assert best_p_values(np.zeros((3, 3)), MaxT(equal, 10)).tolist() == [1, 1, 1]
    assert many_to_one_critical_value(0, [1, 2], MaxT(equal, 10), 0.95) == 0
    apart = np.array([[0.0, 6.0, 6.0], [-6.0, 0.0, 0.0], [-6.0, 0.0, 0.0]])  # from p-values of another test
    expected = [1, 3 * 2 * t_tail(6, 10), 3 * 2 * t_tail(6, 10)]
    assert best_p_values(apart, MaxT(equal, 10)) == pytest.approx(expected)
    pair = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # the first two are the same
    statistics = t_statistics(np.array([3.0, 3.0, 0.0]), pair)
    found = best_p_values(statistics, MaxT(pair, 50))
    assert found[0] == found[1] == 1
    assert found[2] == pytest.approx(2 * t_tail(3 / 2**0.5, 50), rel=0.01)
    assert np.isnan(many_to_one_p_values(np.zeros(1), 0, MaxT(np.eye(1), 10))).all()


def test_one_sided_tests_of_what_is_below():
    """Three differences of -1: the largest is that large nearly always, but less surely than for -2."""
    reference = MaxT(np.eye(4), 40)
    near, far = (many_to_one_p_values(np.array([0.0, *[low] * 3]), 0, reference, sides="one")[1] for low in (-1, -2))
    assert t_tail(-1.0, 40) < near < far < 1
    assert many_to_one_p_values(np.array([0.0, 2.19, 0, 0]), 0, reference, sides="one")[1] == pytest.approx(
        0.044, abs=0.003
    )  # Dunnett (1955), one-sided, three comparisons, 40 degrees of freedom: 2.13 at 5 %


def test_a_radius_without_end_is_never_exceeded():
    """Cauchy's distribution has tails that a table cut at any radius would leave out."""
    found = Radii(1, 1.0).beyond(np.array([0.0, 2.0, 1e4, np.inf]))
    assert found[:3] == pytest.approx([1, *(2 * t_tail(np.array([2.0, 1e4]), 1))], rel=1e-3)
    assert found[3] == 0


@pytest.mark.parametrize(("level", "table"), [(0.5, 1.000), (0.95, 12.706), (0.99, 63.657), (0.999, 636.619)])
def test_student_s_table_with_one_degree_of_freedom(level: float, table: float):
    assert many_to_one_critical_value(0, [1], MaxT(np.eye(2), 1), level) == pytest.approx(table, rel=1e-3)


def test_a_critical_value_below_1():
    assert many_to_one_critical_value(0, [1], MaxT(np.eye(2), 20), 0.5) == pytest.approx(0.687, abs=1e-3)


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
    assert many_to_one_critical_value(0, [1, 2, 3], reference, 0.95) == pytest.approx(2.54, abs=0.02)


def test_systems_that_never_differ_have_no_errors_and_no_differences():
    made = np.cov(np.random.default_rng(2).normal(size=(4, 9)))
    twice = made[np.ix_([0, 1, 2, 3, 1], [0, 1, 2, 3, 1])]
    assert difference_errors(twice)[1, 4] == 0
    assert (MaxT(twice, 8).differences(1, [4]) == 0).all()


def test_each_step_is_that_of_the_systems_that_are_left():
    """The last two of three are nearly the same system: once the first is decided, one comparison is left."""
    near = np.eye(4)
    near[2, 3] = near[3, 2] = 0.999
    found = many_to_one_p_values(np.array([0.0, 9.0, 1.96, 1.9]), 0, MaxT(near, INFINITE))
    assert found[2] == pytest.approx(0.05, abs=0.004)  # 0.09 for two that are independent
    middle = many_to_one_p_values(np.array([0.0, 1.96, 9.0, 1.9]), 0, MaxT(near, INFINITE))
    assert middle[1] == pytest.approx(0.09, abs=0.005)


def test_systems_that_are_equally_clear_come_in_their_order():
    reference, others = MaxT(np.eye(31), 20, directions=64), list(range(1, 31))
    found = many_to_one_step_values(np.array([0.0, *[1.0, -2.0] * 15]), 0, others, reference, 0.9)
    assert list(found) == [*range(2, 31, 2), *range(1, 31, 2)]
