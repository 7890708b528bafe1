import numpy as np
import pytest

from similitude.errors import EstimationError
from similitude.training.gaussian_process.inducing_points import choose_inducing, usable_inducing


def test_points_lie_where_the_rows_do():
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.normal(centre, 0.1, (50, 2)) for centre in (0, 10, 20, 30)])
    chosen = choose_inducing(rows, 8, np.random.default_rng(1))
    nearest = np.sqrt(((rows[:, None] - chosen) ** 2).sum(axis=2)).min(axis=1)
    assert len(chosen) == 8
    assert nearest.max() < 1  # every cluster has a point


def test_the_order_and_number_of_equal_rows_do_not_matter():
    rows = np.random.default_rng(0).normal(size=(100, 3))
    plain = choose_inducing(rows, 10, np.random.default_rng(5))
    shuffled = np.random.default_rng(1).permutation(np.concatenate([rows, rows]))
    np.testing.assert_array_equal(choose_inducing(shuffled, 10, np.random.default_rng(5)), plain)


def test_with_as_many_points_as_rows_each_is_its_own():
    rows = np.random.default_rng(0).normal(size=(30, 3))
    chosen = choose_inducing(rows, 30, np.random.default_rng(0))
    np.testing.assert_array_equal(chosen, np.unique(rows, axis=0))


def test_no_cluster_is_left_empty():
    rows = np.concatenate([np.linspace(0, 0.001, 60), [100.0, 200.0, 300.0]])[:, None]
    for seed in range(5):
        chosen = choose_inducing(rows, 20, np.random.default_rng(seed))
        assert len(np.unique(chosen)) == 20
        assert np.isfinite(chosen).all()


def test_no_more_points_than_different_items_and_not_too_few_of_these():
    rows = np.random.default_rng(0).normal(size=(25, 2))
    assert usable_inducing(rows, 512) == 25
    assert usable_inducing(rows, 10) == 10
    assert usable_inducing(np.concatenate([rows] * 3), 512) == 25
    with pytest.raises(EstimationError, match="1 distinct items are too few for a Gaussian process; give 20 or more"):
        usable_inducing(np.ones((50, 2)), 512)
