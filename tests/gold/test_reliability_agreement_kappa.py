import json
from pathlib import Path

import numpy as np
import pytest

from similitude.errors import ArgumentError
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.kappa import fleiss_kappa, fleiss_kappa_of_table

REFERENCE = Path(__file__).parents[1] / "reference" / "agreement.json"
NAN = np.nan


def by_definition(table) -> float:
    number = table.sum(axis=1)
    agreeing = ((table * (table - 1)).sum(axis=1) / (number * (number - 1))).mean()
    chance = ((table.sum(axis=0) / table.sum()) ** 2).sum()
    return (agreeing - chance) / (1 - chance)


def test_worked_example():
    for case in json.loads(REFERENCE.read_text(encoding="utf-8"))["fleiss"]:
        found = fleiss_kappa_of_table(np.array(case["table"]), resampling=NO_INTERVALS)
        assert found.value == pytest.approx(case["kappa"], abs=1e-12)


def test_hand_derived_value():
    # Items {1, 1}, {2, 2}, {2, 1}, {1, 1}: P = 3/4; shares 5/8 and 3/8, Pe = 34/64; (48 - 34) / (64 - 34) = 14/30.
    assert fleiss_kappa(np.array([[1.0, 2, 2, 1], [1, 2, 1, 1]]), resampling=NO_INTERVALS).value == pytest.approx(
        14 / 30
    )


def test_unequal_numbers_of_raters():
    # {1, 1, 2} agrees in 1 of 3 pairs, {1, 1} in 1 of 1, {2, 2} in 1 of 1: P = 7/9. Label 1 has the shares 2/3, 1, 0
    # and, of the item with one rating, 0, so p = 5/12 and Pe = (25 + 49) / 144; kappa = (112 - 74) / (144 - 74).
    values = np.array([[1, 1, 2, 2], [1, 1, 2, NAN], [2, NAN, NAN, NAN]])
    assert fleiss_kappa(values, resampling=NO_INTERVALS).value == pytest.approx(38 / 70, abs=1e-14)


def test_table_and_labels_agree_whatever_the_labels_are_called():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 4, (5, 30)).astype(float)
    table = np.stack([(values == label).sum(axis=0) for label in range(4)], axis=1)
    one, other = fleiss_kappa(values * -2.5 + 1), fleiss_kappa_of_table(table)
    assert one[:3] == pytest.approx(other[:3], abs=1e-12)
    assert other.value == pytest.approx(by_definition(table), abs=1e-14)


def test_the_interval_is_symmetric_on_fishers_scale_and_wider_at_a_higher_level():
    table = np.random.default_rng(1).multinomial(6, [0.5, 0.3, 0.2], 12)
    found, wide = (fleiss_kappa_of_table(table, resampling=Resampling(level=level)) for level in (0.9, 0.99))
    assert np.arctanh(found.low) + np.arctanh(found.high) == pytest.approx(2 * np.arctanh(found.value))
    assert wide.low < found.low < found.high < wide.high


def test_random_labels_give_zero_and_equal_ones_one():
    rng = np.random.default_rng(0)
    assert fleiss_kappa(rng.integers(0, 5, (3, 20_000)).astype(float), resampling=NO_INTERVALS).value == pytest.approx(
        0, abs=0.01
    )
    assert fleiss_kappa(
        np.tile(rng.integers(0, 5, 20), (3, 1)).astype(float), resampling=NO_INTERVALS
    ).value == pytest.approx(1)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([[1, 0], [0, 1]], "no item has two answers"),
        ([[2, 1], [0, 1]], "only one item has two answers"),
        ([[2, 0], [3, 0]], "all answers are the same"),
    ],
)
def test_undefined_says_why(table, why):
    found = fleiss_kappa_of_table(np.array(table))
    assert np.isnan(found.value)
    assert why in found.reason


def test_undefined_for_labels_says_why():
    assert "no item has two answers" in fleiss_kappa(np.array([[1.0, 2.0]])).reason


@pytest.mark.parametrize("table", [[1, 2], [[1.5, 2], [1, 1]], [[-1, 2], [1, 1]], [[NAN, 2], [1, 1]]])
def test_a_table_holds_counts(table):
    with pytest.raises(ArgumentError, match="not a table of counts"):
        fleiss_kappa_of_table(np.array(table))
