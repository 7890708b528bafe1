import numpy as np
import pytest

from similitude.stats import Units
from similitude.stats.left_out_units import left_out_units


def test_items_by_themselves_stay_as_they_are():
    without = np.array([1.0, 2.0, 3.0])
    assert left_out_units(2.0, without, Units(3)) is without


def test_exact_for_means_of_unequal_groups():
    values, groups = np.array([1.0, 4, 7, 2, 9, 3]), np.array([5, 2, 5, 5, 2, 8])
    without = (values.sum() - values) / 5
    found = left_out_units(values.mean(), without, Units.of_groups(groups))
    assert found == pytest.approx([values[groups != group].mean() for group in (2, 5, 8)])


def test_one_group_of_all_items_leaves_nothing():
    found = left_out_units(2.0, np.array([2.5, 2.0, 1.5]), Units.of_groups(np.array([1, 1, 1])))
    assert np.isnan(found).all()


def test_one_item_that_is_left_is_the_mean():
    # Of 1, 2 and 6, whose mean is 3: the means without each are 4, 3.5 and 1.5.
    found = left_out_units(3.0, np.array([4.0, 3.5, 1.5]), Units.of_groups(np.array([0, 0, 1])))
    assert found == pytest.approx([6.0, 1.5])


def test_a_unit_without_items_changes_nothing():
    found = left_out_units(2.5, np.array([3.0, 2.0]), Units(3, np.array([0, 1])))
    assert found == pytest.approx([3.0, 2.0, 2.5])
