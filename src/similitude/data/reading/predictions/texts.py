"""Texts in a table of predictions compared with the texts of the items, which shows rows that moved."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.reading.column_names import ALIASES, find_column
from similitude.data.reading.predictions.roles import FLAG, Candidates
from similitude.data.reading.problems import excerpt
from similitude.errors import InputError

__all__ = ["Texts", "text_columns", "text_rows"]

Texts = Sequence[tuple[str | None, ...]]
"""Left and right text of each item and, where items have conditions, its condition."""

NAMES = ("left", "right", "condition")


class TextRows(NamedTuple):
    """The row of each item, and a note on how it was found."""

    rows: NDArray[np.intp]
    note: str


def text_columns(candidates: Candidates, score: str, texts: Texts) -> dict[str, str] | None:
    """The columns of left and right texts, by their names or else by what they hold, if the table has both.

    A column of conditions is one of them if the items have conditions, because a pair occurs under several.

    Raises:
        InputError: only one side of the items is there, and its rows come in another order.
    """
    free = [name for name in candidates.free([score]) if name not in candidates.numeric]
    named = [find_column(free, ALIASES[name]) for name, _ in zip(NAMES, texts[0], strict=False)]
    if None not in named[:2]:
        return _found(named)
    sides = [[_plain(text) for text in side] for side in zip(*texts, strict=True)]
    held = [_holder(candidates, free, side) for side in sides]
    if None not in held[:2] and held[0] != held[1]:
        return _found(held)
    for name, side in zip(held[:2], sides, strict=False):
        if name is not None:
            _refuse_moved(candidates, [_plain(text) for text in candidates.column(name)], side)
    return None


def _found(columns: Sequence[str | None]) -> dict[str, str]:
    return {ours: theirs for ours, theirs in zip(NAMES, columns, strict=False) if theirs is not None}


def _holder(candidates: Candidates, names: Sequence[str], side: Sequence[str]) -> str | None:
    """The column that holds these texts, in whatever order."""
    wanted = Counter(side)
    for name in names if len(wanted) > 1 else ():
        column = candidates.column(name)
        if _plain(column[0]) in wanted and Counter(map(_plain, column)) == wanted:
            return name
    return None


def text_rows(candidates: Candidates, columns: Mapping[str, str], texts: Texts) -> TextRows:
    """The row of each item, by its texts; there are as many rows as items.

    Raises:
        InputError: the rows hold other texts than the items, or the same texts several times in another order.
    """
    there = [tuple(map(_plain, row)) for row in zip(*map(candidates.column, columns.values()), strict=True)]
    wanted = [tuple(map(_plain, row[: len(columns)])) for row in texts]
    if there == wanted:
        return TextRows(np.arange(len(wanted)), "the texts in the rows are those of the items, in the same order")
    rows = {pair: row for row, pair in enumerate(there)}
    if len(rows) == len(there) and set(rows) == set(wanted):
        order = np.array([rows[pair] for pair in wanted], dtype=np.intp)
        return TextRows(order, "the rows come in another order than the items, and were matched by their texts")
    row = next(row for row, (mine, theirs) in enumerate(zip(wanted, there, strict=True)) if mine != theirs)
    raise _moved(
        candidates, row, next(text for text, mine in zip(there[row], wanted[row], strict=True) if text != mine)
    )


def _refuse_moved(candidates: Candidates, there: Sequence[str], wanted: Sequence[str]) -> None:
    rows = [row for row, (mine, theirs) in enumerate(zip(wanted, there, strict=True)) if mine != theirs]
    if rows:
        raise _moved(candidates, rows[0], there[rows[0]])


def _moved(candidates: Candidates, row: int, text: str) -> InputError:
    return InputError(
        f"the row holds other texts than item {excerpt(candidates.ids[row])} ({excerpt(text)})",
        where=candidates.table.where(row),
        remedy=f"give the ids of the items in a column, or match the rows in order with {FLAG} id=",
    )


def _plain(text: object) -> str:
    """A text without differences in white space and in the composition of characters."""
    return " ".join(unicodedata.normalize("NFC", str(text or "")).split())
