"""Ids of predictions matched with the ids of items."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from similitude.data.reading.codes import is_running_number
from similitude.data.reading.problems import excerpt
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = ["IdMatch", "increases", "is_running"]

WHOLE = re.compile(r"\+?0*(\d+)(?:\.0*)?")
SHOWN = 3
FLAG = "--predictions-column"


@dataclass(frozen=True)
class IdMatch:
    """The ids of a column beside the ids of the items.

    Ids are compared without surrounding white space. Where that leaves items without a prediction, whole numbers are
    compared by value, so that ``1.0`` and ``001`` are ``1``, unless two ids have the same value.

    Attributes:
        there: the id of each prediction; None where it is blank.
        ids: the ids of the items.
    """

    there: Sequence[str | None]
    ids: Sequence[str]

    @cached_property
    def by_value(self) -> bool:
        """Whether whole numbers are compared by value."""
        mine, theirs = self._mine, {name for name in self._theirs if name}
        if theirs.issuperset(mine) or not (_distinct(mine, _value) and _distinct(theirs, _value)):
            return False
        return len(_values(mine) & _values(theirs)) > len(theirs.intersection(mine))

    @cached_property
    def keys(self) -> list[str]:
        """The id of each prediction as it is compared."""
        return self._compared(self._theirs)

    @cached_property
    def wanted(self) -> list[str]:
        """The id of each item as it is compared."""
        return self._compared(self._mine)

    @cached_property
    def found(self) -> int:
        """How many items have a prediction."""
        there = set(self.keys)
        return sum(name in there for name in self.wanted)

    @property
    def covers(self) -> bool:
        """Whether every item has a prediction."""
        return self.found == len(self.ids)

    @property
    def fits(self) -> bool:
        """Whether the column holds ids of the items: it covers them, or holds nothing else and nothing twice."""
        distinct = set(self.keys)
        return self.covers or (len(distinct) == len(self.keys) and distinct <= set(self.wanted))

    @property
    def in_order(self) -> bool:
        """Whether the predictions come in the order of the items."""
        return self.keys == self.wanted

    def rows(self, table: RawTable, column: str) -> NDArray[np.intp]:
        """The row of each item.

        Raises:
            InputError: an item has no prediction or two, or an id is blank.
        """
        rows = {name: row for row, name in reversed(list(enumerate(self.keys)))}
        complaints = [*self._missing(rows), *self._repeated(table), *self._blank(table)]
        if complaints:
            unknown = self._unknown(table)
            by_row = f"; or match the rows in order with {FLAG} id= (ids are in column {excerpt(column)} now)"
            raise InputError(
                "; ".join(complaints + ([unknown] if unknown else [])),
                where=table.file,
                remedy="give one prediction per item, with the ids of the gold file"
                + (by_row if len(table) == len(self.ids) else ""),
            )
        return np.array([rows[name] for name in self.wanted], dtype=np.intp)

    def notes(self, table: RawTable) -> list[str]:
        """What the user should know of the match."""
        unknown = self._unknown(table)
        notes = [f"{unknown}, and is not used" if unknown.startswith("1 ") else f"{unknown}, and are not used"]
        notes = notes if unknown else []
        if self.by_value:
            pair = next(
                (mine, theirs) for mine, theirs in self._pairs() if mine != theirs
            )  # by value only if some differ
            notes.append(f"ids were compared as numbers: {excerpt(pair[1])} is {excerpt(pair[0])}")
        if not self.in_order and len(self.keys) == len(self.wanted):
            notes.append("the predictions come in another order than the items, and were matched by id")
        return notes

    def _pairs(self) -> list[tuple[str, str]]:
        theirs = dict(zip(self.keys, self._theirs, strict=True))
        return [(mine, theirs[key]) for mine, key in zip(self._mine, self.wanted, strict=True) if key in theirs]

    @cached_property
    def _mine(self) -> list[str]:
        return _stripped(self.ids)

    @cached_property
    def _theirs(self) -> list[str]:
        return _stripped(self.there)

    def _compared(self, names: list[str]) -> list[str]:
        return [_value(name) for name in names] if self.by_value else names

    def _missing(self, rows: dict[str, int]) -> list[str]:
        names = [name for name, key in zip(self.ids, self.wanted, strict=True) if key not in rows]
        if not names:
            return []
        return [f"no prediction for {len(names):,} of {len(self.ids):,} items ({_some(names)})"]

    def _repeated(self, table: RawTable) -> list[str]:
        twice = [name for name, count in Counter(self.keys).items() if count > 1 and name]
        if not twice:
            return []
        places = ", ".join(_places(table, [row for row, name in enumerate(self.keys) if name == twice[0]]))
        more = f", and {len(twice) - 1:,} more ids" if len(twice) > 1 else ""
        return [f"more than one prediction has the id {excerpt(twice[0])} ({table.unit} {places}{more})"]

    def _blank(self, table: RawTable) -> list[str]:
        rows = [row for row, name in enumerate(self.keys) if not name]
        if not rows:
            return []
        return [f"{len(rows):,} ids are blank ({table.unit} {', '.join(_places(table, rows))})"]

    def _unknown(self, table: RawTable) -> str:
        known = set(self.wanted)
        rows = [row for row, name in enumerate(self.keys) if name and name not in known]
        if not rows:
            return ""
        count = f"{len(rows):,} prediction{'s have ids' if len(rows) > 1 else ' has an id'}"
        first = f"{excerpt(self.there[rows[0]])} at {table.unit} {_places(table, rows)[0]}"
        return f"{count} that no item has ({first}{', ...' if len(rows) > 1 else ''})"


def is_running(numbers: NDArray[np.float64]) -> bool:
    """Whether these count rows: 0, 1, 2, ... or 1, 2, 3, ...; or, if there are more of them, from any number on.

    >>> is_running(np.array([1.0, 2.0, 3.0])), is_running(np.array([1.0, 3.0, 2.0]))
    (True, False)
    """
    return is_running_number(numbers, 3 if len(numbers) and numbers[0] in (0, 1) else 6)


def increases(numbers: NDArray[np.float64]) -> bool:
    """Whether these are whole numbers, each greater than the one before."""
    return bool((numbers == np.floor(numbers)).all() and (np.diff(numbers) > 0).all())


def _stripped(names: Sequence[str | None]) -> list[str]:
    stripped = [(name or "").strip() for name in names]
    return [name if name.isascii() else unicodedata.normalize("NFC", name) for name in stripped]


def _value(name: str) -> str:
    match = WHOLE.fullmatch(name)
    return match[1] if match else name


def _values(names: Sequence[str] | set[str]) -> set[str]:
    return set(map(_value, names))


def _distinct(names: Sequence[str] | set[str], key: Callable[[str], str]) -> bool:
    return len(set(map(key, names))) == len(set(names))


def _some(names: Sequence[str]) -> str:
    return ", ".join(excerpt(name) for name in names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")


def _places(table: RawTable, rows: Sequence[int]) -> list[str]:
    shown = [table.where(row).removeprefix(f"{table.file}, {table.unit} ") for row in rows[:SHOWN]]
    return [*shown, "..."] if len(rows) > SHOWN else shown
