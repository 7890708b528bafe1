"""Counts of units x values, in a dense array, or a sparse one if nearly all counts are 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from similitude.stats.arrays import Array, Integers

__all__ = ["ValueCounts", "count_values"]


DENSE_CELLS = 4_000_000
"""Up to this many cells the table is dense: 32 MB."""


class ValueCounts:
    """How often each value was given to each unit.

    Attributes:
        number: values per unit.
        squares: for each unit, the sum of its squared counts.
    """

    def __init__(self, table: Any) -> None:
        self._table = table
        self._turned = table.T.tocsr() if hasattr(table, "tocsr") else table.T
        self.number = _flat(table.sum(axis=1))
        self.squares = _flat(table.multiply(table).sum(axis=1) if hasattr(table, "multiply") else (table**2).sum(1))

    @property
    def most(self) -> Array:
        """For each unit, how often its most frequent value was given."""
        most = self._table.max(axis=1)
        return _flat(most.toarray() if hasattr(most, "toarray") else most)

    @property
    def shape(self) -> tuple[int, int]:
        """Units and values."""
        units, values = self._table.shape
        return int(units), int(values)

    @property
    def differing_by_chance(self) -> float:
        """The share of two values that differ, if both are drawn from all units."""
        shares = _flat(self._table.sum(axis=0)) / self.number.sum()
        return float(1 - shares @ shares)

    @property
    def pairs_that_differ(self) -> Array:
        """For each unit, ordered pairs of differing values / (values - 1)."""
        return (self.number**2 - self.squares) / np.maximum(self.number - 1, 1)

    def pairs_by(self, distances: Array) -> Array:
        """For each unit, the sum of the distances (values x values) over its ordered pairs of values."""
        return _flat((self._table * (self._table @ distances)).sum(axis=1))

    def by_value(self, weights: Array) -> Array:
        """How often each value was given in each resample: values x resamples."""
        return np.asarray(self._turned @ weights.T)

    def by_unit(self, of_value: Array) -> Array:
        """Sums over each unit's values: from values x resamples to units x resamples."""
        return np.asarray(self._table @ of_value)


def count_values(unit: Integers, value: Integers, units: int, values: int) -> ValueCounts:
    """Count pairs of unit and value.

    Args:
        unit: the unit of each answer.
        value: the number of the value that was given.
        units: how many units there are.
        values: how many values there are.

    >>> counted = count_values(np.array([0, 0, 1]), np.array([1, 1, 0]), 2, 2)
    >>> counted.by_value(np.array([[1.0, 2.0]])).ravel(), counted.most
    (array([2., 2.]), array([2., 1.]))
    """
    key = unit * np.int64(values) + value
    if units * values <= DENSE_CELLS:
        return ValueCounts(np.bincount(key, minlength=units * values).reshape(units, values).astype(np.float64))
    from scipy.sparse import csr_array

    cells, counts = np.unique(key, return_counts=True)
    starts = np.searchsorted(cells, np.arange(units + 1) * np.int64(values))
    return ValueCounts(csr_array((counts.astype(np.float64), cells % values, starts), shape=(units, values)))


def _flat(column: Any) -> Array:
    return np.asarray(column).ravel()
