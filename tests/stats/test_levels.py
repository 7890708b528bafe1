import numpy as np

from similitude.stats import Levels, Ordering, levels_by_row
from similitude.stats.levels import sum_of_members


def written(members: list) -> list:
    return [item if isinstance(item, int) else sorted(item.tolist()) for item in members]


def test_items_of_one_value_stand_together():
    tied, plain = levels_by_row(Ordering(np.array([[2.0, 1.0, 2.0, 0.0, 1.0], [5.0, 4.0, 3.0, 2.0, 1.0]])))
    assert written(tied.members) == [3, [1, 4], [0, 2]]
    assert written(plain.members) == [4, 3, 2, 1, 0]
    assert tied.of_item.tolist() == [2, 1, 2, 0, 1]
    assert [len(tie) for tie in tied.ties] == [2, 2]
    assert plain.ties == []


def test_reversed_is_the_same_from_the_other_end():
    (levels,) = levels_by_row(Ordering(np.array([2.0, 1.0, 2.0, 0.0, 1.0])))
    assert written(levels.reversed().members) == [[0, 2], [1, 4], 3]
    assert written(levels.reversed().reversed().members) == written(levels.members)


def test_all_tied_and_alone():
    (levels,) = levels_by_row(Ordering(np.ones(3)))
    assert written(levels.members) == [[0, 1, 2]]
    (levels,) = levels_by_row(Ordering(np.ones(1)))
    assert levels.members == [0]


def test_rows_of_a_level_add_up():
    rows = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    assert sum_of_members(rows, 1).tolist() == [2, 20]
    assert sum_of_members(rows, np.array([0, 2])).tolist() == [4, 40]


def test_levels_of_one_row():
    levels = Levels.of(np.array([2.0, 1.0, 2.0, 0.0]))
    assert levels.of_item.tolist() == [2, 1, 2, 0]
    assert levels.starts.tolist() == [0, 1, 2]
    assert levels.sizes.tolist() == [1, 1, 2]
    assert Levels.of(np.array([7])).of_item.tolist() == [0]


def test_middles_are_ranks_minus_one_half():
    # ranks 3.5 2 3.5 1
    assert Levels.of(np.array([2.0, 1.0, 2.0, 0.0])).middles().tolist() == [3, 1.5, 3, 0.5]


def test_sums_above_count_half_of_the_own_level():
    found = Levels.of(np.array([2.0, 1.0, 2.0, 0.0])).sums_above(np.array([1.0, 10.0, 100.0, 1000.0]))
    assert found.tolist() == [50.5, 106, 50.5, 611]
