import numpy as np
import pytest

from similitude.stats import bootstrap_p_value, holm, resampled_p_value


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
