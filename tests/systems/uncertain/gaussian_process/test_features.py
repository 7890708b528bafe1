"""Rows of features: by hand, the same whichever text comes first, and blind to the other items."""

import numpy as np
import pytest

from similitude.errors import ArgumentError
from similitude.systems.uncertain.gaussian_process.features import PairFeatures, fit_features


def vectors(items=60, width=10, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(2, items, width)).astype(np.float32)


def test_the_blocks_by_hand():
    # u = (3, 4), v = (4, 3) and u = v = (1, 0), all numbers kept. Of the first pair: u + v = (7, 7), |u - v| = (1, 1),
    # u * v = (12, 12), cosine 24/25; of the second (2, 0), (0, 0), (1, 0), 1. Two values of a number lie one standard
    # deviation on either side of their mean, and each number is divided by sqrt(width): rows are +-1/sqrt(2) and +-1.
    left, right = np.array([[3, 4], [1, 0]], np.float32), np.array([[4, 3], [1, 0]], np.float32)
    rows = fit_features(left, right, components=0).apply(left, right)
    half = np.sqrt(0.5)
    assert rows[0] == pytest.approx([half] * 6 + [-1])
    assert rows[1] == pytest.approx([-half] * 6 + [1])


def test_symmetric_rows_do_not_know_left_from_right():
    left, right = vectors()
    made = fit_features(left, right, components=4)
    np.testing.assert_array_equal(made.apply(left, right), made.apply(right, left))
    paper = fit_features(left, right, kind="paper", components=0)
    assert not np.allclose(paper.apply(left, right), paper.apply(right, left))


def test_components_keep_the_most_of_the_variance():
    rng = np.random.default_rng(1)
    left = rng.normal(size=(400, 6)) * [10, 5, 0.1, 0.1, 0.1, 0.1]
    right = np.zeros_like(left)
    two, all_six = (fit_features(left, right, components=kept).apply(left, right) for kept in (2, 0))
    own = (left - left.mean(axis=0)) / np.sqrt(left.var(axis=0).sum())  # u + v = u: a block of total variance 1
    assert two[:, :2].var(axis=0).sum() == pytest.approx(1, abs=0.001)
    distances = [((rows[0] - rows[1]) ** 2).sum() for rows in (two[:, :2], own)]
    assert distances[0] == pytest.approx(distances[1], rel=0.01)
    assert all_six[:, :6].var(axis=0) == pytest.approx([1 / 6] * 6)


def test_numbers_that_never_change_count_for_nothing():
    left, right = vectors(width=4)
    left[:, 0] = right[:, 0] = 0.1
    for components in (0, 2):
        rows = fit_features(left, right, components=components).apply(left, right)
        assert np.isfinite(rows).all()
    assert np.ptp(fit_features(left, right, components=0).apply(left, right)[:, 0]) == 0


def test_a_row_does_not_depend_on_the_others():
    left, right = vectors(items=200)
    made = fit_features(left, right, components=4)
    whole = made.apply(left, right)
    for place in (0, 63, 64, 199):
        np.testing.assert_array_equal(made.apply(left[[place]], right[[place]])[0], whole[place])
    assert made.apply(left[:0], right[:0]).shape == (0, sum(made.widths))


def test_back_from_arrays():
    left, right = vectors()
    for kind in ("symmetric", "paper"):
        made = fit_features(left, right, kind=kind, components=3)
        again = PairFeatures.from_arrays(kind, made.arrays())
        np.testing.assert_array_equal(again.apply(left, right), made.apply(left, right))
        assert (again.widths, again.vector_width) == (made.widths, 10)


def test_vectors_of_another_length_are_refused():
    left, right = vectors()
    with pytest.raises(ArgumentError, match="vectors have 9 dimensions, not 10"):
        fit_features(left, right).apply(left[:, :9], right[:, :9])
