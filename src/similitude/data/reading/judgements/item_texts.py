"""Items whose texts a file of judgements contains; an id is made from the texts if there is none."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from similitude.data.item import ITEM_SCHEMA, with_all_columns
from similitude.data.reading.column_types import KINDS, cast
from similitude.data.reading.judgements.column_names import TEXTS
from similitude.data.reading.tables import Column

__all__ = ["NamedPairs", "items_of", "name_pairs", "pair_id"]


class NamedPairs(NamedTuple):
    """Pairs of texts that were written in one cell each.

    Attributes:
        ids: cells to ids of their pairs.
        items: the pairs, with the columns of `ITEM_SCHEMA`.
    """

    ids: dict[str, str]
    items: pl.DataFrame


def pair_id(left: str, right: str, *more: str) -> str:
    """An id made from two texts, and from their context and condition if they have one, the same in every file.

    >>> pair_id("a cat", "one cat")
    'pair-...'
    """
    digest = hashlib.sha256("\x1f".join((left, right, *more)).encode())
    return f"pair-{digest.hexdigest()[:12]}"


def items_of(columns: Mapping[str, Column], ids: pl.Series | None) -> pl.DataFrame | None:
    """The items of the rows; None if a row lacks one of its texts.

    Args:
        columns: our names to raw columns.
        ids: one id for each row; by default made from the texts.
    """
    if not {"left", "right"} <= set(columns):
        return None
    frame = pl.DataFrame({name: cast(columns[name], KINDS[name]).values for name in TEXTS if name in columns})
    if frame["left"].null_count() or frame["right"].null_count():
        return None
    if ids is None:
        told = [frame[name].cast(pl.String) for name in TEXTS[:4] if name in columns]
        shown = list(zip(*(column.to_list() for column in told), strict=True))
        named = {texts: pair_id(*(text for text in texts if text is not None)) for texts in set(shown)}
        ids = pl.Series([named[texts] for texts in shown], dtype=pl.String)
    return frame.with_columns(ids.alias("id"))


def name_pairs(cells: Sequence[str]) -> NamedPairs | None:
    """Ids for cells that are written as lists of two texts, ``['a', 'b']``; None if the first cell is not.

    A cell that cannot be read as two texts is its own id.
    """
    if not cells or _pair(cells[0]) is None:
        return None
    pairs = {cell: pair for cell in dict.fromkeys(cells) if (pair := _pair(cell)) is not None}
    ids = {cell: pair_id(*pair) for cell, pair in pairs.items()}
    rows = {ids[cell]: pair for cell, pair in pairs.items()}
    lefts, rights = ([pair[side] for pair in rows.values()] for side in (0, 1))
    frame = pl.DataFrame({"id": list(rows), "left": lefts, "right": rights})
    return NamedPairs(ids, with_all_columns(frame, ITEM_SCHEMA))


def _pair(cell: str) -> tuple[str, str] | None:
    """The two texts of a cell; in SemRel, some lists are followed by stray characters."""
    written = cell.strip()
    if not written.startswith(("[", "(")):
        return None
    end = max(written.rfind("]"), written.rfind(")")) + 1
    try:
        value = ast.literal_eval(written[:end])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(text, str) for text in value):
        return value[0], value[1]
    return None
