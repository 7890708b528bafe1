"""New conditions for rated pairs: each pair gets conditions of other pairs, or of a list, two at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.item import ITEM_SCHEMA, Items, with_all_columns
from similitude.data.item_keys import PairKey, condition_key, pair_key
from similitude.data.protocols import Listener, VectorCache
from similitude.errors import ArgumentError
from similitude.training.neighbour_pairs import AT_RANDOM, nearest_places, neighbour_ranks, unit_vectors

__all__ = ["UnderCondition", "borrowed_conditions", "items_in_twos"]

Vectors = NDArray[np.float32]

NEAR = 30
"""The number of nearest conditions that one is drawn from."""
TRIES = 8
"""How often a near condition is drawn for a pair before any that is left is taken."""

_BLOCK = 1 << 24
"""The most similarities in memory at a time."""


class UnderCondition(NamedTuple):
    """Two texts under a condition."""

    left: str
    right: str
    condition: str


def borrowed_conditions(
    items: Items,
    count: int,
    *,
    rng: np.random.Generator,
    listed: Sequence[str] = (),
    never: Items | None = None,
    or_fewer: bool = False,
    encoder: str = "use",
    cache: VectorCache | None = None,
    listener: Listener | None = None,
) -> Items:
    """Rated pairs under conditions that nobody rated them under.

    Pairs take turns, in a new random order in each round, and get two conditions in each turn, so that every new item
    has a partner with the same texts. A condition is one of those of all items, or of a list: of the 30 nearest to the
    pair, by the cosine with the mean vector of its texts, the one at rank floor(29 u²) with u uniform on 0..1. With
    probability 0.3 it is any of them.

    No pair gets a condition twice, or one under which it was rated; case, blanks and a stop at the end do not count.
    The order of the items does not matter.

    Args:
        items: rated pairs under conditions.
        count: the number of new items; an odd number is rounded up.
        rng: for all random choices.
        listed: conditions to draw from instead of those of the items.
        never: pairs that get no new conditions, in either order.
        or_fewer: whether all that there are will do.
        encoder: a system that gives vectors of texts.
        cache: where the encoder keeps what it computes.
        listener: is told the progress.

    Returns:
        The items, two by two in groups ``borrowed-000001`` and so on.

    Raises:
        ArgumentError: the items have no conditions, or there are too few for this many new items.

    >>> few = Items.from_pairs(["A red car.", "A red bus."], ["A blue car.", "A red van."])
    >>> few = Items(few.frame.with_columns(condition=pl.Series(["the colour", "the kind"])))
    >>> listed = ["the speed", "the size", "The kind."]
    >>> made = borrowed_conditions(few, 2, rng=np.random.default_rng(0), listed=listed)
    >>> [(item.left, item.condition) for item in made]
    [('A red bus.', 'the size'), ('A red bus.', 'the speed')]
    """
    rated = _rated_pairs(items, never)
    conditions = _distinct(listed or [condition for condition in items.conditions if condition])
    if count:
        count = _checked(count, rated, conditions, is_listed=bool(listed), or_fewer=or_fewer)
    if not count:
        return items_in_twos([], "borrowed")
    encode = partial(unit_vectors, encoder=encoder, cache=cache, listener=listener)
    near = _nearest(_pair_vectors(rated, encode), encode(conditions), min(NEAR, len(conditions)))
    drawn = _drawn(rated, _Conditions(conditions, near), -(-count // 2), rng, listener)
    return items_in_twos(drawn, "borrowed")


def items_in_twos(drawn: Sequence[UnderCondition], name: str) -> Items:
    """Items of which each two in a row share their texts, with a group for every two."""
    groups = [f"{name}-{place // 2 + 1:06d}" for place in range(len(drawn))]
    columns = {
        "id": [f"{group}-{'ab'[place % 2]}" for place, group in enumerate(groups)],
        "left": [one.left for one in drawn],
        "right": [one.right for one in drawn],
        "condition": [one.condition for one in drawn],
        "group": groups,
    }
    return Items(with_all_columns(pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String())), ITEM_SCHEMA))


@dataclass(slots=True)
class _RatedPair:
    """Two texts, and all conditions that they stand under so far."""

    left: str
    right: str
    taken: set[str] = field(default_factory=set)


def _rated_pairs(items: Items, never: Items | None) -> list[_RatedPair]:
    """The distinct pairs, sorted by content; a pair that occurs in both orders counts once."""
    out = set() if never is None else {pair_key(*pair) for pair in zip(never.lefts, never.rights, strict=True)}
    found: dict[PairKey, _RatedPair] = {}
    rows = zip(items.lefts, items.rights, items.conditions, strict=True)
    for left, right, condition in sorted(rows, key=lambda row: row[:2]):
        key = pair_key(left, right)
        if key not in out:
            found.setdefault(key, _RatedPair(left, right)).taken.add(condition_key(condition))
    return list(found.values())


def _distinct(conditions: Sequence[str]) -> list[str]:
    """One wording of each condition, sorted."""
    return sorted({condition_key(condition): condition for condition in sorted(conditions, reverse=True)}.values())


def _checked(count: int, rated: list[_RatedPair], conditions: list[str], *, is_listed: bool, or_fewer: bool) -> int:
    """How many new conditions to give."""
    if count < 0:
        raise ArgumentError(f"cannot make {count:,} new conditions", remedy="give 0 or more")
    if not conditions:
        raise ArgumentError("the data has no conditions to borrow", remedy="omit --new-conditions")
    keys = {condition_key(condition) for condition in conditions}
    most = sum(2 * ((len(keys) - len(keys & pair.taken)) // 2) for pair in rated)
    if count > most and not or_fewer:
        whose = "listed" if is_listed else "of the data"
        raise ArgumentError(
            f"{count:,} new conditions cannot be given to {len(rated):,} pairs: the {len(conditions):,} conditions "
            f"{whose} make {most:,}",
            remedy=f"request at most {most:,} (--new-conditions), or give more conditions (--conditions-from)",
        )
    return min(count, most)


def _pair_vectors(pairs: list[_RatedPair], encode: Callable[[list[str]], Vectors]) -> Vectors:
    """The mean of the two texts' vectors, of length 1."""
    texts = sorted({text for pair in pairs for text in (pair.left, pair.right)})
    place, vectors = {text: number for number, text in enumerate(texts)}, encode(texts)
    both = vectors[[place[pair.left] for pair in pairs]] + vectors[[place[pair.right] for pair in pairs]]
    return np.asarray(both / np.maximum(np.linalg.norm(both, axis=1, keepdims=True), 1e-12), np.float32)


