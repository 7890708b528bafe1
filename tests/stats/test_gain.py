"""Cumulative gain without each item, against counting again."""

import numpy as np
import pytest

from similitude.stats.gain import normalised_gain_without_each, worth_of_places
from similitude.stats.levels import Levels
from similitude.stats.weighted_gain import weighted_normalised_gain


def test_worth_of_places_by_hand():
    assert worth_of_places(4, None, discounted=True) == pytest.approx(
        [0, 1, 2, 2 + 1 / np.log2(3), 2.5 + 1 / np.log2(3)]
    )
    assert worth_of_places(2, 5, discounted=False).tolist() == [0, 1, 2]
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
