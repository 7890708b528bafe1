"""Targets that say what another rater would answer, where gold is the answer of one.

If one rater answers v, another answers on average m + r (v - m), where m is the mean of all answers and r the
correlation between two raters. (In USTS that line fits: of those who disagree most, the raters of ustsc, the others
answer 3.1 on average where one answers 4, and 0.8 where one answers 0.) A model that learns these targets is not pushed
to the ends of the scale by answers that another rater would not repeat.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["expected_answers"]


def expected_answers(gold: NDArray[np.float32], agreement: float) -> NDArray[np.float32]:
    """What another rater would answer on average, given the answer of one.

    Args:
        gold: one answer per item, in 0..1.
        agreement: the correlation between the answers of two raters; 1 leaves gold as it is.

    >>> expected_answers(np.array([0.0, 0.5, 1.0, 1.0], np.float32), 0.8).tolist()
    [0.125, 0.5249999761581421, 0.925000011920929, 0.925000011920929]
    """
    if agreement == 1.0 or not len(gold):
        return gold
    mean = gold.astype(np.float64).mean()
    expected: NDArray[np.float64] = mean + agreement * (gold - mean)
    return expected.astype(np.float32)
