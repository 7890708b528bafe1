"""Confusion counts and what follows from them, by hand."""

import numpy as np
import pytest

from similitude.stats.classification import accuracy, confusion, f1, harmonic_mean, precision, recall, share

GOLD = np.array([1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0], dtype=bool)
SYSTEMS = np.array([[1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0], [0] * 11], dtype=bool)


def test_counts():
    # both 3, system alone 1, gold alone 2, neither 5; the second system never says yes
    counts = confusion(GOLD, SYSTEMS)
    assert np.array(counts).tolist() == [[3, 0], [1, 0], [2, 5], [5, 6]]


def test_figures():
    counts = confusion(GOLD, SYSTEMS)
    assert accuracy(counts) == pytest.approx([8 / 11, 6 / 11])
    assert precision(counts) == pytest.approx([3 / 4, np.nan], nan_ok=True)
    assert precision(counts, 0.0)[1] == 0
    assert recall(counts) == pytest.approx([3 / 5, 0])
    assert f1(counts) == pytest.approx([6 / 9, 0])


def test_nothing_to_find():
    counts = confusion(~GOLD & GOLD, SYSTEMS)
    assert np.isnan(recall(counts)).all()
    assert recall(counts, 0.5).tolist() == [0.5, 0.5]
    assert f1(counts) == pytest.approx([0, np.nan], nan_ok=True)
    assert f1(counts, 0.25).tolist() == [0, 0.25]


def test_shares_and_harmonic_means():
    assert share(np.array([1, 2]), np.array([4, 0])) == pytest.approx([0.25, np.nan], nan_ok=True)
    assert share(np.array([1.0, 2.0]), np.array(-4.0), 9.0).tolist() == [-0.25, -0.5]
    assert harmonic_mean(np.array([0.5, 1.0]), np.array([1.0, -1.0])) == pytest.approx([2 / 3, np.nan], nan_ok=True)
    assert harmonic_mean(np.array([0.2, -0.2]), np.array([0.3, -0.3])) == pytest.approx([0.24, -0.24])
    # 2ab / (a + b) would be 1.82 and -1.6
    apart = harmonic_mean(np.array([-0.28, -0.2]), np.array([0.214, 0.4]))
    assert np.isnan(apart).all()


def test_one_system_alone():
    assert [float(count) for count in confusion(GOLD, SYSTEMS[0])] == [3, 1, 2, 5]
    assert confusion(GOLD, np.stack([SYSTEMS, SYSTEMS[::-1]])).both.tolist() == [[3, 0], [0, 3]]
