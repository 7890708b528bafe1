"""The items that a teacher of scores labels: new conditions, new pairs, and those that the user gives."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.item_keys import item_keys
from similitude.errors import ArgumentError, InputError
from similitude.training.conditional.conditioned_pairs import conditioned_pairs
from similitude.training.conditional.new_conditions import ConditionSource
from similitude.training.splits import SeveralData, TrainingData
from similitude.training.unlabelled_pairs import pairs_to_label

__all__ = ["ItemsToLabel", "has_conditions", "items_to_label", "plain_pairs_to_label"]


class ItemsToLabel(NamedTuple):
    """Items for a teacher, and where they come from.

    Attributes:
        items: all of them; two in a row share a group where they share their texts.
        counts: the number of items of each kind, for the record.
        left_out: the number of given items that are rated or validated on, or repeated.
        notes: what the user should know.
    """

    items: Items
    counts: dict[str, int]
    left_out: int = 0
    notes: tuple[str, ...] = ()


def has_conditions(items: Items) -> bool:
    """Whether any item has a condition."""
    return items.frame["condition"].null_count() < len(items)


def items_to_label(
    data: TrainingData, source: ConditionSource, unlabelled: Benchmark | None, rng: np.random.Generator
) -> ItemsToLabel:
    """Rated pairs under new conditions, new pairs under known conditions, and given items.

    No item is a rated pair under a condition of its own, or a pair of the validation data, in either order; none
    occurs twice.

    Args:
        data: to learn from and to validate on.
        source: makes new conditions; says how many new pairs there are.
        unlabelled: items that the user gives.
        rng: for all random choices.

    Raises:
        ArgumentError: there are too few texts or conditions, or nothing is left to label.
        InputError: a given item has no condition.
    """
    rated, held_out = data.train.items, data.validation.items
    borrowed = source.conditions(rated, held_out, rng)
    pairs = conditioned_pairs(
        rated,
        source.teaching.pairs,
        rng=rng,
        never=held_out,
        or_fewer=source.teaching.fewer_pairs,
        cache=source.cache,
        listener=source.listener,
    )
    made = pl.concat([borrowed.items.frame, pairs.frame])
    given = _given(unlabelled, data, Items(made))
    left_out = 0 if unlabelled is None else len(unlabelled) - len(given)
    if source.teaching.wants_new and not len(given) + len(made) and unlabelled is None:
        what = "the data makes no new conditions and no new pairs for the teacher to label"
        remedy = "give more conditions (--conditions-from), or items of your own (--unlabelled)"
        alone = ", or learn its scores of the rated items alone: --new-conditions 0 --new-pairs 0"
        can_be_alone = source.teaching.blend > 0 and source.teaching.conditions_from is None
        raise ArgumentError(what, remedy=remedy + (alone if can_be_alone else ""))
    if unlabelled is not None and not len(given) + len(made):
        what = f"all {left_out:,} items are in the training or validation data"
        raise ArgumentError(what, where=unlabelled.name, remedy="give other items, or --new-conditions N")
    counts = {"new_conditions": len(borrowed.items), "new_pairs": len(pairs) // 2, "unlabelled": len(given)}
    return ItemsToLabel(Items(pl.concat([made, given])), counts, left_out, borrowed.notes)


def plain_pairs_to_label(
    data: TrainingData, source: ConditionSource, unlabelled: Benchmark | None, rng: np.random.Generator
) -> ItemsToLabel:
    """New and given pairs without conditions, as for ``train uncertain``.

    Raises:
        ArgumentError: as for `pairs_to_label`.
    """
    several = SeveralData((data.train,), (data.validation,))
    found = pairs_to_label(
        several,
        source.teaching.pairs,
        unlabelled,
        rng=rng,
        or_fewer=source.teaching.fewer_pairs,
        cache=source.cache,
        listener=source.listener,
    )
    made = found.changed + found.neighbours
    counts = {"new_pairs": made, "changed_pairs": found.changed, "unlabelled": found.given}
    return ItemsToLabel(found.items, counts, found.left_out)


def _given(unlabelled: Benchmark | None, data: TrainingData, made: Items) -> pl.DataFrame:
    """The given items that are new, each once."""
    if unlabelled is None:
        return made.frame.clear()
    items = unlabelled.items
    bare = [id_ for id_, condition in zip(items.ids, items.conditions, strict=True) if not condition]
    if bare:
        raise InputError(
            f"{len(bare):,} of {len(items):,} items have no condition; the first is '{bare[0]}'",
            where=unlabelled.name,
            remedy="add a column condition, or have a language model write them: similitude conditions",
        )
    held_out = {pair for pair, _ in item_keys(data.validation.items)}
    taken = {*item_keys(data.train.items), *item_keys(made)}
    kept = []
    for place, key in enumerate(item_keys(items)):
        if key[0] not in held_out and key not in taken:
            taken.add(key)
            kept.append(place)
    prefix = pl.lit("unlabelled-")  # differs from all ids and groups of new items
    return items.take(np.array(kept, np.intp)).frame.with_columns(
        id=prefix + pl.col("id"), group=prefix + pl.col("group")
    )
