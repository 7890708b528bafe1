"""Rows of pairs: the blocks of its two vectors, then one block per source of evidence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.systems.uncertain.gaussian_process.features import PairFeatures

__all__ = ["PairNumbers", "evidence_blocks", "pair_rows"]

Array = NDArray[np.float64]


class PairNumbers(NamedTuple):
    """The inputs of some pairs: vectors and evidence.

    Attributes:
        left: the vectors of the left texts.
        right: the vectors of the right texts.
        evidence: pairs x features from `similitude.systems.evidence.Evidence.of`; None for none. They do not depend on
            the order of the texts.
    """

    left: NDArray[np.float32]
    right: NDArray[np.float32]
    evidence: NDArray[np.float32] | None = None

    def turned(self) -> PairNumbers:
        """The same pairs with left and right swapped."""
        return PairNumbers(self.right, self.left, self.evidence)

    def some(self, start: int, count: int) -> PairNumbers:
        """A range of the pairs."""
        return PairNumbers(*(None if part is None else part[start : start + count] for part in self))  # type: ignore[arg-type]


def pair_rows(features: PairFeatures, pairs: PairNumbers, widths: tuple[int, ...] = ()) -> Array:
    """One row per pair.

    Args:
        features: maps vectors to their blocks.
        pairs: vectors and evidence.
        widths: the widths of the blocks of evidence; empty if there is none.

    Raises:
        ArgumentError: the vectors or the evidence have another width than in training.
    """
    of_vectors = features.apply(pairs.left, pairs.right)
    if not widths and pairs.evidence is None:
        return of_vectors
    evidence = np.zeros((len(of_vectors), 0), np.float32) if pairs.evidence is None else pairs.evidence
    return np.concatenate([of_vectors, evidence_blocks(evidence, widths)], axis=1)


def evidence_blocks(numbers: NDArray[np.float32], widths: tuple[int, ...]) -> Array:
    """Divide features of variance 1 by the square root of their block's width.

    Two random pairs then have a squared distance of about 2 in each block, as in the blocks of the vectors.

    Args:
        numbers: pairs x features.
        widths: the widths of the blocks.

    Raises:
        ArgumentError: the number of features does not match the blocks.

    >>> evidence_blocks(np.ones((1, 5), np.float32), (1, 4)).tolist()
    [[1.0, 0.5, 0.5, 0.5, 0.5]]
    """
    if numbers.shape[1] != sum(widths):
        raise ArgumentError(
            f"the evidence has {numbers.shape[1]:,} features per pair, not {sum(widths):,} as in training",
            remedy="use the evidence that the process was trained with",
        )
    return numbers.astype(np.float64) / np.sqrt(np.repeat(widths, widths).astype(np.float64))
