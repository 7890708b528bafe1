"""The requested size and number of tuples, and the arithmetic of impossible requests."""

from __future__ import annotations

import math
from dataclasses import dataclass

from similitude.collect.design.plural import ratio, tuple_name
from similitude.data.plural import counted
from similitude.errors import ArgumentError

__all__ = ["USUAL_FACTOR", "TupleRequest"]

USUAL_FACTOR = 2.0
"""Tuples per item; 1.5 to 2 give reliable scores (Kiritchenko and Mohammad 2016)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TupleRequest:
    """The size of tuples and their number, given by at most one of ``tuples``, ``per_item`` and ``factor``.

    Attributes:
        size: items per tuple.
        tuples: the number of tuples. With groups, the number per group.
        per_item: the least number of tuples that each item is in. This makes ceil(items x per_item / size) tuples.
        factor: the number of tuples per item. By default 2.
    """

    size: int = 4
    tuples: int | None = None
    per_item: int | None = None
    factor: float | None = None

    def __post_init__(self) -> None:
        if self.size < 2:
            raise ArgumentError(f"a tuple of {self.size} leaves nothing to choose", remedy="use a size of at least 2")
        given = {name: getattr(self, name) for name in ("tuples", "per_item", "factor")}
        said = {name: value for name, value in given.items() if value is not None}
        if len(said) > 1:
            what = f"{' and '.join(said)} both say how many tuples there should be"
            raise ArgumentError(what, remedy="give only one of them")
        for name, value in said.items():
            if not (math.isfinite(value) and value > 0):
                raise ArgumentError(f"{name}={value} asks for no tuples", remedy=f"{name} must be more than 0")

    def count(self, items: int, where: str = "") -> int:
        """The number of tuples for this many items.

        >>> TupleRequest(size=3, factor=2).count(5), TupleRequest(size=4, per_item=3).count(10)
        (10, 8)

        Raises:
            ArgumentError: no such tuples exist; the message shows the arithmetic.
        """
        if self.size > items:
            what = f"a tuple of {self.size} distinct items needs at least {self.size}; there {_are(items)}"
            raise ArgumentError(what, where=where, remedy="use smaller tuples or more items")
        count = self._count(items)
        self._refuse_too_many(count, items, where)
        self._refuse_too_few(count, items, where)
        return count

    def _count(self, items: int) -> int:
        if self.tuples is not None:
            return self.tuples
        if self.per_item is not None:
            return math.ceil(items * self.per_item / self.size)
        # 1.1 x 10 is 11, not the 12 that 11.000000000000002 would be rounded up to.
        return math.ceil(round((self.factor or USUAL_FACTOR) * items, 9))

    def _refuse_too_many(self, count: int, items: int, where: str) -> None:
        exist = math.comb(items, self.size)
        if count > exist:
            only = f"{counted(items, 'item')} give only C({items},{self.size}) = {exist:,} different ones"
            what = f"{self._asked(count, items)}, but {only}"
            raise ArgumentError(what, where=where, remedy=f"request at most {exist:,}, or tuples of another size")

    def _refuse_too_few(self, count: int, items: int, where: str) -> None:
        places = count * self.size
        if places < items:
            have = "has" if count == 1 else "have"
            what = f"{self._asked(count, items)}, which {have} {places:,} places, too few for {items:,} items"
            raise ArgumentError(what, where=where, remedy=f"request at least {math.ceil(items / self.size):,}")

    def _asked(self, count: int, items: int) -> str:
        """``12 triples requested``, with the arithmetic if the number was computed."""
        why = ""
        if self.per_item is not None:
            why = f" ({items:,} x {self.per_item} / {self.size})"
        elif self.tuples is None:
            why = f" ({ratio(self.factor or USUAL_FACTOR)} x {items:,} items)"
        return f"{counted(count, tuple_name(self.size))} requested{why}"


def _are(items: int) -> str:
    return f"{'is' if items == 1 else 'are'} {items:,}"
