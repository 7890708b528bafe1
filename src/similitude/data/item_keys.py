"""When two items count as the same: the same two texts in either order, under the same condition."""

from __future__ import annotations

from collections.abc import Iterator

from similitude.data.item import Items

__all__ = ["PairKey", "condition_key", "item_keys", "pair_key"]

PairKey = tuple[str, str]


def pair_key(left: str, right: str) -> PairKey:
    """The two texts, the same in either order.

    >>> pair_key("b", "a")
    ('a', 'b')
    """
    return (left, right) if left <= right else (right, left)


def condition_key(condition: str | None) -> str:
    """A condition without case, blanks that make no difference and a stop at its end.

    >>> condition_key(" The  Colour.")
    'the colour'
    """
    return " ".join((condition or "").casefold().split()).rstrip(".。")


def item_keys(items: Items) -> Iterator[tuple[PairKey, str]]:
    """The pair and the condition of each item, in order."""
    for left, right, condition in zip(items.lefts, items.rights, items.conditions, strict=True):
        yield pair_key(left, right), condition_key(condition)
