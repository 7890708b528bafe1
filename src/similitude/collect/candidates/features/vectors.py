"""Similarity of the vectors that the pairs were found by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.features.catalogue import FEATURES
from similitude.collect.candidates.features.described_pairs import DescribedPairs
from similitude.collect.candidates.features.feature import Feature, Numbers
from similitude.collect.candidates.pairs import PairBlock
from similitude.errors import ArgumentError

__all__ = ["Cosine", "EuclideanSimilarity", "cosines", "distances"]

ROWS = 1024
"""So many pairs of vectors are taken at a time: they fit into the cache."""

DECIMALS = 6
"""Cosines are rounded, so that what leaves does not depend on how they were computed."""


@FEATURES.register("cosine")
@dataclass(frozen=True, repr=False)
class Cosine(Feature):
    """Cosine similarity of the two texts' vectors. Range -1..1.

    C-STS's table 6 has a row d_text, which appendix A.2 calls the cosine *distance* of SimCSE embeddings, with the
    border ">= 0.4". Its section 2.2.1 keeps pairs with moderate or high cosine *similarity*, so as to avoid pairs that
    have nothing in common. The two exclude each other; here the criterion is ``cosine >= 0.4``, a similarity.

    References:
        Deshpande et al. (2023), C-STS: Conditional Semantic Textual Similarity, section 2.2.1 and table 6.
    """

    name: ClassVar[str] = "cosine"
    meaning: ClassVar[str] = "cosine similarity of the vectors by which pairs are found"
    low: ClassVar[float] = -1.0
    high: ClassVar[float] = 1.0
    uses_vectors: ClassVar[bool] = True

    def values(self, pairs: DescribedPairs) -> Numbers:
        """One cosine a pair."""
        return cosines(_vectors(pairs.block, self), pairs.block.left, pairs.block.right)


@FEATURES.register("l2")
@dataclass(frozen=True, repr=False)
class EuclideanSimilarity(Feature):
    """1 - L2 / 2, where L2 is the Euclidean distance of the two texts' unit vectors, which is at most 2. Range 0..1.

    USTS compares ``1.0 - L2(x1, x2)`` with a prediction, both scaled to 0..1, and calls L2 normalised without saying
    how. Half the distance of unit vectors is the reading that does not depend on the other pairs.

    References:
        Wang et al. (2023), Collective human opinions in semantic textual similarity (USTS), section 3.1.1.
    """

    name: ClassVar[str] = "l2"
    meaning: ClassVar[str] = "1 - Euclidean distance of the unit vectors / 2 (USTS)"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    uses_vectors: ClassVar[bool] = True

    def values(self, pairs: DescribedPairs) -> Numbers:
        """One similarity a pair."""
        found = distances(_vectors(pairs.block, self), pairs.block.left, pairs.block.right)
        return np.asarray((1 - found / 2).round(DECIMALS))


def cosines(vectors: NDArray[np.float32], left: NDArray[np.int64], right: NDArray[np.int64]) -> Numbers:
    """The cosine of each pair of unit vectors: in float32 row by row, rounded to six decimals.

    >>> cosines(np.array([[1, 0], [0.6, 0.8]], dtype=np.float32), np.array([0, 1]), np.array([1, 1]))
    array([0.6, 1. ])
    """
    found = np.empty(len(left), np.float32)
    for start in range(0, len(left), ROWS):
        part = slice(start, start + ROWS)
        found[part] = np.einsum("ij,ij->i", vectors[left[part]], vectors[right[part]])
    return found.astype(np.float64).round(DECIMALS)


def distances(vectors: NDArray[np.float32], left: NDArray[np.int64], right: NDArray[np.int64]) -> Numbers:
    """The Euclidean distance of each pair of vectors, in float32 row by row.

    >>> distances(np.array([[1, 0], [0, 1]], dtype=np.float32), np.array([0]), np.array([1])).round(4)
    array([1.4142])
    """
    found = np.empty(len(left), np.float32)
    for start in range(0, len(left), ROWS):
        part = slice(start, start + ROWS)
        between = vectors[left[part]] - vectors[right[part]]
        found[part] = np.einsum("ij,ij->i", between, between)
    return np.sqrt(found.astype(np.float64))


def _vectors(block: PairBlock, feature: Feature) -> NDArray[np.float32]:
    if block.vectors is None:
        what = f"'{feature}' compares vectors, and these pairs have none"
        remedy = (
            "name a system that has vectors (--pair use, or system in [pairs]) or a file of them (vectors in [texts])"
        )
        raise ArgumentError(what, remedy=remedy)
    return block.vectors
