"""Counts of values that can be added up over shards, in any order, without knowing their range beforehand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.features import Values
from similitude.collect.candidates.steps import Distribution

__all__ = ["Histogram", "NameCounts", "ValueCounts", "counts_from_record", "counts_of", "distribution"]

FINEST = 1e-6
"""The width of the narrowest bins: features are rounded to six decimals."""

MOST_BINS = 4096
"""If values spread over more bins, bins are ten times as wide."""

SHOWN_BINS = 20
SHOWN_NAMES = 20
OTHERS = "others"
FARTHEST = 9e12
"""Values beyond count as this one, which as a number of bins still fits into 64 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """How many values lie in each bin; bins are `FINEST` x 10^level wide and begin at multiples of their width.

    The level follows from the least and the greatest value alone, so that sums do not depend on how values were cut.

    Attributes:
        level: how wide bins are.
        first: the number of the first bin.
        counts: of each bin from the first on.
        undefined: how many values were nan.
        low: the least value; nan if there is none.
        high: the greatest value.
    """

    level: int
    first: int
    counts: NDArray[np.int64]
    undefined: int
    low: float
    high: float

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> Histogram:
        """The histogram of some values.

        >>> Histogram.of(np.array([0.25, 0.5, 0.5, np.nan])).counts[[0, -1]]
        array([1, 2])
        """
        known = values[~np.isnan(values)]
        if not len(known):
            return cls(0, 0, np.zeros(0, np.int64), len(values), math.nan, math.nan)
        low, high = float(known.min()), float(known.max())
        bins = np.rint(np.clip(known, -FARTHEST, FARTHEST) / FINEST).astype(np.int64)
        level = _level(int(bins.min()), int(bins.max()))
        bins //= 10**level
        first = int(bins.min())
        return cls(level, first, np.bincount(bins - first), len(values) - len(known), low, high)

    def __add__(self, other: Histogram) -> Histogram:
        """The histogram of the values of both."""
        undefined = self.undefined + other.undefined
        if not self.is_known or not other.is_known:
            there = self if self.is_known else other
            return Histogram(there.level, there.first, there.counts, undefined, there.low, there.high)
        low, high = min(self.low, other.low), max(self.high, other.high)
        level = max(_level(*map(_bin, (low, high))), self.level, other.level)
        ours, theirs = self._coarser(level), other._coarser(level)
        first = min(ours.first, theirs.first)
        size = max(one.first + len(one.counts) for one in (ours, theirs)) - first
        counts = np.zeros(size, np.int64)
        for one in (ours, theirs):
            counts[one.first - first : one.first - first + len(one.counts)] += one.counts
        return Histogram(level, first, counts, undefined, low, high)

    @property
    def is_known(self) -> bool:
        """Whether any value is not nan."""
        return len(self.counts) > 0

    @property
    def total(self) -> int:
        """How many values are not nan."""
        return int(self.counts.sum())

    @property
    def width(self) -> float:
        """The width of a bin."""
        return FINEST * float(10**self.level)

    def quantile(self, share: float) -> float:
        """The lower end of the bin in which this share of the values is reached, but no less than the least value."""
        place = int(np.searchsorted(np.cumsum(self.counts), max(share * self.total, 1)))
        return max(self.low, round((self.first + place) * self.width, 6))

    def between(self, edges: NDArray[np.int64], step: int) -> NDArray[np.int64]:
        """Counts in wider bins.

        Args:
            edges: the numbers of the wider bins, ascending by one.
            step: how many finest bins each of them has.
        """
        per_bin = step // 10**self.level
        numbers = (self.first + np.arange(len(self.counts))) // per_bin
        inside = np.clip(numbers, edges[0], edges[-1]) - edges[0]
        return np.bincount(inside, weights=self.counts, minlength=len(edges)).astype(np.int64)

    def _coarser(self, level: int) -> Histogram:
        if level == self.level:
            return self
        numbers = (self.first + np.arange(len(self.counts))) // 10 ** (level - self.level)
        first = int(numbers[0])
        counts = np.bincount(numbers - first, weights=self.counts).astype(np.int64)
        return Histogram(level, first, counts, self.undefined, self.low, self.high)

    def record(self) -> dict[str, Any]:
        """Ready for JSON: only bins that hold something."""
        there = np.flatnonzero(self.counts)
        ends = [self.low, self.high] if self.is_known else None
        bins = {"level": self.level, "bins": (self.first + there).tolist(), "counts": self.counts[there].tolist()}
        return {**bins, "undefined": self.undefined, "ends": ends}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Histogram:
        """A histogram from its record."""
        bins, ends = record["bins"], record["ends"] or (math.nan, math.nan)
        first = bins[0] if bins else 0
        counts = np.zeros(bins[-1] - first + 1 if bins else 0, np.int64)
        counts[np.array(bins, np.int64) - first] = record["counts"]
        return cls(record["level"], first, counts, record["undefined"], *ends)


