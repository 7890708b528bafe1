"""What string systems share: they look at the two texts alone, and score many pairs in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.registry import Spec, spec_of

__all__ = ["PairwiseSystem"]

UNIT = Scale(low=0.0, high=1.0, origin="system")


@dataclass(frozen=True)
class PairwiseSystem:
    """A system of the form f(left, right) in 0..1; blind to context and condition.

    A subclass is a frozen dataclass whose fields are its arguments. It sets ``name`` and ``summary`` and writes
    ``similarities``.
    """

    name: ClassVar[str]
    summary: ClassVar[str]

    @property
    def range(self) -> Scale | None:
        """0 (nothing in common) to 1 (the same)."""
        return UNIT

    @property
    def reads(self) -> frozenset[str]:
        """Neither context nor condition."""
        return frozenset()

    @property
    def identity(self) -> Spec:
        """The registered name and the arguments that differ from their defaults."""
        return spec_of(self, self.name)

    def score(self, items: Items) -> Predictions:
        """One similarity an item, in order."""
        return Predictions(self.similarities(items.lefts, items.rights))

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 for each pair of texts."""
        raise NotImplementedError
