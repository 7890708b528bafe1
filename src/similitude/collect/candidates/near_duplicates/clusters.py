"""Clusters of near-duplicates: which text stands for which others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Clusters", "Edges"]


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Pairs of texts that were compared.

    Attributes:
        first: the earlier row of each pair.
        second: the later row.
        similarity: the Jaccard similarity of their n-grams.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    similarity: NDArray[np.float64]

    @classmethod
    def empty(cls) -> Edges:
        """No pairs."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))

    def __len__(self) -> int:
        return len(self.first)

    def take(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Edges:
        """Some of the pairs."""
        return Edges(self.first[which], self.second[which], self.similarity[which])

    def joined(self, other: Edges) -> Edges:
        """These pairs and others."""
        return Edges(
            np.concatenate([self.first, other.first]),
            np.concatenate([self.second, other.second]),
            np.concatenate([self.similarity, other.similarity]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Which texts are near-duplicates of which.

    Attributes:
        representatives: for each row, the row of the text that is kept for it: its own if it is kept.
        copies: true for texts that are dropped because their normal form is that of an earlier text.
        dropped: a text that is kept, one that is dropped for it or for a text between them, and their similarity.
        spared: pairs that were compared and are just not similar enough, the nearest first.
        compared: how many pairs were compared n-gram by n-gram.
        uncompared: how many comparisons were left out because a band held too many texts that are not similar.
    """

    representatives: NDArray[np.int64]
    copies: NDArray[np.bool_]
    dropped: Edges
    spared: Edges
    compared: int = 0
    uncompared: int = 0

    @property
    def kept(self) -> NDArray[np.int64]:
        """The rows of the texts that are kept, in order."""
        return np.flatnonzero(self.representatives == np.arange(len(self.representatives)))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many texts each text that is kept stands for, itself included."""
        return np.bincount(self.representatives, minlength=len(self.representatives))[self.kept]
