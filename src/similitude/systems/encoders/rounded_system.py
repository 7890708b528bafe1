"""The base of systems whose model can compute with rounded weights."""

# No postponed annotations here: the registry reads them off subclasses in other modules, which lack these names.
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.models.encoders.loader import Backend
from similitude.systems.encoders.int8_agreement import backend_settings, exact_sample, with_agreement_noted
from similitude.systems.encoders.model_system import ModelSystem

__all__ = ["RoundedSystem"]


@dataclass(frozen=True)
class RoundedSystem(ModelSystem):
    """A system with a model that computes in floating point, or with 8-bit integers on a CPU.

    A subclass defines ``scores_of``. With rounded weights, a sample of the pairs is also scored in float32.

    Attributes:
        backend: float or int8.
    """

    backend: Backend = field(default="float", kw_only=True)

    @property
    def settings(self) -> dict[str, object]:
        """The backend."""
        return backend_settings(self.backend)

    def scores_of(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One score per pair of texts."""
        raise NotImplementedError

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One score per pair of texts; with int8, a note says how well they agree with those of float32."""
        if not len(lefts):
            return np.empty(0)
        if self.backend == "int8":
            return with_agreement_noted(self, lefts, rights)
        return self.scores_of(lefts, rights)

    def exact_sample(self, items: Items) -> tuple[NDArray[np.intp], NDArray[np.float64]] | None:
        """The positions of the items that are also scored in float32, and these scores; None if there are none."""
        return exact_sample(self, items)
