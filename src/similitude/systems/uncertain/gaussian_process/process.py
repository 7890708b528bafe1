"""Predictions of a trained process: the mean of people's opinions and its uncertainty, in numpy."""

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
"""Bounds memory; a multiple of the rows per product, so that no pair depends on its position."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PairProcess:
    """Maps two vectors, and evidence if there is some, to mean and variance, as fractions of the scale.

    Attributes:
        features: maps vectors to rows.
        opinion: the process over the mean opinion.
        people: the process over the log standard deviation of people's opinions; None if sigma covers only the model's
            error.
        people_factor: the factor of that squared standard deviation, so that it is right on average over the training
            items (the mean of a logarithm is not the logarithm of a mean; Duan, 1983).
    """

    features: PairFeatures
    opinion: Posterior
    people: Posterior | None = None
    people_factor: float = 1.0

    @property
    def evidence_widths(self) -> tuple[int, ...]:
        """The width of each block of evidence; empty if there is none."""
        return self.opinion.widths[len(self.features.widths) :]

    def predict(self, left: Vectors, right: Vectors, evidence: Vectors | None = None) -> PosteriorMoments:
        """Mean and predictive variance, noise included, of each pair.

        With the paper's features, both orders are predicted and mixed equally: the mean of their means, and the mean of
        their variances plus the variance of their means.

        Args:
            left: the vectors of the left texts.
            right: the vectors of the right texts.
            evidence: pairs x features; None if there is none.
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
        """Mean and predictive variance from rows of features, in order."""
        means, variances = self.opinion.predict(rows)
        variances = variances + self.opinion.noise
        if self.people is not None:
            variances = variances + self.people_factor * np.exp(2.0 * self.people.predict(rows).means)
        return PosteriorMoments(means, variances)

    def arrays(self) -> dict[str, Array]:
        """The learned arrays by name."""
        named = {"features": self.features.arrays(), "opinion": self.opinion.arrays()}
        if self.people is not None:
            named["people"] = self.people.arrays()
        return {f"{part}.{name}": value for part, arrays in named.items() for name, value in arrays.items()}

    def record(self) -> dict[str, Any]:
        """Everything but the arrays, ready for JSON."""
        return {
            "features": self.features.kind,
            "opinion": self.opinion.record(),
            "people": None if self.people is None else self.people.record(),
            "people_factor": self.people_factor,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], arrays: Mapping[str, Array]) -> PairProcess:
        """Rebuild from `record` and `arrays`."""

        def part(name: str) -> dict[str, Array]:
            return {key.removeprefix(f"{name}."): value for key, value in arrays.items() if key.startswith(f"{name}.")}

        people = record["people"]
        return cls(
            features=PairFeatures.from_arrays(record["features"], part("features")),
            opinion=Posterior.from_record(record["opinion"], part("opinion")),
            people=None if people is None else Posterior.from_record(people, part("people")),
            people_factor=record["people_factor"],
        )
