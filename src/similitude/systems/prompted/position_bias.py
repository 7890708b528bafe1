"""Position bias: how often a model chooses each position, whatever the option."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["PositionBias", "position_bias"]

Array = NDArray[np.float64]


class PositionBias(NamedTuple):
    """How often each position was chosen.

    Attributes:
        questions: questions with this many options; each order of a question counts.
        counts: choices of each position; ties are split equally.
        chi_square: sum of (count - expected)^2 / expected, with equal expected counts.
        p_value: the probability of a statistic at least this large if positions did not matter and questions were
            independent. Rotations of one question are not independent: a model that always finds the same option
            chooses each position equally often, so the test is conservative. nan if fewer than 5 are expected per
            position.
    """

    questions: int
    counts: tuple[float, ...]
    chi_square: float
    p_value: float

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of choices at each position."""
        return tuple(count / self.questions for count in self.counts)

    def sentence(self) -> str:
        """A sentence for the user."""
        letters = string.ascii_uppercase
        shares = ", ".join(f"{letter} {100 * share:.3g} %" for letter, share in zip(letters, self.shares, strict=False))
        tested = f"chi-square {self.chi_square:.3g}, p = {self.p_value:.2g}"
        sure = "too few to test" if np.isnan(self.p_value) else tested
        return f"positions chosen in {self.questions:,} questions with {len(self.counts)} options: {shares} ({sure})"


def position_bias(values: Sequence[Array]) -> PositionBias | None:
    """Count choices by position, over the questions with the most common number of options; None if there are none.

    Args:
        values: for each question, the score of the option at each position; the highest is chosen.

    >>> found = position_bias([np.array([0.9, 0.1]), np.array([0.6, 0.4]), np.array([0.5, 0.5])])
    >>> found.counts, round(found.chi_square, 4)  # 2.5 and 0.5 where 1.5 is expected: 2 * 1 / 1.5
    ((2.5, 0.5), 1.3333)
    """
    sizes = [len(one) for one in values if len(one) > 1]
    if not sizes:
        return None
    places = max(set(sizes), key=lambda size: (sizes.count(size), size))
    table = np.stack([one for one in values if len(one) == places])
    chosen = table == table.max(axis=1, keepdims=True)
    counts = (chosen / chosen.sum(axis=1, keepdims=True)).sum(axis=0)
    expected = len(table) / places
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return PositionBias(len(table), tuple(counts.tolist()), statistic, _p_value(statistic, places, expected))


def _p_value(statistic: float, places: int, expected: float) -> float:
    if expected < 5:
        return float("nan")
    from scipy.stats import chi2

    return float(chi2.sf(statistic, places - 1))
