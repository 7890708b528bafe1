from dataclasses import replace

import numpy as np
import pytest

from similitude.evaluate.comparison import Comparison
from similitude.evaluate.diagnostics import shared_disagreements, worst_disagreements

GOLD = np.array([0.0, 1.0, 2.0, 3.0, 4.0])


def compared(*predicted, off_scale=()) -> Comparison:
    whole = Comparison.of_scores(GOLD, np.array(predicted, dtype=float))
    return replace(whole, is_on_scale=np.array([row not in off_scale for row in range(len(predicted))]))


def test_the_farthest_come_first_whichever_side_they_lie_on():
    # gaps: +4, 0, -1, 0, -2
    (worst,) = worst_disagreements(compared([4, 1, 1, 3, 2]), top=2)
    assert [(found.position, found.gap) for found in worst] == [(0, 4), (4, -2)]
    assert (worst[0].gold, worst[0].predicted) == (0, 4)


def test_what_is_right_is_never_among_the_worst():
    assert worst_disagreements(compared(GOLD, np.array([0, 1, 2, 3, 5]))) == [[], [(4, 4, 5)]]


def test_ties_keep_the_order_of_items():
    (worst,) = worst_disagreements(compared(GOLD + 1), top=3)
    assert [found.position for found in worst] == [0, 1, 2]


def test_a_system_on_no_known_scale_has_no_distance_to_gold():
    found = worst_disagreements(compared(GOLD + 1, GOLD + 2, off_scale=[0]), top=1)
    assert [len(worst) for worst in found] == [0, 1]


def test_most_systems_must_be_wrong_for_an_item_to_be_hard():
    # item 0: distances 4, 0, 0 -> median 0; item 3: 1, 2, 2 -> median 2, two too low and one too high
    (found,) = shared_disagreements(compared([4, 1, 2, 4, 4], [0, 1, 2, 1, 4], [0, 1, 2, 1, 4.5]), top=3)
    assert found.position == 3
    assert (found.median_gap, found.too_high, found.too_low) == (2, 1, 2)
    assert found.predicted == (4, 1, 1)


def test_systems_off_the_scale_are_left_aside_but_keep_their_place():
    (found,) = shared_disagreements(compared(GOLD * 100, [0, 1, 2, 3, 3], off_scale=[0]))
    assert found.position == 4
    assert found.predicted == pytest.approx((np.nan, 3), nan_ok=True)
    assert shared_disagreements(compared(GOLD, off_scale=[0])) == []


def test_five_of_a_system_and_ten_of_all_without_a_word():
    gold = np.arange(20.0)
    far = Comparison.of_scores(gold, gold[None] + np.arange(20.0) - 30)
    (worst,) = worst_disagreements(far)
    assert [found.position for found in worst] == [0, 1, 2, 3, 4]
    assert [found.position for found in shared_disagreements(far)] == list(range(10))


def test_many_equal_distances_keep_the_order_of_items():
    gold = np.zeros(40)
    (worst,) = worst_disagreements(Comparison.of_scores(gold, np.where(np.arange(40) % 3 == 0, 0.5, -0.25)), top=40)
    assert [found.position for found in worst] == [*range(0, 40, 3), *(n for n in range(40) if n % 3)]
    assert worst[-1].gap == -0.25


def test_a_system_that_is_right_is_neither_above_nor_below():
    # item 2: distances 2, .5, 0, 2, 3 -> median 2, at places 4, 2.5, 2, 0, -1
    rows = [[0, 1, place, 3, 4] for place in (4, 2.5, 2, 0, -1)]
    (found,) = shared_disagreements(compared(*rows))
    assert (found.position, found.gold, found.median_gap) == (2, 2, 2)
    assert (found.too_high, found.too_low) == (2, 2)
