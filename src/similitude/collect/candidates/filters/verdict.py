"""Verdicts: whether each pair meets a condition, and how close it came to the border."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Verdict"]


class Verdict(NamedTuple):
    """A truth for each pair, as in Kleene's logic: a condition on an undefined value is neither met nor violated.

    Attributes:
        truth: 1 if the condition holds, -1 if it does not, 0 if that is undefined.
        margin: how far the value of the deciding comparison is from its border, as a share of the value's range.
        decided_by: the number of the comparison that decided.
    """

    truth: NDArray[np.int8]
    margin: NDArray[np.float64]
    decided_by: NDArray[np.int16]

    def __and__(self, other: Verdict) -> Verdict:
        """Both hold. What decides: if they hold, the one nearer to its border; if not, the one that fails by more."""
        tied = other.truth == self.truth
        nearer = np.where(self.truth > 0, other.margin < self.margin, other.margin > self.margin)
        takes_other = (other.truth < self.truth) | (tied & nearer)
        return Verdict(
            np.where(takes_other, other.truth, self.truth),
            np.where(takes_other, other.margin, self.margin),
            np.where(takes_other, other.decided_by, self.decided_by),
        )

    def __or__(self, other: Verdict) -> Verdict:
        """At least one holds."""
        return ~(~self & ~other)

    def __invert__(self) -> Verdict:
        """It does not hold."""
        return self._replace(truth=-self.truth)
