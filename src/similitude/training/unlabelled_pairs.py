"""The pairs that a teacher labels: new ones of two kinds, and those that the user gives."""

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
    """Pairs for a teacher, and where they come from.

    Attributes:
        items: changed pairs, neighbours and given pairs, in this order.
        changed: the number of rated pairs in which a text was changed.
        neighbours: the number of pairs of unchanged texts.
        given: the number of pairs that the user gave.
        left_out: the number of given pairs that are in the training or validation data, or repeated.
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
    or_fewer: bool = False,
    cache: VectorCache | None = None,
    listener: Listener | None = None,
) -> PairsToLabel:
    """New pairs, half of each kind, and the given ones, without pairs of the data and repeated pairs, in either order.

    If there are too few pairs of one kind, the other makes up for it.

    Args:
        data: to learn from and to validate on; new pairs are made from training texts.
        count: the number of new pairs.
        unlabelled: pairs that the user gives.
        rng: for all random choices.
        or_fewer: whether all that there are will do.
        cache: where the encoder that finds neighbours keeps what it computes.
        listener: is told the progress.

    Raises:
        ArgumentError: there are too few texts for this many pairs, or all given pairs are in the data and no new ones
            are requested.
    """
    rated, held_out = (pl.concat([part.items.frame for part in parts]) for parts in (data.train, data.validation))
    given = _given(unlabelled, pl.concat([rated, held_out]))
    left_out = 0 if unlabelled is None else len(unlabelled) - len(given)
    if unlabelled is not None and not count + len(given):
        what = f"all {left_out:,} pairs are in the training or validation data"
        raise ArgumentError(what, where=unlabelled.name, remedy="give other pairs, or --new-pairs N")
    made = _made(Items(rated), count, Items(pl.concat([held_out, given])), rng, or_fewer, cache, listener)
    if count and not len(made.changed) + len(made.neighbours) + len(given):
        what = "the data makes no new pairs for the teacher to label"
        raise ArgumentError(what, remedy="give more texts, or pairs of your own with --unlabelled")
    together = Items(pl.concat([made.changed.frame, made.neighbours.frame, given]))
    return PairsToLabel(together, len(made.changed), len(made.neighbours), len(given), left_out)


class _Made(NamedTuple):
    """New pairs by how they were made; the kinds are disjoint, because a changed pair has a new text."""

    changed: Items
    neighbours: Items


def _made(
    rated: Items,
    count: int,
    never: Items,
    rng: np.random.Generator,
    or_fewer: bool,
    cache: VectorCache | None,
    listener: Listener | None,
) -> _Made:
    """Half of each kind, or more of one if there are too few of the other."""
    texts = [text for text in rated.texts() if text.strip()]
    possible = len(texts) * (len(texts) - 1) // 2 - _pairs_among(texts, [rated, never])
    changed = changed_pairs(rated, max(count // 2, count - possible), rng=rng, never=never, listener=listener)
    missing = count - len(changed)
    if missing > possible and not or_fewer:
        raise _too_many(count, len(texts), len(changed), possible)
    return _Made(
        changed, new_pairs(rated, missing, rng=rng, never=never, or_fewer=or_fewer, cache=cache, listener=listener)
    )


def _pairs_among(texts: list[str], several: list[Items]) -> int:
    """The number of distinct pairs in the items whose texts are both among these, in either order."""
    ours = set(texts)
    pairs = {frozenset(pair) for items in several for pair in zip(items.lefts, items.rights, strict=True)}
    return sum(len(pair) == 2 and pair <= ours for pair in pairs)


def _too_many(count: int, texts: int, changed: int, neighbours: int) -> ArgumentError:
    most = changed + neighbours
    return ArgumentError(
        f"{count:,} new pairs cannot be made from {texts:,} texts: there are {most:,} ({changed:,} by changing rated "
        f"pairs, {neighbours:,} of unchanged texts)",
        remedy=f"request at most {most:,}, or give more texts" if most else "give more texts",
    )


def _given(unlabelled: Benchmark | None, known: pl.DataFrame) -> pl.DataFrame:
    """The given pairs that are not in the data, each once, in either order, without conditions."""
    if unlabelled is None:
        return known.clear()
    texts = ["_one", "_other"]
    new = _in_either_order(unlabelled.items.frame).join(
        _in_either_order(known), on=texts, how="anti", maintain_order="left"
    )
    kept = new.unique(subset=texts, keep="first", maintain_order=True).drop(texts)
    unlike = "unlabelled-" + pl.col("id")  # differs from all ids of new pairs
    return kept.with_columns(id=unlike, condition=pl.lit(None, pl.String))


def _in_either_order(frame: pl.DataFrame) -> pl.DataFrame:
    left, right = pl.col("left"), pl.col("right")
    turned = left > right
    return frame.with_columns(
        _one=pl.when(turned).then(right).otherwise(left), _other=pl.when(turned).then(left).otherwise(right)
    )
