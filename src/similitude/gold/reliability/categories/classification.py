"""Answers that sort items into categories, as arrays: who put which item into which category."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from similitude.errors import ArgumentError
from similitude.gold.reliability.pairable_ratings import without_noise
from similitude.gold.reliability.value_counts import ValueCounts, count_values
from similitude.stats.arrays import Array, Booleans, Integers

__all__ = ["Classification", "classified_counts", "classified_matrix", "classified_ratings"]

NOT_COUNTS = "this is not a table of counts"
COUNTS = "give items x labels, each cell a whole number from 0"


@dataclass(frozen=True, kw_only=True, eq=False)
class Classification:
    """Every answer about every item; items without an answer are not there.

    Attributes:
        item: the number of the item of each answer.
        label: the number of the category of each answer.
        values: the values of all possible categories, ascending.
        items: how many items there are; each has an answer.
        rater: the number of the rater of each answer; None where raters are unnamed.
    """

    item: Integers
    label: Integers
    values: Array
    items: int
    rater: Integers | None = None

    @cached_property
    def tally(self) -> ValueCounts:
        """How often each item was put into each category."""
        return count_values(self.item, self.label, self.items, self.values.size)

    @cached_property
    def is_paired(self) -> Booleans:
        """Whether each item has two answers or more."""
        return np.asarray(self.tally.number >= 2)

    @property
    def raters(self) -> int:
        """The number of raters; 0 where they are unnamed."""
        return 0 if self.rater is None or not self.rater.size else int(self.rater.max()) + 1

    @cached_property
    def reason(self) -> str | None:
        """Why agreement is undefined, in one sentence; None if it is defined."""
        pairs = int(self.is_paired.sum())
        if pairs >= 2:
            return None
        return f"{'only one item has' if pairs else 'no item has'} two answers: there is nothing to compare"

    def stacked(self) -> Array:
        """The values of each item's answers in a column, nan below the last; rows do not correspond to raters."""
        order = np.argsort(self.item)
        number = self.tally.number.astype(np.intp)
        place = np.arange(order.size) - np.repeat(np.cumsum(number) - number, number)
        columns = np.full((int(number.max()), self.items), np.nan)
        columns[place, self.item[order]] = self.values[self.label[order]]
        return columns

    def of_items(self, chosen: Booleans) -> Classification:
        """The answers about a selection of items, numbered anew."""
        number = np.cumsum(chosen) - 1
        kept = chosen[self.item]
        rater = None if self.rater is None else self.rater[kept]
        return Classification(
            item=number[self.item[kept]],
            label=self.label[kept],
            values=self.values,
            items=int(chosen.sum()),
            rater=rater,
        )


def classified_ratings(
    item: Integers, values: Array, rater: Integers | None = None, *, possible: Array | None = None
) -> Classification:
    """Answers given as numbers.

    Args:
        item: the number of the item of each answer, in any numbering.
        values: the category of each answer. Values that agree in ten digits are the same category.
        rater: the number of the rater of each answer, in any numbering; None where raters are unnamed.
        possible: the values of all possible categories, ascending; by default those that occur.

    >>> made = classified_ratings(np.array([7, 7, 9]), np.array([1.0, 2.0, 2.0]))
    >>> made.items, made.label.tolist(), made.values.tolist()
    (2, [0, 1, 1], [1.0, 2.0])
    """
    items, numbered = np.unique(item, return_inverse=True)
    given = without_noise(np.asarray(values, dtype=np.float64))
    domain = np.unique(given) if possible is None else possible
    people = None if rater is None else np.unique(rater, return_inverse=True)[1]
    return Classification(
        item=numbered,
        label=np.searchsorted(domain, given).astype(np.intp),
        values=domain,
        items=items.size,
        rater=people,
    )


def classified_matrix(values: Array) -> Classification:
    """Ratings given as raters x items, nan where a rater did not rate an item."""
    matrix = np.atleast_2d(np.asarray(values, dtype=np.float64))
    rater, item = np.nonzero(~np.isnan(matrix))
    return classified_ratings(item, matrix[rater, item], rater)


def classified_counts(table: Array) -> Classification:
    """A table of items x categories: how many raters put each item into each category.

    Raises:
        ArgumentError: the table does not have two dimensions, or a cell is not a count.
    """
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or not ((counts >= 0) & (counts == np.floor(counts))).all():
        raise ArgumentError(NOT_COUNTS, remedy=COUNTS)
    item, label = np.nonzero(counts)
    times = counts[item, label].astype(np.intp)
    codes = np.arange(counts.shape[1], dtype=np.float64)
    return classified_ratings(np.repeat(item, times), np.repeat(label, times).astype(np.float64), possible=codes)
