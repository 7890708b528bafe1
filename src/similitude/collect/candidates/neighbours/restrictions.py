"""Which texts may be paired: within a column, across a column, never of the same document or group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.texts import Texts
from similitude.errors import ArgumentError, UnknownNameError

__all__ = ["Restrictions"]


@dataclass(frozen=True, slots=True, eq=False)
class Restrictions:
    """Which rows of a table of texts may be paired.

    Attributes:
        parts: two rows are paired only if they have the same number here.
        apart: arrays of numbers; two rows are paired only if they have different numbers in each.
        is_usable: rows that can be paired at all: they have a value in the columns of ``within`` and ``across``.
        valueless: how many rows cannot because they have no such value.
    """

    parts: NDArray[np.int64]
    apart: tuple[NDArray[np.int64], ...]
    is_usable: NDArray[np.bool_]
    valueless: int = 0

    @classmethod
    def none(cls, count: int) -> Restrictions:
        """Any two rows may be paired."""
        return cls(np.zeros(count, np.int64), (), np.ones(count, bool))

    @classmethod
    def of(
        cls, texts: Texts, *, within: str | None = None, across: str | None = None, never_same: Sequence[str] = ()
    ) -> Restrictions:
        """Restrictions by columns of the table.

        Args:
            texts: the table.
            within: both texts must have the same value in this column; texts without one are not paired.
            across: both texts must have different values in this column; texts without one are not paired.
            never_same: both texts must not have the same value in these columns; texts without one may be paired.

        Raises:
            UnknownNameError: the table has no such column.
            ArgumentError: pairs are to be found within and across the same column.
        """
        if within is not None and within == across:
            raise ArgumentError(f"within and across name the same column, {within!r}", remedy="leave one of them out")
        usable = np.ones(len(texts), bool)
        parts = np.zeros(len(texts), np.int64)
        apart = [_distinct_if_missing(_numbers(texts, name)) for name in never_same]
        if within is not None:
            parts = _numbers(texts, within)
            usable &= parts >= 0
        if across is not None:
            apart.append(_numbers(texts, across))
            usable &= apart[-1] >= 0
        return cls(parts, tuple(each for each in apart if _repeats(each)), usable, int((~usable).sum()))

    def __len__(self) -> int:
        return len(self.parts)

    def allow(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether each pair of rows is allowed."""
        allowed: NDArray[np.bool_] = (left != right) & (self.parts[left] == self.parts[right])
        allowed &= self.is_usable[left] & self.is_usable[right]
        for numbers in self.apart:
            allowed &= numbers[left] != numbers[right]
        return allowed

    def most_partners(self, k: int) -> int:
        """``k``, or as many others as there are at all; at least 1."""
        return min(k, max(1, int(self.is_usable.sum()) - 1))

    def notes(self) -> tuple[str, ...]:
        """A sentence about texts that cannot be paired."""
        if not self.valueless:
            return ()
        missing = f"{self.valueless:,} of {len(self):,} texts"
        return (f"{missing} have no value in the columns of 'within' or 'across': not paired",)


def _numbers(texts: Texts, column: str) -> NDArray[np.int64]:
    """The values of a column as numbers from 0 in order of appearance; -1 where there is none."""
    if column not in texts.frame.columns:
        raise UnknownNameError("column", column, texts.frame.columns)
    values = texts.frame[column]
    if values.dtype.is_nested():
        raise ArgumentError(f"column {column!r} holds lists", remedy="name a column with one value for each text")
    order = values.cast(pl.String).to_frame("value").with_columns(pl.col("value").rank("dense").alias("number"))
    return order["number"].cast(pl.Int64).fill_null(0).to_numpy() - 1


def _distinct_if_missing(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Missing values get numbers of their own, so that no two of them are the same."""
    return np.where(numbers < 0, -1 - np.arange(len(numbers)), numbers)


def _repeats(numbers: NDArray[np.int64]) -> bool:
    """Whether two rows have the same number; if not, there is nothing to keep apart."""
    return len(np.unique(numbers)) < len(numbers)
