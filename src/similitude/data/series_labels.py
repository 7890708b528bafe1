"""Series of pandas side by side: whether their labels allow that their rows belong together."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from similitude.errors import ArgumentError

__all__ = ["refuse_other_order"]


def refuse_other_order(columns: Mapping[Any, Any], where: str = "") -> None:
    """Check that no two series of pandas have labels that contradict the order of their rows.

    An index that only counts the rows says nothing about which labels they had, unless it has the same ones.

    Args:
        columns: what is to be put side by side, by name; what has no index is taken by its rows.
        where: for the message.

    Raises:
        ArgumentError: two have the same labels in another order, or share some of them.
    """
    indexes = {name: each.index for name, each in columns.items() if hasattr(getattr(each, "index", None), "equals")}
    for (first, one), (name, other) in combinations(indexes.items(), 2):
        if len(one) != len(other) or one.equals(other):
            continue
        if is_same := bool(one.isin(other).all() and other.isin(one).all()):
            said = "the same index in different orders"
        elif one.isin(other).any() and not _counts(one) and not _counts(other):
            said = "different indexes that share labels"
        else:
            continue
        by_labels = f"labels: {name}.loc[{first}.index]; " if is_same and one.is_unique else ""
        what = f"{name} and {first} have {said}: do labels or rows belong together?"
        raise ArgumentError(what, where=where, remedy=f"{by_labels}rows: {name}.to_numpy()")


def _counts(index: Any) -> bool:
    """Whether an index counts the rows from 0."""
    return list(index) == list(range(len(index)))
