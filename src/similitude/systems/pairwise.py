"""The base of systems that compare two texts, and the layout of the texts of a call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.registry import Spec, spec_of

__all__ = ["PairwiseSystem", "TextPairs", "settle_empty", "text_blocks"]

UNIT = Scale(low=0.0, high=1.0, origin="system")

BLOCK_CHARACTERS = 4_000_000
"""Characters per block in `PairwiseSystem.score`: bounds memory to a few hundred MB for any number of items."""

T = TypeVar("T")


@dataclass(frozen=True)
class PairwiseSystem:
    """A system of the form f(left, right) in 0..1 that ignores context and condition.

    A subclass is a frozen dataclass whose fields are its arguments. It sets ``name`` and ``summary`` and defines
    ``similarities``.
    """

    name: ClassVar[str]
    summary: ClassVar[str]

    @property
    def range(self) -> Scale | None:
        """From 0 (nothing in common) to 1 (identical)."""
        return UNIT

    @property
    def reads(self) -> frozenset[str]:
        """Neither context nor condition."""
        return frozenset()

    @property
    def identity(self) -> Spec:
        """The registered name and the arguments that differ from their defaults."""
        return spec_of(self, self.name)

    def score(self, items: Items) -> Predictions:
        """One similarity per item, in order."""
        lefts, rights = items.lefts, items.rights
        parts = [self.similarities(lefts[block], rights[block]) for block in text_blocks(lefts, rights)]
        return Predictions(np.concatenate([np.empty(0), *parts]))

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 for each pair of texts."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class TextPairs:
    """Two columns of texts, stored as distinct texts and, for each pair, the indices of its two texts.

    Attributes:
        left: for each pair, the index of its left text in ``texts``.
        right: for each pair, the index of its right text in ``texts``.
    """

    texts: list[str]
    left: NDArray[np.intp]
    right: NDArray[np.intp]

    @classmethod
    def of(cls, lefts: Sequence[str], rights: Sequence[str]) -> TextPairs:
        """The distinct texts of two columns of equal length.

        >>> TextPairs.of(["a", "b"], ["b", "b"])
        TextPairs(texts=['a', 'b'], left=array([0, 1]), right=array([1, 1]))
        """
        seen: defaultdict[str, int] = defaultdict()
        seen.default_factory = seen.__len__
        left = np.fromiter(map(seen.__getitem__, lefts), np.intp, len(lefts))
        right = np.fromiter(map(seen.__getitem__, rights), np.intp, len(rights))
        return cls(list(seen), left, right)

    def columns(self, values: Sequence[T]) -> tuple[list[T], list[T]]:
        """Expand one value per distinct text to a left and a right column."""
        return [values[i] for i in self.left.tolist()], [values[i] for i in self.right.tolist()]


def settle_empty(
    similarities: NDArray[np.float64], left_sizes: NDArray[np.int64], right_sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Set pairs with empty texts: 1 if both texts are empty, 0 if one is."""
    left_empty, right_empty = left_sizes == 0, right_sizes == 0
    settled = np.where(left_empty | right_empty, 0.0, similarities)
    settled[left_empty & right_empty] = 1.0
    return settled


def text_blocks(lefts: Sequence[str], rights: Sequence[str], characters: int | None = None) -> Iterator[slice]:
    """Split pairs into consecutive blocks of at most this many characters, by default `BLOCK_CHARACTERS`.

    A larger pair is a block of its own.

    >>> list(text_blocks(["a", "b", "c"], ["d", "e", "f"], characters=4))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    written = accumulate(len(left) + len(right) for left, right in zip(lefts, rights, strict=True))
    most = BLOCK_CHARACTERS if characters is None else characters
    start, budget, before = 0, most, 0
    for position, total in enumerate(written):
        if total > budget and position > start:
            yield slice(start, position)
            start, budget = position, before + most
        before = total
    if start < len(lefts):
        yield slice(start, len(lefts))
