"""What a filter did to some pairs: counts, distributions and border examples that can be added up over shards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.features import DescribedPairs, Values
from similitude.collect.candidates.filters.border import BorderPair, closest, nearest_pairs
from similitude.collect.candidates.filters.filter import Filter
from similitude.collect.candidates.filters.histogram import ValueCounts, counts_from_record, counts_of
from similitude.collect.candidates.filters.verdict import Verdict

__all__ = ["FilterTally", "sum_tallies", "tally_of"]

Border = tuple[BorderPair, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FilterTally:
    """What a filter did to some pairs.

    Attributes:
        before: how many pairs came.
        after: how many were kept.
        failed: how many pairs each comparison dropped because it did not hold.
        undefined: how many pairs each comparison dropped because its value is undefined.
        values_before: counts of the values of each feature of the filter.
        values_after: the same of the pairs that were kept.
        kept: for each comparison the pairs nearest to its border that it kept.
        dropped: those that it dropped.
        seconds: how long it took.
    """

    before: int
    after: int
    failed: tuple[int, ...]
    undefined: tuple[int, ...]
    values_before: tuple[ValueCounts, ...]
    values_after: tuple[ValueCounts, ...]
    kept: tuple[Border, ...]
    dropped: tuple[Border, ...]
    seconds: float = 0.0

    def __add__(self, other: FilterTally) -> FilterTally:
        """What the filter did to both lots of pairs, in either order."""
        return FilterTally(
            before=self.before + other.before,
            after=self.after + other.after,
            failed=_added(self.failed, other.failed),
            undefined=_added(self.undefined, other.undefined),
            values_before=_added(self.values_before, other.values_before),
            values_after=_added(self.values_after, other.values_after),
            kept=_both(lambda a, b: closest([*a, *b]), self.kept, other.kept),
            dropped=_both(lambda a, b: closest([*a, *b]), self.dropped, other.dropped),
            seconds=self.seconds + other.seconds,
        )

    def lasting(self, seconds: float) -> FilterTally:
        """The same, with how long it took."""
        return replace(self, seconds=seconds)

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        counts = {name: list(getattr(self, name)) for name in ("failed", "undefined")}
        values = {name: [one.record() for one in getattr(self, name)] for name in ("values_before", "values_after")}
        borders = {
            name: [[list(pair) for pair in border] for border in getattr(self, name)] for name in ("kept", "dropped")
        }
        return {"before": self.before, "after": self.after, **counts, **values, **borders, "seconds": self.seconds}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> FilterTally:
        """A tally from its record."""
        plain = {name: record[name] for name in ("before", "after", "seconds")}
        counts: dict[str, Any] = {name: tuple(record[name]) for name in ("failed", "undefined")}
        for name in ("values_before", "values_after"):
            counts[name] = tuple(map(counts_from_record, record[name]))
        for name in ("kept", "dropped"):
            counts[name] = tuple(tuple(BorderPair(*pair) for pair in border) for border in record[name])
        return cls(**plain, **counts)


def sum_tallies(tallies: list[FilterTally]) -> FilterTally:
    """What a filter did to all pairs."""
    return reduce(FilterTally.__add__, tallies)


def tally_of(one: Filter, pairs: DescribedPairs, verdict: Verdict) -> FilterTally:
    """What a filter does to the pairs of a block.

    Args:
        one: the filter.
        pairs: all pairs of the block.
        verdict: of the filter on each pair.
    """
    comparisons = one.comparisons
    sides = {truth: _by_comparison(verdict, truth, len(comparisons)) for truth in (1, 0, -1)}
    is_kept = verdict.truth > 0
    values = [pairs.value_of(feature) for feature in one.features]

    def nearest(truth: int) -> tuple[Border, ...]:
        chosen = zip(comparisons, sides[truth], strict=True)
        return tuple(nearest_pairs(pairs, comparison, verdict.margin, at) for comparison, at in chosen)

    return FilterTally(
        before=len(pairs),
        after=int(is_kept.sum()),
        failed=tuple(map(len, sides[-1])),
        undefined=tuple(map(len, sides[0])),
        values_before=tuple(map(counts_of, values)),
        values_after=tuple(counts_of(_taken(each, is_kept)) for each in values),
        kept=nearest(1),
        dropped=nearest(-1),
    )


def _by_comparison(verdict: Verdict, truth: int, comparisons: int) -> list[NDArray[np.intp]]:
    """The positions of the pairs with a truth, by the comparison that decided on it."""
    positions = np.flatnonzero(verdict.truth == truth)
    if comparisons == 1:
        return [positions]
    decided = verdict.decided_by[positions]
    return [positions[decided == number] for number in range(comparisons)]


def _taken(values: Values, is_kept: NDArray[np.bool_]) -> Values:
    return values.filter(pl.Series(is_kept)) if isinstance(values, pl.Series) else values[is_kept]


def _both(join: Callable[[Any, Any], Any], ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(join(one, other) for one, other in zip(ours, theirs, strict=True))


def _added(ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> tuple[Any, ...]:
    return _both(lambda one, other: one + other, ours, theirs)
