"""Figures without each unit of items, from the figures without each item."""

from __future__ import annotations

import numpy as np

from similitude.stats.arrays import Array
from similitude.stats.resamples import Units

__all__ = ["left_out_units"]


def left_out_units(value: float, without: Array, units: Units) -> Array:
    """The figure without each unit, to first order: the changes without its items add up.

    Exact for means. A unit of m of the n items counts (n - 1) / (n - m) times the sum of the changes.

    Args:
        value: the figure of all items.
        without: the figure without each item.
        units: of items that are left out together.

    >>> values = np.array([1.0, 2.0, 6.0, 7.0])
    >>> left_out_units(4.0, (values.sum() - values) / 3, Units.of_groups(np.array([0, 0, 1, 1])))
    array([6.5, 1.5])
    """
    if units.of_item is None:
        return without
    sizes = np.bincount(units.of_item, minlength=units.number)
    changes = np.bincount(units.of_item, without - value, minlength=units.number)
    left = without.size - sizes
    factor = np.divide(without.size - 1, left, out=np.full(units.number, np.nan), where=left > 0)
    return np.asarray(value + changes * factor)
