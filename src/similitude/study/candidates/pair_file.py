"""Pairs of rows in files: as they were found, and merged so that each pair stands there once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.writing.atomic import write_atomically

__all__ = ["PairRows", "merged_pairs", "open_pairs", "write_pairs"]

NAMES = ("left", "right", "stratum")


@dataclass(frozen=True, slots=True, eq=False)
class PairRows:
    """Pairs of rows of a table of texts.

    Attributes:
        left: the row of each pair's first text.
        right: the row of its second text.
        strata: how each pair was found: the position in `STRATA`.
        columns: further values of each pair, by name.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    strata: NDArray[np.uint8]
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    @classmethod
    def all_of(
        cls,
        stratum: int,
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        columns: Mapping[str, NDArray[Any]] | None = None,
    ) -> PairRows:
        """Pairs that were found in one way."""
        return cls(left, right, np.full(len(left), stratum, np.uint8), columns or {})

    def __len__(self) -> int:
        return len(self.left)

    def take(self, positions: NDArray[np.intp] | slice) -> PairRows:
        """The pairs at these positions."""
        columns = {name: values[positions] for name, values in self.columns.items()}
        return PairRows(self.left[positions], self.right[positions], self.strata[positions], columns)

    def blocks(self, size: int) -> Iterator[PairRows]:
        """The pairs in blocks of at most ``size``; one empty block if there are none."""
        for start in range(0, max(1, len(self)), size):
            yield self.take(slice(start, start + size))

    def in_order(self, *, is_directed: bool) -> PairRows:
        """The pairs sorted by their rows, each once: the stratum that comes first in `STRATA` counts.

        Args:
            is_directed: whether (a, b) and (b, a) are two pairs; otherwise the lower row comes to stand left.
        """
        low, high = self.left, self.right
        if not is_directed:
            low, high = np.minimum(low, high), np.maximum(low, high)
        order = np.lexsort((self.strata, high, low))
        low, high = low[order], high[order]
        is_first = np.ones(len(order), bool)
        is_first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
        kept = order[is_first]
        columns = {name: values[kept] for name, values in self.columns.items()}
        return PairRows(low[is_first], high[is_first], self.strata[kept], columns)

    @classmethod
    def concatenated(cls, parts: Sequence[PairRows]) -> PairRows:
        """All pairs of some parts, in order; the parts have the same columns."""
        names = parts[0].columns if parts else ()
        return cls(
            np.concatenate([np.empty(0, np.int64), *(part.left for part in parts)]),
            np.concatenate([np.empty(0, np.int64), *(part.right for part in parts)]),
            np.concatenate([np.empty(0, np.uint8), *(part.strata for part in parts)]),
            {name: np.concatenate([part.columns[name] for part in parts]) for name in names},
        )


def write_pairs(pairs: PairRows, path: Path) -> None:
    """Write pairs, completely or not at all."""
    columns: dict[str, NDArray[Any]] = {
        "left": pairs.left,
        "right": pairs.right,
        "stratum": pairs.strata,
        **pairs.columns,
    }
    frame = pl.DataFrame([_series(name, values) for name, values in columns.items()])
    write_atomically(path, lambda draft: frame.write_ipc(draft, compression="uncompressed"))


def _series(name: str, values: NDArray[Any]) -> pl.Series:
    """A column; values that are no numbers become texts."""
    is_number = values.dtype.kind in "biuf"
    return pl.Series(name, values) if is_number else pl.Series(name, values.tolist(), pl.String, strict=False)


def open_pairs(path: Path) -> PairRows:
    """The pairs in a file."""
    frame = pl.read_ipc(path)
    left, right, strata = (frame[name].to_numpy() for name in NAMES)
    columns = {name: frame[name].to_numpy() for name in frame.columns if name not in NAMES}
    return PairRows(left, right, strata, columns)


def merged_pairs(paths: Iterable[Path], start: int, stop: int, *, is_directed: bool) -> PairRows:
    """All pairs in sorted files whose left row lies from ``start`` up to ``stop``, each once and sorted."""
    found = []
    for path in paths:
        pairs = open_pairs(path)
        first, last = np.searchsorted(pairs.left, (start, stop))
        found.append(pairs.take(slice(int(first), int(last))))
    return PairRows.concatenated(found).in_order(is_directed=is_directed)
