"""All that a trained process says of a pair: the mean of people's opinions and how far off it may be, in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from similitude.systems.uncertain.gaussian_process.features import PairFeatures
from similitude.systems.uncertain.gaussian_process.posterior import Posterior, PosteriorMoments
from similitude.systems.uncertain.gaussian_process.rows import PairNumbers, pair_rows

__all__ = ["PairProcess"]

Array = NDArray[np.float64]
Vectors = NDArray[np.float32]

_PAIRS_AT_A_TIME = 8192
"""Bounds memory; a multiple of the rows of a product, so that no pair's numbers depend on where it stands."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PairProcess:
    """From two vectors, and evidence where there is some, to mean and variance, in shares of the scale.

    Attributes:
        features: from vectors to rows.
        opinion: the process over the mean of people's opinions.
        people: the process over the logarithm of their standard deviation; None where sigma is to tell the error alone.
        people_factor: by what the square of that standard deviation is multiplied, so that over the items learned from
            it is right on average (the mean of a logarithm is not the logarithm of a mean; Duan, 1983).
    """

    features: PairFeatures
    opinion: Posterior
    people: Posterior | None = None
    people_factor: float = 1.0

    @property
    def evidence_widths(self) -> tuple[int, ...]:
        """Numbers of each block of evidence; empty where it learned from vectors alone."""
        return self.opinion.widths[len(self.features.widths) :]

    def predict(self, left: Vectors, right: Vectors, evidence: Vectors | None = None) -> PosteriorMoments:
        """Mean and predictive variance, noise included, of each pair.

        With the paper's features both orders are asked and mixed in equal parts: their answers' mean, and the mean of
        their variances plus the variance of their means.

        Args:
            left: a vector for each pair's left text.
            right: the same for right texts.
            evidence: pairs x numbers; None where it learned from vectors alone.
        """
        pairs = PairNumbers(left, right, evidence)
        starts = range(0, len(left), _PAIRS_AT_A_TIME)
        parts = [self._some(pairs.some(start, _PAIRS_AT_A_TIME)) for start in starts]
        means, variances = np.concatenate([np.zeros((2, 0)), *parts], axis=1)
        return PosteriorMoments(means, variances)

    def _some(self, pairs: PairNumbers) -> Array:
        one = self.of_rows(pair_rows(self.features, pairs, self.evidence_widths))
        if self.features.kind != "paper":
            return np.stack(one)
        other = self.of_rows(pair_rows(self.features, pairs.turned(), self.evidence_widths))
        apart = 0.5 * (one.means - other.means)
        return np.stack([0.5 * (one.means + other.means), 0.5 * (one.variances + other.variances) + apart**2])

    def of_rows(self, rows: Array) -> PosteriorMoments:
        """The same, from rows of features, in the order in which they are."""
        means, variances = self.opinion.predict(rows)
        variances = variances + self.opinion.noise
        if self.people is not None:
            variances = variances + self.people_factor * np.exp(2.0 * self.people.predict(rows).means)
        return PosteriorMoments(means, variances)

    def arrays(self) -> dict[str, Array]:
        """All that was learned, by name, for a file."""
        named = {"features": self.features.arrays(), "opinion": self.opinion.arrays()}
        if self.people is not None:
            named["people"] = self.people.arrays()
        return {f"{part}.{name}": value for part, arrays in named.items() for name, value in arrays.items()}

    def record(self) -> dict[str, Any]:
        """The rest, ready for JSON."""
        return {
            "features": self.features.kind,
            "opinion": self.opinion.record(),
            "people": None if self.people is None else self.people.record(),
            "people_factor": self.people_factor,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], arrays: Mapping[str, Array]) -> PairProcess:
        """Back from `record` and `arrays`."""

        def part(name: str) -> dict[str, Array]:
            return {key.removeprefix(f"{name}."): value for key, value in arrays.items() if key.startswith(f"{name}.")}

        people = record["people"]
        return cls(
            features=PairFeatures.from_arrays(record["features"], part("features")),
            opinion=Posterior.from_record(record["opinion"], part("opinion")),
            people=None if people is None else Posterior.from_record(people, part("people")),
            people_factor=record["people_factor"],
        )
