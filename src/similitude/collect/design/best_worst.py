"""Tuples of items for best-worst scaling.

An annotator sees a tuple and names the best and the worst item. All tuples should differ, the items of a
tuple should be distinct, and items and pairs should appear about equally often (Louviere et al. 2015; Kiritchenko and
Mohammad 2016: 1.5 N to 2 N tuples give reliable scores for N items).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from similitude.collect.design.design_cost import design_cost
from similitude.collect.design.guarantees import Guarantees, check_tuples
from similitude.collect.design.pattern import tuple_pattern
from similitude.collect.design.place_balance import balance_places
from similitude.collect.design.plural import named_few
from similitude.collect.design.request import TupleRequest
from similitude.data.plural import counted
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError

__all__ = ["BestWorstDesign", "best_worst_tuples"]


@dataclass(frozen=True, kw_only=True)
class BestWorstDesign:
    """Tuples of items with their guarantees.

    Attributes:
        ids: the items, in the order given.
        tuples: ids of the items of each tuple; tuples of one group are adjacent.
        groups: the group of each tuple; None if tuples are not made by group.
        guarantees: counted from the finished tuples.
    """

    ids: tuple[str, ...]
    tuples: tuple[tuple[str, ...], ...]
    groups: tuple[str, ...] | None
    guarantees: Guarantees

    def __len__(self) -> int:
        return len(self.tuples)

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """The name of each tuple: ``q0001``, or ``dialogue-q01`` if tuples are made by group."""
        if self.groups is None:
            width = len(str(len(self)))
            return tuple(f"q{number:0{width}}" for number in range(1, len(self) + 1))
        counts, seen = Counter(self.groups), Counter[str]()
        names = []
        for group in self.groups:
            seen[group] += 1
            names.append(f"{group}-q{seen[group]:0{len(str(counts[group]))}}")
        return tuple(names)


def best_worst_tuples(
    ids: Sequence[str],
    *,
    size: int = 4,
    tuples: int | None = None,
    per_item: int | None = None,
    factor: float | None = None,
    groups: Sequence[str] | None = None,
    rng: np.random.Generator,
    large: bool = False,
    per_question: int | None = None,
    listener: Listener | None = None,
) -> BestWorstDesign:
    """Make distinct tuples with items equally often, give or take one, and pairs as balanced as possible.

    Every item is in every place of its tuples (first, second, and so on) equally often, give or take one.

    Say how many tuples you want by one of ``tuples``, ``per_item`` and ``factor``.

    Args:
        ids: the items.
        size: items per tuple.
        tuples: the number of tuples; with groups, the number per group.
        per_item: the least number of tuples that each item is in.
        factor: the number of tuples per item; 2 by default.
        groups: the group of each item. Each tuple then holds items of one group only.
        rng: the source of randomness.
        large: make the design even if it takes minutes or gigabytes.
        per_question: annotators per question, for the estimate in the refusal of a large design.
        listener: is told the progress.

    Returns:
        The tuples with their guarantees. With few items, pairs are balanced if the search finds such a design. With
        many, no pair meets twice as long as there are enough pairs.

    Raises:
        ArgumentError: no such tuples exist, and the message shows the arithmetic; or the design is large, and the
            message has an estimate.

    >>> design = best_worst_tuples("abcde", size=3, rng=np.random.default_rng(1))
    >>> len(design), design.guarantees.appearances_min, design.guarantees.together_max
    (10, 6, 3)
    >>> best_worst_tuples("abcde", size=3, tuples=12, rng=np.random.default_rng(1))
    Traceback (most recent call last):
        ...
    similitude.errors.ArgumentError: 12 triples requested, but 5 items give only C(5,3) = 10 different ones; ...
    """
    request = TupleRequest(size=size, tuples=tuples, per_item=per_item, factor=factor)
    _refuse_repeated_ids(ids)
    labels = None if groups is None else _labels(ids, groups)
    parts = [np.arange(len(ids))] if labels is None else _members(labels)
    names = None if groups is None else [groups[part[0]] for part in parts]
    where = [""] * len(parts) if names is None else [f"group {named_few([name])}" for name in names]
    counts = _counts(parts, where, request)
    if not large:
        design_cost(zip(map(len, parts), counts, strict=True), size).refuse_large(per_question=per_question)
    made = _make(parts, counts, size, rng, listener)
    ordered = balance_places(np.concatenate(made), rng)
    found = check_tuples(ordered, len(ids), labels)
    if not (found.hold and found.places_are_level):
        # Every request that passes the arithmetic has a design, so another seed may find it.
        raise ArgumentError(f"no design was found: {found}", remedy="try another seed, or ask for fewer tuples")
    return BestWorstDesign(
        ids=tuple(ids),
        tuples=tuple(tuple(ids[number] for number in row) for row in ordered.tolist()),
        groups=None if names is None else tuple(n for n, part in zip(names, made, strict=True) for _ in part),
        guarantees=found,
    )


def _make(
    parts: list[NDArray[np.intp]], counts: list[int], size: int, rng: np.random.Generator, listener: Listener | None
) -> list[NDArray[np.intp]]:
    """The tuples of each part. Parts of equal size share a pattern, each with a random assignment of items."""
    patterns: dict[int, NDArray[np.intp]] = {}
    made = []
    for part, count in zip(parts, counts, strict=True):
        if len(part) not in patterns:
            patterns[len(part)] = tuple_pattern(len(part), size, count, rng, listener)
        renamed = rng.permutation(part)[patterns[len(part)]]
        made.append(rng.permutation(renamed))
    return made


def _counts(parts: list[NDArray[np.intp]], where: list[str], request: TupleRequest) -> list[int]:
    """The number of tuples of each part; an error that concerns several groups says how many."""
    refusals: list[ArgumentError] = []
    counts = []
    for part, place in zip(parts, where, strict=True):
        try:
            counts.append(request.count(len(part), place))
        except ArgumentError as refusal:
            refusals.append(refusal)
    if len(refusals) > 1:
        first = refusals[0]
        others = f"{first.what} (and likewise in {counted(len(refusals) - 1, 'other group')})"
        raise ArgumentError(others, where=first.where, remedy=first.remedy)
    if refusals:
        raise refusals[0]
    return counts


def _refuse_repeated_ids(ids: Sequence[str]) -> None:
    if not len(ids):
        raise ArgumentError("there are no items", remedy="give at least as many as a tuple holds")
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        raise ArgumentError(f"the id {named_few(twice)} stands for more than one item", remedy="make ids unique")


def _labels(ids: Sequence[str], groups: Sequence[str]) -> NDArray[np.intp]:
    """Number the groups in order of first appearance."""
    if len(ids) != len(groups):
        what = f"{len(ids):,} items and {len(groups):,} groups"
        raise ArgumentError(what, remedy="give the group of each item, in the same order")
    number = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    return np.array([number[group] for group in groups], dtype=np.intp)


def _members(labels: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)
