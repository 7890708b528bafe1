"""OneR: one feature, divided into ranges with one class each. Many rules are learned at once.

A range grows along sorted values until a class has at least ``bucket`` members in it, and further while the next member
is of the most common class. Equal values are never separated. Neighbouring ranges with the same most common class are
merged.

Reference: Holte (1993), Very simple classification rules perform well on most commonly used datasets, section 2.3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array

__all__ = ["Rules", "learn_rules"]

Classes = NDArray[np.intp]


class Rules(NamedTuple):
    """Rules for several problems.

    Attributes:
        cuts: problems x ranges, the upper end of each range; infinite from the last range on.
        classes: problems x ranges, the class of each range.
    """

    cuts: Array
    classes: Classes

    def apply(self, values: Array) -> Classes:
        """The class of each value, problems x values. A value on a cut belongs to the lower range.

        >>> rules = learn_rules(np.array([[1.0, 2, 8, 9]]), np.array([[0, 0, 1, 1]]), np.array([1]))
        >>> rules.apply(np.array([[4.9, 5.1]]))
        array([[0, 1]])
        """
        found = [
            classes[np.searchsorted(cuts, row)]
            for cuts, classes, row in zip(self.cuts, self.classes, values, strict=True)
        ]
        return np.array(found, dtype=np.intp).reshape(values.shape)


def learn_rules(
    values: Array, classes: Classes, bucket: NDArray[np.intp], known: NDArray[np.bool_] | None = None
) -> Rules:
    """Learn one rule for each problem.

    Args:
        values: problems x members.
        classes: problems x members, numbered from 0.
        bucket: the least number of members of one class in a range, for each problem.
        known: problems x members, true for members to learn from; all by default. Each problem needs at least one.
    """
    learned_from = np.ones(values.shape, dtype=np.bool_) if known is None else known
    order = np.argsort(np.where(learned_from, values, np.inf), kind="stable")
    ordered, labels = np.take_along_axis(values, order, axis=1), np.take_along_axis(classes, order, axis=1)
    builder = _Builder(len(values), values.shape[1], int(classes.max()) + 1, bucket)
    number = learned_from.sum(axis=1)
    for place in range(int(number.max())):
        builder.add(ordered[:, place], labels[:, place], place < number)
    return builder.rules()


class _Builder:
    """Builds the ranges of all problems at once, one member of each problem at a time."""

    def __init__(self, problems: int, members: int, classes: int, bucket: NDArray[np.intp]) -> None:
        self._rows, self._bucket = np.arange(problems), bucket
        self._counts = np.zeros((problems, members, classes), dtype=np.int32)
        self._cuts = np.full((problems, members), np.inf)
        self._range = np.zeros(problems, dtype=np.intp)
        self._last = np.zeros(problems)  # the first member has no predecessor, and ends no range

    def add(self, values: Array, labels: Classes, given: NDArray[np.bool_]) -> None:
        """Add the next member of each problem that has one."""
        counts = self._counts[self._rows, self._range]
        is_full = (counts.max(axis=1) >= self._bucket) & (counts.argmax(axis=1) != labels)
        ends = given & is_full & (values > self._last)
        self._cuts[self._rows[ends], self._range[ends]] = ((self._last + values) / 2)[ends]
        self._range += ends
        self._counts[self._rows[given], self._range[given], labels[given]] += 1
        self._last = np.where(given, values, self._last)

    def rules(self) -> Rules:
        """The rules, with neighbouring ranges of the same class merged."""
        commonest = self._counts.argmax(axis=2)
        is_last = np.isinf(self._cuts)
        merges = np.zeros_like(is_last)
        merges[:, :-1] = (commonest[:, :-1] == commonest[:, 1:]) & ~is_last[:, :-1]
        # A range that is merged with the next loses its upper end; the remaining ones move to the front.
        order = np.argsort(merges, kind="stable")
        cuts = np.take_along_axis(np.where(merges, np.inf, self._cuts), order, axis=1)
        return Rules(np.sort(cuts), np.take_along_axis(commonest, order, axis=1))
