"""Unrated pairs made from the texts of a benchmark, mostly of near neighbours.

Two random texts have little in common, and a model learns little from many such pairs. So the partner of a text is
mostly drawn from its nearest neighbours, nearer ones more often, and sometimes from all texts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.item import ITEM_SCHEMA, Items, with_all_columns
from similitude.data.listeners import FixedStage
from similitude.data.protocols import Listener, VectorCache
from similitude.errors import ArgumentError
from similitude.systems.encoders.pair_features import EmbedsPairs
from similitude.systems.uncertain.gaussian_process.system import make_encoder

__all__ = ["AT_RANDOM", "nearest_places", "neighbour_ranks", "new_pairs", "unit_vectors"]

Places = NDArray[np.int64]

NEAR = 200
"""The number of nearest neighbours that a partner is drawn from."""
AT_RANDOM = 0.3
"""The probability that a text, in its turn, gets a second partner from all texts."""
STALE = 0.1
"""The share of new pairs in a round below which neighbours are considered exhausted."""

_BLOCK = 1 << 24
"""The most similarities in memory at a time."""


def new_pairs(
    items: Items,
    count: int,
    *,
    rng: np.random.Generator,
    encoder: str = "use",
    never: Items | None = None,
    or_fewer: bool = False,
    cache: VectorCache | None = None,
    listener: Listener | None = None,
) -> Items:
    """New pairs of the distinct texts of some items.

    Texts take turns, in random order, until there are enough pairs. In its turn a text gets a partner among its 200
    nearest neighbours by the cosine of an encoder's vectors, at rank floor(199 u²) with u uniform on 0..1, and with
    probability 0.3 another one among all texts. If neighbours are exhausted, the rest is drawn from all pairs left.

    No text is paired with itself, and blank texts are not used. No pair is one of the items or occurs twice, in either
    order. The order of the items does not matter.

    Args:
        items: whose texts are used, and whose pairs are not new.
        count: the number of pairs.
        rng: for all random choices.
        encoder: a system that gives vectors of texts.
        never: other pairs that must not be made, in either order; their texts are not used.
        or_fewer: whether all that there are will do.
        cache: where the encoder keeps what it computes.
        listener: is told the progress.

    Returns:
        The pairs, with ids ``new-000001`` and so on.

    Raises:
        ArgumentError: the texts do not make this many new pairs, or the encoder gives no vectors.

    >>> few = Items.from_pairs(["A dog barks.", "It rains."], ["A dog sleeps.", "It snows."])
    >>> made = new_pairs(few, 3, rng=np.random.default_rng(0))
    >>> made.ids
    ['new-000001', 'new-000002', 'new-000003']
    >>> {"A dog barks.", "A dog sleeps."} in [{pair.left, pair.right} for pair in made]
    False
    """
    texts = sorted(text for text in items.texts() if text.strip())
    known = _known(texts, [items] if never is None else [items, never])
    possible = _all_pairs(len(texts)) - len(known)
    count = min(count, possible) if or_fewer else count
    _check(count, len(texts), possible)
    if count == 0:
        return _items([], [])
    turns = rng.permutation(len(texts))[:count]
    near = _neighbours(unit_vectors(texts, encoder, cache, listener), turns, listener)
    drawn = _drawn(near, turns, len(texts), known, count, rng)
    return _items([texts[place] for place in drawn.lefts], [texts[place] for place in drawn.rights])


class _Drawn(NamedTuple):
    """Pairs, by the positions of their texts."""

    lefts: Places
    rights: Places

    @property
    def keys(self) -> Places:
        """One number per pair, the same in either order; all pairs of n texts have those below n (n - 1) / 2."""
        low, high = np.minimum(self.lefts, self.rights), np.maximum(self.lefts, self.rights)
        return np.asarray(high * (high - 1) // 2 + low)

    @classmethod
    def of_keys(cls, keys: Places) -> _Drawn:
        """The pairs that have these numbers."""
        high = ((1 + np.sqrt(1 + 8 * keys.astype(np.float64))) / 2).astype(np.int64)
        high += keys >= high * (high + 1) // 2  # a root of large numbers may be off by one
        high -= keys < high * (high - 1) // 2
        return cls(keys - high * (high - 1) // 2, high)

    def take(self, where: Places) -> _Drawn:
        return _Drawn(self.lefts[where], self.rights[where])

    def and_(self, other: _Drawn) -> _Drawn:
        return _Drawn(np.concatenate([self.lefts, other.lefts]), np.concatenate([self.rights, other.rights]))


def _all_pairs(texts: int) -> int:
    return texts * (texts - 1) // 2


def _known(texts: list[str], several: list[Items]) -> Places:
    """The sorted numbers of pairs that are not new; pairs with other texts cannot occur."""
    place = {text: number for number, text in enumerate(texts)}
    lefts = np.array([place.get(text, -1) for items in several for text in items.lefts], np.int64)
    rights = np.array([place.get(text, -1) for items in several for text in items.rights], np.int64)
    is_ours = (lefts >= 0) & (rights >= 0) & (lefts != rights)
    return np.unique(_Drawn(lefts[is_ours], rights[is_ours]).keys)


def _check(count: int, texts: int, possible: int) -> None:
    if count < 0:
        raise ArgumentError(f"cannot make {count:,} new pairs", remedy="give 0 or more")
    if count > possible:
        raise ArgumentError(
            f"{count:,} new pairs cannot be made from {texts:,} texts: there are {possible:,}",
            remedy=f"request at most {possible:,}, or give more texts" if possible else "give more texts",
        )


def unit_vectors(
    texts: list[str], encoder: str, cache: VectorCache | None, listener: Listener | None
) -> NDArray[np.float32]:
    """Vectors of length 1, so that products are cosines; zeros for a blank text.

    Raises:
        ArgumentError: the encoder gives no vectors.
    """
    told = FixedStage(listener, stage="encoding texts for new pairs")
    system = make_encoder(encoder, cache, None if listener is None else told)
    assert isinstance(system, EmbedsPairs)  # make_encoder accepts no others
    told.progress("", 0, len(texts))
    vectors = system.pair_vectors(Items.from_pairs(texts, texts)).left
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32)


def _neighbours(vectors: NDArray[np.float32], turns: Places, listener: Listener | None) -> NDArray[np.int32]:
    """Turns x neighbours, nearest first, without the text itself; similarities are computed in blocks."""
    texts = len(vectors)
    near = min(NEAR, texts - 1)
    found = np.empty((len(turns), near), np.int32)
    step = max(1, _BLOCK // texts)
    for start in range(0, len(turns), step):
        if listener is not None:
            listener.progress("finding neighbours", start, len(turns))
        block = turns[start : start + step]
        cosines = vectors[block] @ vectors.T
        cosines[np.arange(len(block)), block] = -np.inf  # never the text itself
        found[start : start + step] = nearest_places(cosines, near)
    return found


def nearest_places(cosines: NDArray[np.float32], near: int) -> Places:
    """The positions of the highest numbers of each row, highest first."""
    best = np.sort(np.argpartition(cosines, cosines.shape[1] - near, axis=1)[:, -near:], axis=1)
    order = np.argsort(-np.take_along_axis(cosines, best, axis=1), axis=1, kind="stable")
    return np.asarray(np.take_along_axis(best, order, axis=1))


def _drawn(
    near: NDArray[np.int32], turns: Places, texts: int, known: Places, count: int, rng: np.random.Generator
) -> _Drawn:
    """Draw in rounds while they give enough new pairs; draw the rest from all pairs left."""
    kept = _Drawn(np.empty(0, np.int64), np.empty(0, np.int64))
    is_fresh = True
    while is_fresh and len(kept.lefts) < count:
        drawn = _one_round(near, turns, texts, rng)
        new = _only_new(drawn, np.union1d(known, kept.keys))
        is_fresh = len(new.lefts) > STALE * len(drawn.lefts)
        kept = kept.and_(new)
    missing = count - len(kept.lefts)
    if missing > 0:
        kept = kept.and_(_from_the_rest(np.union1d(known, kept.keys), texts, missing, rng))
    return kept.take(np.arange(count))


def _one_round(near: NDArray[np.int32], turns: Places, texts: int, rng: np.random.Generator) -> _Drawn:
    """A neighbour for each text and, for some, any other text, in the order of the turns."""
    ranks = neighbour_ranks(near.shape[1], len(turns), rng)
    partners = near[np.arange(len(turns)), ranks].astype(np.int64)
    others = rng.integers(texts - 1, size=len(turns))
    others += others >= turns  # never the text itself
    chosen = rng.random(len(turns)) < AT_RANDOM
    both = _Drawn(turns.astype(np.int64), partners).and_(_Drawn(turns[chosen], others[chosen]))
    return both.take(np.argsort(np.concatenate([np.arange(len(turns)), np.flatnonzero(chosen)]), kind="stable"))


def neighbour_ranks(near: int, count: int, rng: np.random.Generator) -> Places:
    """Random ranks floor((near - 1) u²) with u uniform on 0..1: nearer neighbours more often."""
    return ((near - 1) * rng.random(count) ** 2).astype(np.int64)


def _only_new(drawn: _Drawn, taken: Places) -> _Drawn:
    """The first occurrence of each pair that is not taken."""
    keys, first = np.unique(drawn.keys, return_index=True)
    return drawn.take(np.sort(first[~np.isin(keys, taken)]))


def _from_the_rest(taken: Places, texts: int, missing: int, rng: np.random.Generator) -> _Drawn:
    """Uniformly drawn free pairs; the r-th free number is r plus the count of taken numbers before it."""
    free = rng.choice(_all_pairs(texts) - len(taken), missing, replace=False)
    before = np.searchsorted(taken - np.arange(len(taken)), free, side="right")
    return _Drawn.of_keys(free + before)


def _items(lefts: list[str], rights: list[str]) -> Items:
    columns = {
        "id": [f"new-{number:06d}" for number in range(1, len(lefts) + 1)],
        "left": lefts,
        "right": rights,
    }
    return Items(with_all_columns(pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String())), ITEM_SCHEMA))
