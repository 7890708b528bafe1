"""What a system offers to models that learn from it: several features of a pair, or the vectors of its two texts."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.protocols import System

__all__ = ["Compares", "Comparisons", "EmbedsPairs", "HasEncoder", "PairVectors", "as_wide"]


class Comparisons(NamedTuple):
    """Several features per pair.

    Attributes:
        names: the names of the features.
        values: items x names.
    """

    names: tuple[str, ...]
    values: NDArray[np.float32]


@runtime_checkable
class Compares(Protocol):
    """A system that computes several features of a pair."""

    def comparisons(self, items: Items) -> Comparisons:
        """The features of each item, in order; independent of the order of its two texts."""
        ...


class PairVectors(NamedTuple):
    """Vectors of both sides, items x width; a blank text may have zeros."""

    left: NDArray[np.float32]
    right: NDArray[np.float32]


@runtime_checkable
class EmbedsPairs(Protocol):
    """A system that encodes each text as a vector."""

    def pair_vectors(self, items: Items) -> PairVectors:
        """The vectors of each item's two texts, in order; each distinct text is encoded once."""
        ...


@runtime_checkable
class HasEncoder(Protocol):
    """A system that scores pairs by a network of its own, whose vectors of single texts can be had as well."""

    def as_encoder(self) -> System:
        """The same system as one that also encodes each text as a vector.

        Raises:
            ArgumentError: it reads both texts together.
        """
        ...


def as_wide(vectors: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    """The vectors of one side, widened: if all texts are blank, an encoder does not know its width.

    >>> as_wide(np.zeros((1, 1), np.float32), 3)
    array([[0., 0., 0.]], dtype=float32)
    """
    return vectors if vectors.any() else np.zeros((len(vectors), width), np.float32)