@dataclass(frozen=True, slots=True)
class NameCounts:
    """How often each name occurs.

    Attributes:
        names: to their counts.
        undefined: how many values were null.
    """

    names: Mapping[str, int]
    undefined: int

    @classmethod
    def of(cls, values: pl.Series) -> NameCounts:
        """The counts of some names."""
        return cls(dict(values.drop_nulls().value_counts().iter_rows()), values.null_count())

    def __add__(self, other: NameCounts) -> NameCounts:
        """The counts of both."""
        names = Counter(self.names)
        names.update(other.names)
        return NameCounts(names, self.undefined + other.undefined)

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"names": dict(sorted(self.names.items())), "undefined": self.undefined}


ValueCounts = Histogram | NameCounts


def counts_of(values: Values) -> ValueCounts:
    """The counts of numbers or of names."""
    return NameCounts.of(values) if isinstance(values, pl.Series) else Histogram.of(values)


def counts_from_record(record: Mapping[str, Any]) -> ValueCounts:
    """Counts from their record."""
    return NameCounts(**record) if "names" in record else Histogram.from_record(record)


def distribution(name: str, before: ValueCounts, after: ValueCounts) -> Distribution:
    """Both counts between the same edges: about `SHOWN_BINS` bins of a round width, or the most frequent names."""
    if isinstance(before, NameCounts) and isinstance(after, NameCounts):
        return _names_before_and_after(name, before, after)
    assert isinstance(before, Histogram)
    assert isinstance(after, Histogram)
    if not before.is_known:
        return Distribution(name=name, edges=(), before=(), after=())
    step = _round_step(before)
    edges = np.arange(_bin(before.low) // step, _last_bin(before, step) + 1)
    counts = [
        tuple(one.between(edges, step).tolist()) if one.is_known else (0,) * len(edges) for one in (before, after)
    ]
    ends = tuple(round(float(edge) * step * FINEST, 6) for edge in (*edges, edges[-1] + 1))
    return Distribution(name=name, edges=ends, before=counts[0], after=counts[1])


def _last_bin(counts: Histogram, step: int) -> int:
    """The last bin holds its upper end, if that is the greatest value and there is a bin before."""
    last = _bin(counts.high) // step
    return last - 1 if _bin(counts.high) % step == 0 and last > _bin(counts.low) // step else last


def _names_before_and_after(name: str, before: NameCounts, after: NameCounts) -> Distribution:
    ordered = sorted(before.names, key=lambda one: (-before.names[one], one))
    shown = ordered[:SHOWN_NAMES]
    rest = ordered[SHOWN_NAMES:]
    counts = [[one.names.get(each, 0) for each in shown] for one in (before, after)]
    if rest:
        shown = [*shown, OTHERS]
        for each, one in zip(counts, (before, after), strict=True):
            each.append(sum(one.names.get(every, 0) for every in rest))
    return Distribution(name=name, edges=tuple(shown), before=tuple(counts[0]), after=tuple(counts[1]))


def _bin(value: float) -> int:
    return round(max(min(value, FARTHEST), -FARTHEST) / FINEST)


def _level(first: int, last: int) -> int:
    level = 0
    while last // 10**level - first // 10**level >= MOST_BINS:
        level += 1
    return level


def _round_step(counts: Histogram) -> int:
    """The narrowest of 1, 2, 5, 10, 20 ... finest bins, no narrower than the counts, so that few bins are shown."""
    span = _bin(counts.high) - _bin(counts.low)
    step = 10**counts.level
    for factor in (1, 2, 5) * 20:
        if step * factor * SHOWN_BINS >= span:
            return int(step * factor)
        if factor == 5:
            step *= 10
    raise AssertionError("a span of more than 10^20 bins")
