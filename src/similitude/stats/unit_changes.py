"""Correlations of many rows, and how much each changes if a unit of items is left out.

This is what the jackknife needs. Nothing is sorted or summed again for a unit: Pearson's r without it follows exactly
from sums, Spearman's rho to first order from the influence of its items.

A row of x and y is one pair of variables, such as the scores of two halves. An item that is nan on either side is
missing from that row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array, Booleans
from similitude.stats.correlation import spearman
from similitude.stats.influence import spearman_influence
from similitude.stats.resamples import Units
from similitude.stats.weighted_correlation import pearson_from_sums

__all__ = ["UnitChanges", "pearson_changes", "spearman_changes"]


class UnitChanges(NamedTuple):
    """Figures of rows, and their changes if a unit is left out.

    Attributes:
        figure: the figure of every row; nan where it is undefined.
        change: rows x units, the figure without the unit minus the figure; nan where either is undefined.
    """

    figure: Array
    change: Array


def pearson_changes(x: Array, y: Array, units: Units | None) -> UnitChanges:
    """Pearson's r of every row, and its change without each unit.

    Args:
        x: rows x items.
        y: the same for the other side.
        units: the units of items to leave out; None for the figures alone.

    >>> found = pearson_changes(np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([[1.0, 3.0, 2.0, 4.0]]), Units(4))
    >>> (found.figure[:, None] + found.change).round(3)  # without the first item r of (2, 3, 4) and (3, 2, 4) is 0.5
    array([[0.5  , 0.929, 0.929, 0.5  ]])
    """
    there = ~(np.isnan(x) | np.isnan(y))
    x, y = _centred(x, there), _centred(y, there)
    terms = np.stack([there.astype(np.float64), x, y, x * x, y * y, x * y])
    figure = pearson_from_sums(terms.sum(axis=-1).T)
    if units is None:
        return UnitChanges(figure, np.empty((len(x), 0)))
    kept = terms.sum(axis=-1, keepdims=True) - _summed(terms, units)
    return UnitChanges(figure, pearson_from_sums(np.moveaxis(kept, 0, -1)) - figure[:, None])


def spearman_changes(x: Array, y: Array, units: Units | None) -> UnitChanges:
    """Spearman's rho of every row, and to first order its change without each unit (see `spearman_influence`).

    Args:
        x: rows x items.
        y: the same for the other side.
        units: the units of items to leave out; None for the figures alone.

    >>> found = spearman_changes(np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([[1.0, 3.0, 2.0, 4.0]]), Units(4))
    >>> found.figure, found.change.round(3)
    (array([0.8]), array([[-0.2,  0.2,  0.2, -0.2]]))
    """
    there = ~(np.isnan(x) | np.isnan(y))
    if units is None and there.all():
        return UnitChanges(spearman(x, y), np.empty((len(x), 0)))
    rho, influence = spearman_influence(x, y)
    if units is None:
        return UnitChanges(rho, np.empty((len(x), 0)))
    kept = there.sum(axis=-1, keepdims=True) - _summed(there.astype(np.float64), units)
    return UnitChanges(rho, np.where(kept > 1, -_summed(influence, units) / np.maximum(kept, 2), np.nan))


def _centred(values: Array, there: Booleans) -> Array:
    known = np.where(there, values, 0.0)
    mean = known.sum(axis=-1) / np.maximum(there.sum(axis=-1), 1)
    return np.where(there, known - mean[..., None], 0.0)


def _summed(values: Array, units: Units) -> Array:
    """Sums over the items of each unit, along the last axis."""
    if units.of_item is None:
        return values
    order = np.argsort(units.of_item)
    starts = np.searchsorted(units.of_item[order], np.arange(units.number))
    return np.asarray(np.add.reduceat(values[..., order], starts, axis=-1))
