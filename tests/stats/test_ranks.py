"""Ranks and ties along the last axis."""

import numpy as np

from similitude.stats.ranks import Ordering, average_ranks, competition_ranks

VALUES = np.array([[3.0, 1.0, 3.0, 2.0], [5.0, 5.0, 5.0, 4.0]])


def test_ranks_of_each_row():
    np.testing.assert_array_equal(average_ranks(VALUES), [[3.5, 1, 3.5, 2], [3, 3, 3, 1]])
    np.testing.assert_array_equal(competition_ranks(VALUES), [[1, 4, 1, 3], [1, 1, 1, 4]])


def test_numbers_of_ties_continue_from_row_to_row():
    ordering = Ordering(VALUES)
    np.testing.assert_array_equal(ordering.tie, [[0, 1, 2, 2], [3, 4, 4, 4]])
    np.testing.assert_array_equal(ordering.tie_sizes, [1, 1, 2, 1, 3])


def test_means_of_ties():
    placed = np.array([[1.0, 2.0, 3.0, 5.0], [1.0, 2.0, 3.0, 7.0]])
    np.testing.assert_array_equal(Ordering(VALUES).averaged(placed), [[1, 2, 4, 4], [1, 4, 4, 4]])
    distinct = Ordering(np.array([2.0, 1.0]))
    np.testing.assert_array_equal(distinct.averaged(placed[0, :2]), [1, 2])


def test_counts_without_a_sign_have_ranks_as_in_tables():
    assert competition_ranks(np.array([1, 0, 2], dtype=np.uint8)).tolist() == [2, 3, 1]
