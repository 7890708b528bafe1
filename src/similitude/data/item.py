"""Items: pairs of texts, which people judge and systems score."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["ITEM_SCHEMA", "Item", "Items"]

ITEM_SCHEMA = pl.Schema(
    {
        "id": pl.String(),
        "left": pl.String(),
        "right": pl.String(),
        "context": pl.List(pl.String()),
        "condition": pl.String(),
        "group": pl.String(),
        "language": pl.String(),
        "domain": pl.String(),
        "source": pl.String(),
        "split": pl.String(),
    }
)
"""The columns of items. All but id, left and right may be null."""

HASHED_ROWS = 100_000
"""So many rows are hashed at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One pair of texts; a view of one row of a table.

    Attributes:
        id: unique in its benchmark.
        left: the first text; in a dialogue, its last turn.
        right: the text that is compared with it.
        context: the turns of the dialogue, oldest first; the last is ``left``.
        condition: the respect in which the two texts are compared.
        group: the same for items that belong together: of one dialogue, or of one pair under two conditions.

    >>> Item(id="1", left="A red car.", right="A red bus.", condition="the colour").condition
    'the colour'
    """

    id: str
    left: str
    right: str
    context: tuple[str, ...] | None = None
    condition: str | None = None
    group: str | None = None
    language: str | None = None
    domain: str | None = None
    source: str | None = None
    split: str | None = None


class Items:
    """A table of items without gold, which is what systems receive.

    >>> items = Items.from_pairs(["a cat", "a dog"], ["one cat", "a car"])
    >>> len(items), items[0].left, items.rights
    (2, 'a cat', ['one cat', 'a car'])
    """

    __slots__ = ("frame",)

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame.select(ITEM_SCHEMA.names()).cast(ITEM_SCHEMA)

    @classmethod
    def from_pairs(
        cls, lefts: Sequence[str], rights: Sequence[str], conditions: Sequence[str | None] | None = None
    ) -> Items:
        """Items from two lists of texts and, if they have them, their conditions, numbered from 1."""
        ids = [str(number) for number in range(1, len(lefts) + 1)]
        frame = pl.DataFrame({"id": ids, "left": list(lefts), "right": list(rights)})
        if conditions is not None:
            frame = frame.with_columns(condition=pl.Series(list(conditions), dtype=pl.String))
        return cls(with_all_columns(frame, ITEM_SCHEMA))

    def __len__(self) -> int:
        return self.frame.height

    def __iter__(self) -> Iterator[Item]:
        for row in self.frame.iter_rows(named=True):
            context = row.pop("context")
            yield Item(context=None if context is None else tuple(context), **row)

    def __getitem__(self, position: int) -> Item:
        return next(iter(Items(self.frame[position : position + 1])))

    @property
    def ids(self) -> list[str]:
        """The ids, in order."""
        return self.frame["id"].to_list()

    @property
    def lefts(self) -> list[str]:
        """The first texts, in order."""
        return self.frame["left"].to_list()

    @property
    def rights(self) -> list[str]:
        """The second texts, in order."""
        return self.frame["right"].to_list()

    @property
    def contexts(self) -> list[list[str] | None]:
        """The dialogues, in order; None where an item has none."""
        return self.frame["context"].to_list()

    @property
    def conditions(self) -> list[str | None]:
        """The conditions, in order; None where an item has none."""
        return self.frame["condition"].to_list()

    @property
    def group_names(self) -> list[str]:
        """The name of each item's group; an item without one is a group of its own."""
        alone = pl.concat_str(pl.lit("\0item "), "id")
        return self.frame.select(pl.coalesce("group", alone)).to_series().to_list()

    @property
    def fingerprint(self) -> str:
        """A hash of all columns."""
        digest = hashlib.sha256()
        update_by_rows(digest, self.frame)
        return digest.hexdigest()

    def texts(self) -> list[str]:
        """Each distinct text, left or right, in order of first appearance."""
        both = pl.concat([self.frame["left"], self.frame["right"]])
        return both.unique(maintain_order=True).to_list()

    def take(self, positions: NDArray[np.intp]) -> Items:
        """The items at these positions, in this order."""
        return Items(self.frame[positions])


def with_all_columns(frame: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    """The frame with the columns of the schema, in its order; columns that were missing are null."""
    missing = [pl.lit(None, dtype=dtype).alias(name) for name, dtype in schema.items() if name not in frame.columns]
    return frame.with_columns(missing).select(schema.names()).cast(schema)


def update_by_rows(digest: hashlib._Hash, frame: pl.DataFrame) -> None:
    """Add all rows to a hash, some at a time, so that the table is never in memory a second time as text."""
    for rows in frame.iter_slices(HASHED_ROWS):
        digest.update(rows.write_ndjson().encode())
