"""Pairs of texts on their way to becoming items: rows of a table of texts, not copies of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.texts import Texts

__all__ = ["STRATA", "PairBlock"]

STRATA: Final = ("neighbours", "words", "random", "hard-negatives", "given")
"""How a pair was found; a table stores the position in this tuple."""


@dataclass(frozen=True, slots=True, eq=False)
class PairBlock:
    """Some pairs of one table of texts, as many as fit into memory at a time.

    Attributes:
        texts: the table; it may lie on disk.
        left: the row of each pair's first text.
        right: the row of each pair's second text.
        strata: how each pair was found: its position in `STRATA`.
        vectors: one unit vector for each row of ``texts``, perhaps mapped from a file; None if there are none.
        columns: one value for each pair: what came with given pairs, and what was computed of these before.
    """

    texts: Texts
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    strata: NDArray[np.uint8]
    vectors: NDArray[np.float32] | None = None
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.left)

    def take(self, positions: NDArray[np.intp]) -> PairBlock:
        """The pairs at these positions, in this order."""
        columns = {name: values[positions] for name, values in self.columns.items()}
        return PairBlock(
            self.texts, self.left[positions], self.right[positions], self.strata[positions], self.vectors, columns
        )

    def items(self) -> Items:
        """The pairs as items, which systems score; numbered from 1 within the block."""
        left, right = self.texts.frame[self.left], self.texts.frame[self.right]
        ids = pl.int_range(1, len(self) + 1, eager=True).cast(pl.String)
        same = {name: left[name] for name in ("context", "group", "language", "domain", "source")}
        frame = pl.DataFrame({"id": ids, "left": left["text"], "right": right["text"], **same})
        return Items(
            frame.with_columns(pl.lit(None, pl.String).alias("condition"), pl.lit(None, pl.String).alias("split"))
        )
