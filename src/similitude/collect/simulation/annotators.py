"""A pool of simulated annotators: each leans a little up or down, and each is careful to a different degree.

Everything is in units of the scale, so that 0.05 is 5 % of it:

- **bias** ~ N(0, 0.04): how far above or below others this annotator answers;
- **noise** ~ 0.05 * exp(N(0, 0.4)): the standard deviation of one answer around what the annotator thinks.

What an annotator thinks of an item is one of its *readings*. Most items have one; a contentious item has several, each
with a weight, and every annotator takes one of them at random. That is how disagreement between camps arises, apart
from the noise that everyone has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Annotators", "PerceivedScores"]

BIAS_SPREAD = 0.04
TYPICAL_NOISE = 0.05
NOISE_SPREAD = 0.4


class PerceivedScores(NamedTuple):
    """One way to understand an item: the similarity (as a fraction of the scale) and how many take it so."""

    similarity: float
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class Annotators:
    """A pool of annotators.

    Attributes:
        bias: what each adds to every answer.
        noise: the standard deviation of each one's answers.
    """

    bias: NDArray[np.float64]
    noise: NDArray[np.float64]

    @classmethod
    def draw(cls, count: int, rng: np.random.Generator) -> Annotators:
        """A pool of this many annotators."""
        return cls(rng.normal(0.0, BIAS_SPREAD, count), TYPICAL_NOISE * np.exp(rng.normal(0.0, NOISE_SPREAD, count)))

    def __len__(self) -> int:
        return len(self.bias)

    @property
    def names(self) -> list[str]:
        """sim-01, sim-02, ...: names that say what they are."""
        return [f"sim-{number:02d}" for number in range(1, len(self) + 1)]

    def answers(
        self, who: NDArray[np.intp], readings: Sequence[PerceivedScores], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """What these annotators would answer about one item, as fractions of the scale, before any rounding."""
        weights = np.array([reading.weight for reading in readings])
        values = np.array([reading.similarity for reading in readings])
        thought = values[rng.choice(len(values), size=len(who), p=weights / weights.sum())]
        return np.asarray(thought + self.bias[who] + rng.normal(0.0, self.noise[who]))
