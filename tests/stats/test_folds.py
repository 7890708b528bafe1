"""Folds that keep the classes apart."""

from hashlib import blake2b

import numpy as np
import pytest

from similitude.stats.folds import grouped_folds, named_folds, stratified_folds


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


def test_groups_are_sorted_by_their_mean_whatever_their_size():
    """Means 1, 2, 3 and 4 of groups of 6, 1, 2 and 1: the first two share a run, and the last two."""
    groups = np.array([0] * 6 + [1] + [2] * 2 + [3])
    values, keys = groups + 1.0, groups.astype(np.uint64)
    assert grouped_folds(values, groups, keys, 2).tolist() == [0] * 6 + [1] + [0] * 2 + [1]
    assert grouped_folds(-values, groups, keys, 2).tolist() == [0] * 6 + [1] + [0] * 2 + [1]
    assert grouped_folds(values, groups, np.uint64(3) - keys, 2).tolist() == [1] * 6 + [0] + [1] * 2 + [0]


def test_names_are_dealt_by_their_hashes_as_whole_numbers():
    """Equal values: one run of all groups, in the order of the hashes, little end first."""
    names = [f"group {number}" for number in range(12)]
    hashes = [int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little") for name in names]
    order = sorted(range(12), key=hashes.__getitem__)
    assert named_folds(np.zeros(12), names, 12).tolist() == [order.index(number) for number in range(12)]
