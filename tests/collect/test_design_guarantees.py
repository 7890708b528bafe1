import numpy as np
import pytest

from similitude.collect.design import check_tuples


def check(rows, items, groups=None):
    return check_tuples(np.array(rows), items, None if groups is None else np.array(groups))


def test_everything_is_counted_from_the_tuples():
    # Pairs: 01 twice; 02, 12, 03, 13 once; 23 never: 6 meetings over 6 pairs.
    found = check([[0, 1, 2], [1, 0, 3]], 4)
    assert (found.appearances_min, found.appearances_max) == (1, 2)
    assert (found.together_min, found.together_max, found.together_mean) == (0, 2, 1.0)
    assert (found.pairs_above, found.pairs_below) == (1, 1)
    assert found.hold
    assert not found.pairs_are_level


@pytest.mark.parametrize(
    ("rows", "items", "words"),
    [
        ([[0, 1, 2], [2, 0, 1]], 3, "1 OF THEM REPEATED"),
        ([[0, 1, 1], [0, 1, 2]], 3, "an item twice IN 1"),
        ([[0, 1], [2, 3]], 4, "fall into 2 parts instead of one, since 2 pairs connect at most 2 x 1 + 1 = 3 items"),
        ([[0, 1], [0, 2], [0, 3]], 4, "every item in 1 to 3 tuples"),
    ],
)
def test_what_does_not_hold_is_said(rows, items, words):
    found = check(rows, items)
    assert words in str(found)
    assert found.hold == ("parts" in words)


def test_an_item_in_no_tuple_breaks_the_guarantee():
    found = check([[0, 1]], 3)
    assert found.appearances_min == 0
    assert not found.hold


def test_groups_are_measured_each_by_itself():
    # Two groups of three: two of the pairs of 0, 1, 2 and all three of 3, 4, 5.
    found = check([[0, 1], [1, 2], [3, 4], [4, 5], [5, 3]], 6, [0, 0, 0, 1, 1, 1])
    assert (found.appearances_min, found.appearances_max, found.appearances_differ_by) == (1, 2, 1)
    assert found.pairs == 6
    assert (found.ideal_min, found.ideal_max) == (pytest.approx(2 / 3), 1.0)
    assert found.is_connected
    assert "the items of each group are connected" in str(found)


def test_naming_and_order_do_not_matter():
    rng = np.random.default_rng(0)
    tuples = np.array([[0, 1, 2], [1, 2, 3], [0, 3, 4], [2, 4, 1]])
    renamed = rng.permutation(5)[rng.permuted(rng.permutation(tuples), axis=1)]
    assert check_tuples(tuples, 5) == check_tuples(renamed, 5)
