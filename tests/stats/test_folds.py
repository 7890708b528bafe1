"""Folds that keep the classes apart."""

import numpy as np
import pytest

from similitude.stats.folds import stratified_folds


@pytest.mark.parametrize("sizes", [(1, 2), (2, 1), (1, 4, 1), (3, 3)])
def test_folds_of_equal_size_although_classes_do_not_divide(sizes: tuple[int, ...]):
    classes = np.repeat(np.arange(len(sizes)), sizes)
    folds = stratified_folds(classes, 3, np.random.default_rng(1))
    np.testing.assert_array_equal(np.bincount(folds, minlength=3), [sum(sizes) // 3] * 3)


def test_each_class_is_spread_within_one():
    classes = np.random.default_rng(2).permutation(np.repeat([0, 4, 7], [11, 5, 7]))
    folds = stratified_folds(classes, 4, np.random.default_rng(1))
    for name in (0, 4, 7):
        counts = np.bincount(folds[classes == name], minlength=4)
        assert counts.max() - counts.min() == 1


def test_members_and_folds_are_drawn():
    """Of 300 draws of two members in two folds, about half put the first in fold 0; standard error 8.7."""
    first = [stratified_folds(np.array([0, 0]), 2, np.random.default_rng(seed))[0] for seed in range(300)]
    alone = [stratified_folds(np.array([0]), 2, np.random.default_rng(seed))[0] for seed in range(300)]
    assert 120 < sum(first) < 180
    assert 120 < sum(alone) < 180
