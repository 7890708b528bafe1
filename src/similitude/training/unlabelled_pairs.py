"""The pairs that a teacher is asked about: new ones of two kinds, and those that the user gives; none that is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.protocols import Listener, VectorCache
from similitude.errors import ArgumentError
from similitude.training.neighbour_pairs import new_pairs
from similitude.training.splits import SeveralData
from similitude.training.text_augmentation import changed_pairs

__all__ = ["PairsToLabel", "pairs_to_label"]


class PairsToLabel(NamedTuple):
    """What a teacher is asked about, and where it comes from.

    Attributes:
        items: changed pairs, neighbours and given pairs, in this order.
        changed: how many are rated pairs of which a text was changed.
        neighbours: how many are made of two texts as they are.
        given: how many the user gave.
        left_out: how many more the user gave that are learned from or validated on, or came before.
    """

    items: Items
    changed: int
    neighbours: int
    given: int
    left_out: int


def pairs_to_label(
    data: SeveralData,
    count: int,
    unlabelled: Benchmark | None,
    *,
    rng: np.random.Generator,
    cache: VectorCache | None = None,
    listener: Listener | None = None,
) -> PairsToLabel:
    """So many new pairs, half of each kind, and those given; no pair is rated, held out or twice, in either order.

    Where there are too few of one kind, the other makes up for it.

    Args:
        data: to learn from and to validate on; new pairs are made of texts to learn from.
        count: of new pairs.
        unlabelled: pairs that the user gives.
        rng: what is drawn by chance.
        cache: where the encoder that finds neighbours keeps what it computes.
        listener: hears how far it is.

    Raises:
        ArgumentError: there are too few texts for so many pairs, or all given pairs are known and no others wanted.
    """
    rated, held_out = (pl.concat([part.items.frame for part in parts]) for parts in (data.train, data.validation))
    given = _given(unlabelled, pl.concat([rated, held_out]))
    left_out = 0 if unlabelled is None else len(unlabelled) - len(given)
    if unlabelled is not None and not count + len(given):
        what = f"all {left_out:,} pairs are learned from or validated on already"
        raise ArgumentError(what, where=unlabelled.name, remedy="give other pairs, or --new-pairs N")
    made = _made(Items(rated), count, Items(pl.concat([held_out, given])), rng, cache, listener)
    together = Items(pl.concat([made.changed.frame, made.neighbours.frame, given]))
    return PairsToLabel(together, len(made.changed), len(made.neighbours), len(given), left_out)


class _Made(NamedTuple):
    """New pairs by how they were made; none can be of both kinds, since a changed pair has a text that is new."""

    changed: Items
    neighbours: Items


def _made(
    rated: Items,
    count: int,
    never: Items,
    rng: np.random.Generator,
    cache: VectorCache | None,
    listener: Listener | None,
) -> _Made:
    """Half of each kind, or more of one where there are too few of the other."""
    texts = [text for text in rated.texts() if text.strip()]
    possible = len(texts) * (len(texts) - 1) // 2 - _pairs_among(texts, [rated, never])
    changed = changed_pairs(rated, max(count // 2, count - possible), rng=rng, never=never, listener=listener)
    missing = count - len(changed)
    if missing > possible:
        raise _too_many(count, len(texts), len(changed), possible)
    return _Made(changed, new_pairs(rated, missing, rng=rng, never=never, cache=cache, listener=listener))


def _pairs_among(texts: list[str], several: list[Items]) -> int:
    """How many pairs of two of these texts there are in items, in whichever order."""
    ours = set(texts)
    pairs = {frozenset(pair) for items in several for pair in zip(items.lefts, items.rights, strict=True)}
    return sum(len(pair) == 2 and pair <= ours for pair in pairs)


def _too_many(count: int, texts: int, changed: int, neighbours: int) -> ArgumentError:
    most = changed + neighbours
    return ArgumentError(
        f"{count:,} new pairs cannot be made of {texts:,} texts: there are {most:,} ({changed:,} by changing rated "
        f"pairs, {neighbours:,} of texts as they are)",
        remedy=f"ask for {most:,} at most, or give more texts" if most else "give more texts",
    )


def _given(unlabelled: Benchmark | None, known: pl.DataFrame) -> pl.DataFrame:
    """The items that the user gives and that are not known, each once, in whichever order its texts stand."""
    if unlabelled is None:
        return known.clear()
    texts = ["_one", "_other"]
    new = _in_either_order(unlabelled.items.frame).join(
        _in_either_order(known), on=texts, how="anti", maintain_order="left"
    )
    kept = new.unique(subset=texts, keep="first", maintain_order=True).drop(texts)
    return kept.with_columns(id="unlabelled-" + pl.col("id"))  # no new pair is called so


def _in_either_order(frame: pl.DataFrame) -> pl.DataFrame:
    left, right = pl.col("left"), pl.col("right")
    turned = left > right
    return frame.with_columns(
        _one=pl.when(turned).then(right).otherwise(left), _other=pl.when(turned).then(left).otherwise(right)
    )
