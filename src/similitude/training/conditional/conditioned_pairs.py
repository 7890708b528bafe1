"""New pairs for known conditions: two neighbouring texts under a condition of each of them."""

from __future__ import annotations

import numpy as np

from similitude.data.item import Items
from similitude.data.item_keys import condition_key
from similitude.data.protocols import Listener, VectorCache
from similitude.errors import ArgumentError
from similitude.training.conditional.borrowed_conditions import UnderCondition, items_in_twos
from similitude.training.neighbour_pairs import new_pairs

__all__ = ["conditioned_pairs"]


def conditioned_pairs(
    items: Items,
    count: int,
    *,
    rng: np.random.Generator,
    never: Items | None = None,
    or_fewer: bool = False,
    encoder: str = "use",
    cache: VectorCache | None = None,
    listener: Listener | None = None,
) -> Items:
    """Pairs of neighbouring texts that nobody rated together, each under two conditions.

    The pairs are those of `new_pairs`. One condition is one that the left text was rated under, the other one that the
    right text was; if both texts know only the same one, the other is drawn from all conditions.

    Args:
        items: rated pairs under conditions, whose texts are used.
        count: the number of pairs; there are twice as many items.
        rng: for all random choices.
        never: other pairs that must not be made, in either order; their texts are not used.
        or_fewer: whether all that there are will do.
        encoder: a system that gives vectors of texts.
        cache: where the encoder keeps what it computes.
        listener: is told the progress.

    Returns:
        The items, two by two in groups ``pair-000001`` and so on.

    Raises:
        ArgumentError: there are fewer than two conditions, or the texts do not make this many pairs.
    """
    known = _conditions_of_texts(items)
    everything = sorted({one for own in known.values() for one in own})
    is_possible = len({condition_key(one) for one in everything}) > 1
    if not count or (or_fewer and not is_possible):
        return items_in_twos([], "pair")
    if not is_possible:
        raise ArgumentError(
            "new pairs stand under two conditions each, and the data has fewer", remedy="omit --new-pairs"
        )
    made = new_pairs(
        items, count, rng=rng, never=never, or_fewer=or_fewer, encoder=encoder, cache=cache, listener=listener
    )
    drawn = []
    for left, right in zip(made.lefts, made.rights, strict=True):
        first = _one(known[left] or everything, rng)
        others = _unlike(known[right], first) or _unlike(known[left], first) or _unlike(everything, first)
        drawn += [UnderCondition(left, right, first), UnderCondition(left, right, _one(others, rng))]
    return items_in_twos(drawn, "pair")


def _conditions_of_texts(items: Items) -> dict[str, list[str]]:
    """The conditions that each text was rated under, sorted."""
    found: dict[str, set[str]] = {text: set() for text in items.texts()}
    for left, right, condition in zip(items.lefts, items.rights, items.conditions, strict=True):
        if condition:
            found[left].add(condition)
            found[right].add(condition)
    return {text: sorted(conditions) for text, conditions in found.items()}


def _one(conditions: list[str], rng: np.random.Generator) -> str:
    return conditions[rng.integers(len(conditions))]


def _unlike(conditions: list[str], first: str) -> list[str]:
    return [one for one in conditions if condition_key(one) != condition_key(first)]
