"""Confusion counts and the shares of them, counted by hand."""

import numpy as np
import pytest

from similitude.stats import classification

# 9 items: 2 yes on both sides, 1 yes of the system alone, 2 of gold alone, 4 of neither.
GOLD = np.array([1, 1, 1, 1, 0, 0, 0, 0, 0], dtype=bool)
SYSTEMS = np.array([[1, 1, 0, 0, 1, 0, 0, 0, 0], [0] * 9, [1] * 9], dtype=bool)


@pytest.fixture
def counts() -> classification.Confusion:
    return classification.confusion(GOLD, SYSTEMS)


def test_counts_of_each_system(counts: classification.Confusion):
    np.testing.assert_array_equal(counts, [[2, 0, 4], [1, 0, 5], [2, 4, 0], [4, 5, 0]])


def test_shares_of_each_system(counts: classification.Confusion):
    np.testing.assert_allclose(classification.accuracy(counts), [6 / 9, 5 / 9, 4 / 9])
    np.testing.assert_allclose(classification.precision(counts), [2 / 3, np.nan, 4 / 9])
    np.testing.assert_allclose(classification.precision(counts, when_empty=0.0), [2 / 3, 0, 4 / 9])
    np.testing.assert_allclose(classification.recall(counts), [2 / 4, 0, 1])
    np.testing.assert_allclose(classification.f1(counts), [4 / 7, 0, 8 / 13])


def test_without_any_yes():
    nobody = classification.confusion(np.zeros(3, dtype=bool), np.zeros(3, dtype=bool))
    assert classification.accuracy(nobody) == 1
    assert np.isnan(classification.recall(nobody))
    assert np.isnan(classification.f1(nobody))
    assert classification.recall(nobody, 0.25) == 0.25
    assert classification.f1(nobody, 0.25) == 0.25
    assert np.isnan(classification.accuracy(classification.confusion(np.zeros(0, bool), np.zeros(0, bool))))


def test_a_share_of_a_negative_whole_is_a_number():
    np.testing.assert_array_equal(
        classification.share(np.array([1.0, 1.0, 1.0]), np.array([-2.0, 0.0, 0.5])), [-0.5, np.nan, 2.0]
    )


def test_rows_of_gold_are_counted_one_by_one():
    counts = classification.confusion(np.array([GOLD, ~GOLD]), SYSTEMS[0])
    np.testing.assert_array_equal(counts, [[2, 1], [1, 2], [2, 4], [4, 2]])


def test_single_precision_is_divided_in_double():
    single = classification.share(np.array([1.0], dtype=np.float32), np.array([3.0], dtype=np.float32))
    assert single.tolist() == [1 / 3]
