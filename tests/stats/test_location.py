from itertools import product

import numpy as np
import pytest
from scipy import stats as scipy_stats

from similitude.stats.location import median, trimmed_mean


def test_the_error_of_a_median_is_that_of_all_resamples():
    # for an odd number of values Maritz-Jarrett is the exact bootstrap: here over all 27 resamples of three
    values = [1.0, 2.0, 6.0]
    medians = [np.median(drawn) for drawn in product(values, repeat=3)]
    assert median(np.array([values])).standard_error[0] == pytest.approx(np.std(medians), abs=1e-12)


def test_the_error_of_a_median_is_about_right():
    rows = np.random.default_rng(0).normal(size=(4000, 25))
    found = median(rows)
    assert found.standard_error.mean() == pytest.approx(found.value.std(), rel=0.05)


def test_medians_of_even_rows_lie_between_the_middle_two():
    assert median(np.array([[4.0, 1.0, 2.0, 9.0]])).value.tolist() == [3.0]


def test_trimmed_mean_by_hand():
    # 0 4 5 6 100, one cut at each end: mean 5; winsorised 4 4 5 6 6 has variance 4/4; 1 / ((1 - 2/5) sqrt 5)
    found = trimmed_mean(np.array([[5.0, 0.0, 100.0, 4.0, 6.0]]), 0.2)
    assert found.value[0] == 5.0
    assert found.standard_error[0] == pytest.approx(1 / (0.6 * np.sqrt(5)), abs=1e-12)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25, 0.4])
def test_trimmed_mean_agrees_with_scipy(share: float):
    rows = np.random.default_rng(1).normal(size=(5, 20))
    np.testing.assert_allclose(trimmed_mean(rows, share).value, scipy_stats.trim_mean(rows, share, axis=1))


def test_nothing_trimmed_is_the_mean_and_its_error():
    rows = np.random.default_rng(2).normal(size=(5, 8))
    found = trimmed_mean(rows, 0.1)
    np.testing.assert_allclose(found.value, rows.mean(axis=1))
    np.testing.assert_allclose(found.standard_error, rows.std(axis=1, ddof=1) / np.sqrt(8))


def test_one_value_has_no_error():
    for found in (median(np.array([[3.0]])), trimmed_mean(np.array([[3.0]]), 0.2)):
        assert found.value.tolist() == [3.0]
        assert np.isnan(found.standard_error).all()


def test_two_values_have_an_error():
    # Beta(1.5, 1.5) gives each half 1/2: the standard deviation of 1 and 3 with equal weights is 1
    assert median(np.array([[3.0, 1.0]])).standard_error.tolist() == [1.0]
    # nothing is cut of two; sd 1.4142 / sqrt 2
    assert trimmed_mean(np.array([[3.0, 1.0]]), 0.2).standard_error[0] == pytest.approx(1.0)


def test_a_share_that_is_a_whole_number_but_for_rounding_is_cut():
    # 0.29 * 100 is 28.999999999999996
    rows = np.arange(100.0)[None] ** 2
    np.testing.assert_allclose(trimmed_mean(rows, 0.29).value, rows[0, 29:71].mean())