def _nearest(vectors: Vectors, others: Vectors, near: int) -> NDArray[np.int64]:
    """Vectors x near: the positions of the nearest others, nearest first; similarities are computed in blocks."""
    step = max(1, _BLOCK // max(1, len(others)))
    starts = range(0, len(vectors), step)
    return np.concatenate([nearest_places(vectors[start : start + step] @ others.T, near) for start in starts])


class _Conditions(NamedTuple):
    """All conditions, and for each pair the places of the nearest ones, nearest first."""

    all: list[str]
    near: NDArray[np.int64]

    def draw(self, place: int, rng: np.random.Generator) -> Iterator[str]:
        """Conditions for a pair, near ones and others, some of them several times; then each of all, once."""
        for rank in neighbour_ranks(self.near.shape[1], TRIES, rng).tolist():
            is_any = rng.random() < AT_RANDOM
            yield self.all[rng.integers(len(self.all)) if is_any else self.near[place, rank]]
        for number in rng.permutation(len(self.all)).tolist():
            yield self.all[number]


def _drawn(
    rated: list[_RatedPair], conditions: _Conditions, twos: int, rng: np.random.Generator, listener: Listener | None
) -> list[UnderCondition]:
    made: list[UnderCondition] = []
    while len(made) < 2 * twos:
        if listener is not None:
            listener.progress("borrowing conditions", len(made), 2 * twos)
        for place in rng.permutation(len(rated)).tolist():
            made += _two(rated[place], conditions.draw(place, rng))
            if len(made) == 2 * twos:
                break
    return made


def _two(pair: _RatedPair, drawn: Iterator[str]) -> list[UnderCondition]:
    """The pair under the first two conditions that are new to it; nothing if fewer are left."""
    chosen: dict[str, str] = {}
    for condition in drawn:
        key = condition_key(condition)
        if key not in pair.taken:
            chosen.setdefault(key, condition)
        if len(chosen) == 2:
            pair.taken |= chosen.keys()
            return [UnderCondition(pair.left, pair.right, one) for one in chosen.values()]
    return []
