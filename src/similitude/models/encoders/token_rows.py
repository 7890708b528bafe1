"""Tokens of texts of different lengths, in one flat array per column of the tokeniser.

A list of tokens per text takes Python longer to build and to pad than a GPU takes to encode the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["TokenRows", "ragged_places"]


class TokenRows(Sequence[dict[str, Any]]):
    """The tokens of some texts; as a sequence, one dictionary of lists per text.

    Attributes:
        columns: the tokens of all texts, one after the other, by column of the tokeniser.
        lengths: the number of tokens of each text.
        beside: further numbers, one row per text, by name.
    """

    def __init__(
        self,
        columns: Mapping[str, NDArray[np.int32]],
        lengths: NDArray[np.int64],
        beside: Mapping[str, NDArray[np.float32]] | None = None,
    ) -> None:
        self.columns, self.lengths, self.beside = dict(columns), lengths, dict(beside or {})
        self.starts = np.cumsum(lengths) - lengths

    @classmethod
    def from_lists(cls, columns: Mapping[str, Sequence[Sequence[int]]]) -> TokenRows:
        """From one list of tokens per text and column."""
        first = next(iter(columns.values()), [])
        lengths = np.fromiter(map(len, first), np.int64, len(first))
        total = int(lengths.sum())
        return cls(
            {name: np.fromiter(chain.from_iterable(lists), np.int32, total) for name, lists in columns.items()}, lengths
        )

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return self.take(np.arange(len(self))[place])
        start, size = self.starts[place], self.lengths[place]
        lists = {name: column[start : start + size].tolist() for name, column in self.columns.items()}
        return lists | {name: rows[place] for name, rows in self.beside.items()}

    def take(self, places: NDArray[np.intp]) -> TokenRows:
        """The texts at these places, in this order."""
        lengths = self.lengths[places]
        where = ragged_places(self.starts[places], lengths)
        columns = {name: column[where] for name, column in self.columns.items()}
        return TokenRows(columns, lengths, {name: rows[places] for name, rows in self.beside.items()})

    def replaced(self, places: NDArray[np.intp], others: TokenRows) -> TokenRows:
        """The same texts, with those at these places replaced by others."""
        if not len(places):
            return self
        order = np.arange(len(self))
        order[places] = len(self) + np.arange(len(others))
        both = {name: np.concatenate([column, others.columns[name]]) for name, column in self.columns.items()}
        return TokenRows(both, np.concatenate([self.lengths, others.lengths])).take(order)

    def padded(self, length: int, blanks: Mapping[str, int], *, is_left: bool = False) -> dict[str, NDArray[Any]]:
        """All columns as texts x length, with a mask, and what is beside them.

        Args:
            length: at least that of the longest text.
            blanks: the padding of each column; 0 by default.
            is_left: whether padding comes before the tokens.
        """
        place = np.arange(length)
        sizes = self.lengths[:, None]
        mask = place >= length - sizes if is_left else place < sizes
        found: dict[str, NDArray[Any]] = {"attention_mask": mask.astype(np.int64)}
        for name, column in self.columns.items():
            found[name] = np.full(mask.shape, blanks.get(name, 0), np.int64)
            found[name][mask] = column
        return found | self.beside


def ragged_places(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places start, start + 1, ... of each run, one run after the other.

    >>> ragged_places(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = np.cumsum(lengths) - lengths
    places: NDArray[np.int64] = np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths)
    return places
