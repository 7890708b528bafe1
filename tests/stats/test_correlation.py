import numpy as np
import pytest

from similitude.stats import kendall, pearson, spearman
from similitude.stats.correlation import is_constant


def test_nothing_has_no_correlation():
    for correlate in (pearson, spearman):
        found = correlate(np.empty(0), np.empty((3, 0)))
        assert found.shape == (3,)
        assert np.isnan(found).all()


def test_rows_are_correlated_one_by_one():
    """r of 1, 2, 3 with 1, 3, 2 is 1/2: products of deviations -1 * -1 + 0 * 1 + 1 * 0, over sqrt(2 * 2)."""
    x = np.array([1, 2, 3])
    rows = np.array([[10, 30, 20], [700, 800, 900], [3, 2, 1]])
    np.testing.assert_allclose(pearson(x, rows), [0.5, 1, -1])
    np.testing.assert_allclose(spearman(x, rows), [0.5, 1, -1])
    np.testing.assert_allclose(kendall(x, rows), [1 / 3, 1, -1])


def test_a_constant_has_no_correlation_whatever_rounding_leaves():
    rows = np.array([[0.1, 0.1, 0.1], [0.1, 0.2, 0.4]])
    assert is_constant(rows).tolist() == [True, False]
    assert is_constant(np.array([[1.0, 2.0], [2.0, 1.0], [2.0, 2.0], [3.0, 3.0]])).tolist() == [
        False,
        False,
        True,
        True,
    ]
    for correlate in (pearson, spearman, kendall):
        assert np.isnan(correlate(rows[1], rows)).tolist() == [True, False]
        assert np.isnan(correlate(rows, rows[1])).tolist() == [True, False]


def test_correlations_stay_within_their_range():
    """With rounding alone, some of these would be 1.0000000000000002."""
    rows = np.random.default_rng(0).normal(size=(500, 7))
    found = np.concatenate([pearson(rows, 3 * rows + 0.1), -pearson(rows, -0.7 * rows)])
    assert found.max() == 1.0
    np.testing.assert_allclose(found, 1.0, rtol=1e-12)


def test_one_pair_has_no_tau():
    assert np.isnan(kendall(np.array([[1.0]]), np.array([[2.0]]))).tolist() == [True]
    assert kendall(np.array([1.0, 2.0]), np.array([[[2.0, 1.0]]])).tolist() == [[-1.0]]


def test_nothing_in_many_rows_has_their_shape():
    assert pearson(np.empty(0), np.empty((2, 3, 0))).shape == (2, 3)


def test_single_precision_is_correlated_in_double():
    x, y = np.random.default_rng(0).normal(size=(2, 50)).astype(np.float32)
    assert pearson(x, y).dtype == np.float64
    assert abs(pearson(x, y) - np.corrcoef(x.astype(np.float64), y.astype(np.float64))[0, 1]) < 1e-14


@pytest.mark.parametrize("factor", [1e160, 1e300, 1e-160, 1e-300, 1e-310])
def test_squares_beyond_the_range_of_floating_point_do_not_spoil_a_correlation(factor):
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([[1.0, 3.0, 2.0, 4.0], [4.0, 3.0, 2.0, 1.0]])
    assert pearson(x, y * factor) == pytest.approx([0.8, -1.0])  # 1 - 6 * 2 / (4 * 15)
    assert np.isnan(pearson(x, np.full(4, factor)))
