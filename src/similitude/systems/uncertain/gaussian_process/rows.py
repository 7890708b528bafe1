"""A pair's row: the blocks that its two vectors make, and after them one block for each source of evidence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.systems.uncertain.gaussian_process.features import PairFeatures

__all__ = ["PairNumbers", "evidence_blocks", "pair_rows"]

Array = NDArray[np.float64]


class PairNumbers(NamedTuple):
    """What is known of some pairs before anything is learned from their gold.

    Attributes:
        left: a vector for each pair's left text.
        right: the same for right texts.
        evidence: pairs x numbers, as `similitude.systems.evidence.Evidence.of` gives them; None for none. They are the
            same for both orders of the texts.
    """

    left: NDArray[np.float32]
    right: NDArray[np.float32]
    evidence: NDArray[np.float32] | None = None

    def turned(self) -> PairNumbers:
        """The same pairs, left and right having changed places."""
        return PairNumbers(self.right, self.left, self.evidence)

    def some(self, start: int, count: int) -> PairNumbers:
        """So many of them, from one on."""
        return PairNumbers(*(None if part is None else part[start : start + count] for part in self))  # type: ignore[arg-type]


def pair_rows(features: PairFeatures, pairs: PairNumbers, widths: tuple[int, ...] = ()) -> Array:
    """One row a pair.

    Args:
        features: from vectors to their blocks.
        pairs: vectors and evidence.
        widths: of the blocks of evidence; empty where there is none.

    Raises:
        ArgumentError: the vectors or the evidence are not as wide as those in training.
    """
    of_vectors = features.apply(pairs.left, pairs.right)
    if not widths and pairs.evidence is None:
        return of_vectors
    evidence = np.zeros((len(of_vectors), 0), np.float32) if pairs.evidence is None else pairs.evidence
    return np.concatenate([of_vectors, evidence_blocks(evidence, widths)], axis=1)


def evidence_blocks(numbers: NDArray[np.float32], widths: tuple[int, ...]) -> Array:
    """Numbers of variance 1, each divided by the root of its block's width.

    Two pairs taken by chance are then at a squared distance of about 2 in each block, as in those of the vectors.

    Args:
        numbers: pairs x numbers.
        widths: of the blocks.

    Raises:
        ArgumentError: there are more or fewer numbers than the blocks have.

    >>> evidence_blocks(np.ones((1, 5), np.float32), (1, 4)).tolist()
    [[1.0, 0.5, 0.5, 0.5, 0.5]]
    """
    if numbers.shape[1] != sum(widths):
        raise ArgumentError(
            f"the evidence is {numbers.shape[1]:,} numbers a pair, not {sum(widths):,} as in training",
            remedy="use the evidence that the process was trained with",
        )
    return numbers.astype(np.float64) / np.sqrt(np.repeat(widths, widths).astype(np.float64))
