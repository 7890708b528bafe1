import numpy as np
import pytest
from scipy import stats as scipy_stats

from similitude.stats import bootstrap_p_value, holm, resampled_p_value
from similitude.stats.p_values import correlation_p_value, kruskal_wallis_p_value, p_value_text


def test_bootstrap_p_value_by_hand():
    # the observed difference is 2; of 2, 3, 5, -1 two lie at least 2 away from it: (2 + 1) / (4 + 1)
    assert bootstrap_p_value(np.array([2.0, 3.0, 5.0, -1.0]), 2.0) == 0.6


def test_which_system_is_named_first_does_not_matter():
    differences = np.random.default_rng(0).normal(0.3, 0.2, 999)
    assert bootstrap_p_value(differences, 0.3) == bootstrap_p_value(-differences, -0.3)


def test_nothing_observed_is_no_evidence():
    assert bootstrap_p_value(np.zeros(99), 0.0) == 1
    assert bootstrap_p_value(np.array([1e-16, -1e-16, 0.0]), 2e-16, rounding=1e-12) == 1


def test_a_p_value_is_never_0():
    assert bootstrap_p_value(np.full(99, 5.0), 5.0) == 0.01
    assert resampled_p_value(0, 99) == 0.01
    assert resampled_p_value(99, 99) == 1


def test_holm_by_hand():
    # sorted .01 .02 .03 .04 times 4 3 2 1: .04 .06 .06 .04, and the last may not fall below .06
    assert holm(np.array([0.04, 0.01, 0.03, 0.02])) == pytest.approx([0.06, 0.04, 0.06, 0.06])


def test_holm_stops_at_1():
    assert holm(np.array([0.5, 0.9])).tolist() == [1.0, 1.0]


def test_holm_does_not_count_what_is_unknown():
    assert holm(np.array([np.nan, 0.01, 0.03])) == pytest.approx([np.nan, 0.02, 0.03], nan_ok=True)
    assert np.isnan(holm(np.full(3, np.nan))).all()
    assert holm(np.empty(0)).size == 0


def test_holm_row_by_row():
    rows = np.array([[0.01, 0.04], [0.2, 0.1]])
    assert holm(rows) == pytest.approx(np.array([[0.02, 0.04], [0.2, 0.2]]))


def test_holm_keeps_order_and_never_makes_smaller():
    p_values = np.random.default_rng(1).uniform(size=45)
    corrected = holm(p_values)
    assert (corrected >= p_values).all()
    assert (np.diff(corrected[np.argsort(p_values)]) >= 0).all()


def test_without_a_word_no_rounding_is_allowed_for():
    assert bootstrap_p_value(np.array([1.0, 1.9]), 1.0) == pytest.approx(1 / 3)


def test_correlations_of_three_pairs_have_a_p_value():
    """With one degree of freedom, t is a Cauchy: p = 1 - 2/pi arcsin(r) for three pairs."""
    assert correlation_p_value(0.5, 3) == pytest.approx(1 - 2 / np.pi * np.arcsin(0.5))
    assert correlation_p_value(-0.5, 3) == correlation_p_value(0.5, 3)
    assert correlation_p_value(0.99, 2) == 1.0
    assert correlation_p_value(1.0000000000000002, 9) == 0.0


def test_kruskal_wallis_agrees_with_scipy():
    """Classes 0, 2, 3 and 5 occur, one of them once."""
    classes, values = np.array([0, 0, 2, 2, 2, 3, 5, 5]), np.array([1.0, 4.0, 4.0, 6.0, 9.0, 2.0, 8.0, 8.0])
    expected = scipy_stats.kruskal(*(values[classes == name] for name in (0, 2, 3, 5))).pvalue
    assert kruskal_wallis_p_value(classes, scipy_stats.rankdata(values)) == pytest.approx(expected)


def test_kruskal_wallis_without_anything_to_compare():
    assert kruskal_wallis_p_value(np.array([3, 3, 3]), np.array([1.0, 2.0, 3.0])) == 1.0
    assert kruskal_wallis_p_value(np.array([0, 1, 1]), np.array([2.0, 2.0, 2.0])) == 1.0
    # squares of 0.5 and 1.5 around 1 add up to 1/2; a total of 1 is a total as any other
    assert kruskal_wallis_p_value(np.array([0, 1, 2, 2]), np.array([1.0, 2.0, 1.5, 1.5]) * np.sqrt(2)) < 1


def test_holm_by_hand_with_a_gap():
    rows = np.array([[0.01, 0.04, 0.03], [0.5, np.nan, 0.6], [1, 0, 1]])
    np.testing.assert_allclose(holm(rows), [[0.03, 0.06, 0.06], [1.0, np.nan, 1.0], [1, 0, 1]])
    assert holm([1, 0]).dtype == np.float64


@pytest.mark.parametrize(("p", "text"), [(0.00099, "<.001"), (0.001, "0.001"), (0.05, "0.050"), (1.0, "1.000")])
def test_p_values_are_written_with_three_decimals(p, text):
    assert p_value_text(p) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1 / 2001, "<= 0.0005"),
        (2 / 201, "<= 0.01"),
        (0.07, "<= 0.07"),
        (0.0701, "<= 0.071"),
        (0.5, "<= 0.5"),
        (1.0, "1.000"),
    ],
)
def test_the_smallest_p_value_that_resamples_allow_is_rounded_up_to_two_digits(p, text):
    """1/2001 = 0.00049975 and 2/201 = 0.00995; 0.07 * 1000 is 70.00000000000001, which is still 70."""
    assert p_value_text(p, is_floor=True) == text
