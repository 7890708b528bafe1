"""A pool of simulated annotators, each with a bias and a noise level.

All values are fractions of the scale: 0.05 is 5 % of it.

- **bias** ~ N(0, 0.04): how far above or below the others an annotator answers;
- **noise** ~ 0.05 * exp(N(0, 0.4)): the standard deviation of an answer around the annotator's opinion.

An annotator's opinion of an item is one of its *readings*. Most items have one reading. A contentious item has several,
each with a weight, and every annotator draws one of them. This creates disagreement between camps, beside the noise of
each annotator.
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
    """One reading of an item: its similarity, as a fraction of the scale, and the share of annotators who hold it."""

    similarity: float
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class Annotators:
    """A pool of annotators.

    Attributes:
        bias: what each annotator adds to every answer.
        noise: the standard deviation of each annotator's answers.
    """

    bias: NDArray[np.float64]
    noise: NDArray[np.float64]

    @classmethod
    def draw(cls, count: int, rng: np.random.Generator) -> Annotators:
        """Draw a pool of annotators at random."""
        return cls(rng.normal(0.0, BIAS_SPREAD, count), TYPICAL_NOISE * np.exp(rng.normal(0.0, NOISE_SPREAD, count)))

    def __len__(self) -> int:
        return len(self.bias)

    @property
    def names(self) -> list[str]:
        """The names of the annotators: sim-01, sim-02, ..."""
        return [f"sim-{number:02d}" for number in range(1, len(self) + 1)]

    def answers(
        self, who: NDArray[np.intp], readings: Sequence[PerceivedScores], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """The answers of these annotators about one item, as unrounded fractions of the scale."""
        weights = np.array([reading.weight for reading in readings])
        values = np.array([reading.similarity for reading in readings])
        thought = values[rng.choice(len(values), size=len(who), p=weights / weights.sum())]
        return np.asarray(thought + self.bias[who] + rng.normal(0.0, self.noise[who]))
