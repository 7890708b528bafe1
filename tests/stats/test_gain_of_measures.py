"""Cumulative gain without each item, against counting again."""

import numpy as np
import pytest

from similitude.stats.gain import (
    discounts,
    gains_by_rank_expected,
    gains_by_rank_stable,
    normalised_gain,
    normalised_gain_without_each,
    worth_of_places,
)
from similitude.stats.levels import Levels
from similitude.stats.ranks import Ordering
from similitude.stats.weighted_gain import weighted_normalised_gain


def test_worth_of_places_by_hand():
    assert worth_of_places(4, None, discounted=True) == pytest.approx(
        [0, 1, 2, 2 + 1 / np.log2(3), 2.5 + 1 / np.log2(3)]
    )
    assert worth_of_places(2, 5, discounted=False).tolist() == [0, 1, 2]
    assert worth_of_places(9, 4, discounted=False).tolist() == [0, 1, 2, 3, 4]
    assert worth_of_places(0, None, discounted=True).tolist() == [0]


def test_three_items_by_hand():
    # gains 3 2 1, ranked 2 3 1. Without 3: 2 + 1 of 2 + 1; without 2: 3 + 1 of 3 + 1; without 1: 2 + 3 of 3 + 2; the
    # first two places count 1. With one place: 2/2, 3/3, 2/3
    gains = np.array([3.0, 2.0, 1.0])
    ideal, row = (Levels(np.array(order), np.arange(3)) for order in ([0, 1, 2], [1, 0, 2]))
    assert normalised_gain_without_each(gains, [row], ideal, [2], discounted=True).tolist() == [[1, 1, 1]]
    found = normalised_gain_without_each(gains, [row], ideal, [1], discounted=False)
    assert found.tolist() == [pytest.approx([1, 1, 2 / 3])]
    both = normalised_gain_without_each(gains, [row], ideal, [1, 2], discounted=False)
    assert both.tolist() == [pytest.approx([1, 1, (2 / 3 + 1) / 2])]


@pytest.mark.parametrize("discounted", [True, False])
@pytest.mark.parametrize("cuts", [(None,), (1,), (5,), (3, 5, 10), (99,)])
@pytest.mark.parametrize("digits", [0, 1, 6])
def test_without_each_item_is_counting_again(discounted: bool, cuts, digits: int):
    rng = np.random.default_rng(0)
    gains = rng.uniform(0, 5, 30).round(digits)
    rows = [Levels.of((gains + rng.normal(0, 2, 30)).round(digits)).reversed() for _ in range(3)]
    ideal = Levels.of(gains).reversed()
    found = normalised_gain_without_each(gains, rows, ideal, cuts, discounted=discounted)
    again = weighted_normalised_gain(1 - np.eye(30), gains, rows, ideal, cuts, discounted=discounted)
    assert found == pytest.approx(again, abs=1e-12)


def test_without_gain_it_is_undefined():
    gains = np.array([1.0, 0.0, 0.0])
    levels = Levels.of(gains).reversed()
    assert np.isnan(normalised_gain_without_each(gains, [levels], levels, [2], discounted=True)[0]).tolist() == [
        1,
        0,
        0,
    ]


def test_discounts_leave_the_first_two_places():
    assert discounts(5) == pytest.approx([1, 1, 1 / np.log2(3), 1 / 2, 1 / np.log2(5)])
    assert discounts(1).tolist() == [1]


def test_gains_in_the_order_of_scores():
    # two rows; in the first the items with gains 3 and 5 are tied at the top and share 4
    gains, scores = np.array([3.0, 5.0, 1.0]), np.array([[2.0, 2.0, 1.0], [1.0, 2.0, 3.0]])
    assert gains_by_rank_expected(gains, Ordering(scores)).tolist() == [[4, 4, 1], [1, 5, 3]]
    assert gains_by_rank_stable(gains, scores).tolist() == [[3, 5, 1], [1, 5, 3]]
    assert gains_by_rank_expected(gains, Ordering(scores[1])).tolist() == [1, 5, 3]
    assert gains_by_rank_stable(gains, scores[0]).tolist() == [3, 5, 1]
    cube = np.stack([scores, scores[::-1]])
    assert gains_by_rank_expected(gains, Ordering(cube)).tolist()[1] == [[1, 5, 3], [4, 4, 1]]
    assert gains_by_rank_stable(gains, cube).tolist()[1] == [[1, 5, 3], [3, 5, 1]]


def test_normalised_gain_by_hand():
    # best 5 3 1: of the first two places (1 + 5) / (5 + 3); of all, 1 + 5 + 3/log2(3) of 5 + 3 + 1/log2(3)
    ranked, ideal = np.array([[1.0, 5.0, 3.0], [5.0, 3.0, 1.0]]), np.array([5.0, 3.0, 1.0])
    assert normalised_gain(ranked, ideal, 2, discounted=True) == pytest.approx([6 / 8, 1])
    third = 1 / np.log2(3)
    assert normalised_gain(ranked, ideal, 9, discounted=True) == pytest.approx([(6 + 3 * third) / (8 + third), 1])
    assert normalised_gain(ranked, ideal, 3, discounted=False) == pytest.approx([1, 1])
    assert normalised_gain(ranked, ideal, 1, discounted=True) == pytest.approx([1 / 5, 1])


def test_without_a_gain_above_0_there_is_no_share():
    ranked = np.array([[0.0, 0.0], [0.5, 0.0]])
    assert np.isnan(normalised_gain(ranked[0], ranked[0], 2, discounted=True))
    assert normalised_gain(ranked[1], ranked[1], 2, discounted=True) == 1
    assert np.isnan(normalised_gain(ranked, -ranked, 2, discounted=False)).all()


def test_a_best_gain_of_0_is_no_gain():
    assert np.isnan(normalised_gain(np.array([1.0]), np.array([0.0]), 1, discounted=False))


def test_stable_ties_keep_the_order_of_rows_however_many():
    gains = np.random.default_rng(0).permutation(100.0 * np.arange(1, 101))
    scores = np.arange(100) % 2
    expected = np.concatenate([gains[1::2], gains[::2]])
    assert gains_by_rank_stable(gains, scores.astype(float)).tolist() == expected.tolist()


def test_of_a_best_gain_of_0_even_a_loss_has_no_share():
    # Without the item of gain 1, the best first place is worth 0; the system puts the loss there.
    gains = np.array([1.0, 0.0, -1.0])
    ideal, row = Levels.of(gains).reversed(), Levels.of(gains)
    found = normalised_gain_without_each(gains, [row], ideal, [1], discounted=True)[0]
    np.testing.assert_array_equal(found, [np.nan, -1.0, 0.0])
