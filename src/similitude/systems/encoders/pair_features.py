"""What a system offers to models that learn from it: several features of a pair, or the vectors of its two texts."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items

__all__ = ["Compares", "Comparisons", "EmbedsPairs", "PairVectors", "as_wide"]


class Comparisons(NamedTuple):
    """Several numbers a pair.

    Attributes:
        names: of the numbers.
        values: items x names.
    """

    names: tuple[str, ...]
    values: NDArray[np.float32]


@runtime_checkable
class Compares(Protocol):
    """A system that compares a pair in several ways at once."""

    def comparisons(self, items: Items) -> Comparisons:
        """The numbers of each item, in order; the same for either order of an item's texts."""
        ...


class PairVectors(NamedTuple):
    """Items x numbers, for each side; a blank text may have zeros."""

    left: NDArray[np.float32]
    right: NDArray[np.float32]


@runtime_checkable
class EmbedsPairs(Protocol):
    """A system that turns each text into a vector of its own."""

    def pair_vectors(self, items: Items) -> PairVectors:
        """The vectors of each item's two texts, in order; each distinct text of the call is encoded once."""
        ...


def as_wide(vectors: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    """The vectors of one side; where all texts are blank, an encoder does not know how long its vectors are.

    >>> as_wide(np.zeros((1, 1), np.float32), 3)
    array([[0., 0., 0.]], dtype=float32)
    """
    return vectors if vectors.any() else np.zeros((len(vectors), width), np.float32)
