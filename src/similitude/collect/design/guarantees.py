"""Guarantees of a set of tuples, counted from the tuples themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from similitude.collect.design.levels import MeetingLevels
from similitude.collect.design.parts import parts_of
from similitude.collect.design.place_balance import place_counts
from similitude.collect.design.plural import ratio, span, times, tuple_name
from similitude.data.plural import counted

__all__ = ["Guarantees", "check_tuples", "tuple_numbers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantees:
    """Guarantees of best-worst tuples.

    If tuples are made by group (such as the utterances of one dialogue), only items of one group meet. Figures about
    pairs, appearances and connection then hold within a group.

    Attributes:
        items: the number of items.
        groups: the number of groups; 1 if tuples are not made by group.
        tuples: the number of tuples.
        size: items per tuple.
        repeated_tuples: tuples with the same items as an earlier one.
        tuples_with_repeats: tuples that hold an item twice.
        appearances_min: the number of tuples that the rarest item is in.
        appearances_max: the number of tuples that the most frequent item is in.
        appearances_differ_by: the largest difference in appearances between two items of one group.
        places_min: how often an item is in a place of its tuples at least (first, second, and so on).
        places_max: how often an item is in a place at most.
        places_differ_by: the largest difference, for one item, between two places.
        pairs: the number of pairs of items that can meet.
        together_min: how often the rarest pair meets.
        together_max: how often the most frequent pair meets.
        together_mean: the mean over pairs; this is the ideal, at which all pairs would meet equally often.
        ideal_min: the lowest ideal of a group.
        ideal_max: the highest ideal of a group.
        pairs_above: pairs that meet more often than the ideal, rounded up.
        pairs_below: pairs that meet less often than the ideal, rounded down.
        unavoidable: excess and missing meetings in any design with balanced appearances.
        parts: the number of sets of items that comparisons connect. Scores compare within a set only.
    """

    items: int
    groups: int
    tuples: int
    size: int
    repeated_tuples: int
    tuples_with_repeats: int
    appearances_min: int
    appearances_max: int
    appearances_differ_by: int
    places_min: int
    places_max: int
    places_differ_by: int
    pairs: int
    together_min: int
    together_max: int
    together_mean: float
    ideal_min: float
    ideal_max: float
    pairs_above: int
    pairs_below: int
    unavoidable: int
    parts: int

    @property
    def hold(self) -> bool:
        """Whether all tuples differ, their items are distinct, and all items appear equally often, give or take one."""
        repeats = self.repeated_tuples or self.tuples_with_repeats
        return not repeats and self.appearances_differ_by <= 1 and self.appearances_min > 0

    @property
    def places_are_level(self) -> bool:
        """Whether every item is in every place of its tuples equally often, give or take one."""
        return self.places_differ_by <= 1

    @property
    def pairs_are_level(self) -> bool:
        """Whether all pairs meet equally often, give or take one, which no design can improve."""
        return not (self.pairs_above or self.pairs_below)

    @property
    def is_connected(self) -> bool:
        """Whether comparisons connect all items (of a group)."""
        return self.parts == self.groups

    def sentences(self) -> tuple[str, ...]:
        """The guarantees in sentences, with their figures."""
        return (_tuples(self), _appearances(self), _places(self), _together(self), _connection(self))

    def __str__(self) -> str:
        return "; ".join(self.sentences())


def check_tuples(tuples: NDArray[np.intp], items: int, groups: NDArray[np.intp] | None = None) -> Guarantees:
    """Count the guarantees of tuples, whoever made them.

    Args:
        tuples: item numbers below ``items``, one row per tuple.
        items: the number of items.
        groups: the group of each item, numbered from 0 without gaps; None if tuples are not made by group.

    >>> print(check_tuples(np.array(list(combinations(range(5), 3))), 5))
    10 triples, all different, no item twice in one; every item in 6 tuples; every item in each place 0 to 6 times, an
    item in one place up to 6 times MORE OFTEN than in another; every pair together 3 times (the ideal); all 5 items are
    connected
    """
    group = np.zeros(items, dtype=np.intp) if groups is None else groups
    appearances = np.bincount(tuples.ravel(), minlength=items)
    places = place_counts(tuples, items)
    ordered = np.sort(tuples, axis=1)
    meetings = _Meetings(ordered, items, group)
    return Guarantees(
        items=items,
        groups=int(group.max()) + 1,
        tuples=len(tuples),
        size=tuples.shape[1],
        repeated_tuples=len(tuples) - len(np.unique(ordered, axis=0)),
        tuples_with_repeats=int((ordered[:, 1:] == ordered[:, :-1]).any(axis=1).sum()),
        appearances_min=int(appearances.min()),
        appearances_max=int(appearances.max()),
        appearances_differ_by=_largest_difference(appearances, group),
        places_min=int(places.min()),
        places_max=int(places.max()),
        places_differ_by=int((places.max(axis=1) - places.min(axis=1)).max()),
        parts=int(parts_of(tuples, items).max()) + 1,
        **meetings.figures(),
    )


class _Meetings:
    """How often the pairs of each group meet."""

    def __init__(self, ordered: NDArray[np.intp], items: int, group: NDArray[np.intp]) -> None:
        pairs = [ordered[:, [one, other]] for one, other in combinations(range(ordered.shape[1]), 2)]
        both = np.concatenate(pairs)
        both = both[both[:, 0] != both[:, 1]]
        keys, self.counts = np.unique(both[:, 0] * items + both[:, 1], return_counts=True)
        self.group = group[keys // items]
        self.levels = _levels(ordered, group)
        self.pairs = np.array([comb(one.items, 2) for one in self.levels])
        self.never = self.pairs - np.bincount(self.group, minlength=len(self.pairs))

    def figures(self) -> dict[str, Any]:
        """The figures of `Guarantees` that are about pairs."""
        floors, ceilings = (np.array([getattr(one, end) for one in self.levels]) for end in ("floor", "ceiling"))
        ideals = [one.ideal for one in self.levels]
        below = (self.counts < floors[self.group]).sum() + self.never[floors > 0].sum()
        return {
            "pairs": int(self.pairs.sum()),
            "together_min": 0 if self.never.any() else int(self.counts.min()),
            "together_max": int(self.counts.max(initial=0)),
            "together_mean": float(self.counts.sum() / self.pairs.sum()),
            "ideal_min": min(ideals),
            "ideal_max": max(ideals),
            "pairs_above": int((self.counts > ceilings[self.group]).sum()),
            "pairs_below": int(below),
            "unavoidable": sum(one.unavoidable for one in self.levels),
        }


def _levels(ordered: NDArray[np.intp], group: NDArray[np.intp]) -> list[MeetingLevels]:
    """The levels that the tuples of each group can reach."""
    sizes, tuples = np.bincount(group), np.bincount(group[ordered[:, 0]], minlength=int(group.max()) + 1)
    return [
        MeetingLevels(items=int(items), size=ordered.shape[1], tuples=int(count))
        for items, count in zip(sizes, tuples, strict=True)
    ]


def _largest_difference(appearances: NDArray[np.intp], group: NDArray[np.intp]) -> int:
    groups = int(group.max()) + 1
    high, low = np.zeros(groups, dtype=np.intp), np.full(groups, appearances.max())
    np.maximum.at(high, group, appearances)
    np.minimum.at(low, group, appearances)
    return int((high - low).max())


def _tuples(found: Guarantees) -> str:
    name = tuple_name(found.size)
    in_groups = f" in {found.groups:,} groups" if found.groups > 1 else ""
    different = "all different" if not found.repeated_tuples else f"{found.repeated_tuples:,} OF THEM REPEATED"
    distinct = "no item twice in one"
    if found.tuples_with_repeats:
        distinct = f"an item twice IN {found.tuples_with_repeats:,}"
    return f"{counted(found.tuples, name)}{in_groups}, {different}, {distinct}"


def _appearances(found: Guarantees) -> str:
    return (
        f"every item in {span(found.appearances_min, found.appearances_max)} tuple{'s' * (found.appearances_max > 1)}"
    )


def _places(found: Guarantees) -> str:
    often = found.places_min, found.places_max
    said = f"every item in each place {times(often[0]) if often[0] == often[1] else f'{span(*often)} times'}"
    if found.places_are_level:
        return said
    return f"{said}, an item in one place up to {times(found.places_differ_by)} MORE OFTEN than in another"


def _together(found: Guarantees) -> str:
    ideal = f"ideal {span(round(found.ideal_min, 9), round(found.ideal_max, 9))}"
    if found.together_min == found.together_max:
        return f"every pair together {times(found.together_max)} (the ideal)"
    if found.pairs_are_level and found.together_max == 1:
        return f"no pair together more than once ({ideal})"
    spread = f"pairs together {span(found.together_min, found.together_max)} times, mean {ratio(found.together_mean)}"
    if found.pairs_are_level:
        return f"{spread}: as balanced as possible ({ideal})"
    return f"{spread}; {_misses(found)} ({ideal})"


def _misses(found: Guarantees) -> str:
    misses = [(found.pairs_above, "more often than the ideal rounded up")]
    misses += [(found.pairs_below, "less often than the ideal rounded down")]
    said = " and ".join(f"{count:,} {how}" for count, how in misses if count)
    forced = f", at least {found.unavoidable:,} of them in any design" if found.unavoidable else ""
    return f"of {found.pairs:,} pairs, {said}{forced}"


def _connection(found: Guarantees) -> str:
    if found.groups > 1 and found.is_connected:
        return "the items of each group are connected; scores compare within a group only"
    if found.is_connected:
        return f"all {found.items:,} items are connected"
    whole = f"{found.groups:,}" if found.groups > 1 else "one"
    return f"the items fall into {found.parts:,} parts instead of {whole}{_why_apart(found)}: scores DO NOT COMPARE"


def _why_apart(found: Guarantees) -> str:
    most = found.tuples * (found.size - 1) + 1
    if found.groups > 1 or most >= found.items:
        return ""
    name = counted(found.tuples, tuple_name(found.size))
    return f", since {name} connect at most {found.tuples:,} x {found.size - 1} + 1 = {most:,} items"


def tuple_numbers(tuples: Sequence[Sequence[str]], ids: Sequence[str]) -> NDArray[np.intp]:
    """Convert tuples of ids to numbers: the position of each id in ``ids``."""
    number = {name: place for place, name in enumerate(ids)}
    return np.array([[number[name] for name in names] for names in tuples], dtype=np.intp)
