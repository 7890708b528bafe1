"""The base of systems made of a model in memory: what it computed is cached under its state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.protocols import ModelKey, VectorCache
from similitude.errors import PredictionError, SimilitudeError
from similitude.systems.objects.object_system import ObjectSystem
from similitude.systems.objects.vector_lookup import HeldCache

__all__ = ["ModelObject"]

Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelObject(ObjectSystem):
    """A model in memory; a subclass defines ``similarities``.

    Attributes:
        cache: of what it computed; not used if the state of the object cannot be known.
    """

    cache: VectorCache | None = field(default=None, repr=False)

    def with_cache(self, cache: VectorCache) -> Self:
        """The same system with this cache."""
        return replace(self, cache=cache)

    def score(self, items: Items) -> Predictions:
        """One similarity per item, in order; stored in the cache only if the object has not changed meanwhile.

        Raises:
            PredictionError: the object raises, or gives something other than numbers.
        """
        if not len(items):
            return Predictions(np.empty(0))
        state = self.state()
        self.note_unknown_state(state.unknown_because)
        key = ModelKey(f"{self.summary} ({type(self.thing).__name__})", f"object {state.value}")
        held = None if self.cache is None or state.value is None else HeldCache(self.cache)
        scores = self.guarded(lambda: self.similarities(items, key, held))
        if held is not None and held.held and self.state() == state:
            held.flush()
        return Predictions(scores)

    def similarities(self, items: Items, key: ModelKey, cache: HeldCache | None) -> NDArray[np.float64]:
        """One similarity per item.

        Args:
            items: at least one.
            key: of the model in its state.
            cache: None if nothing is to be stored.
        """
        raise NotImplementedError

    def guarded(self, work: Callable[[], Result]) -> Result:
        """What the object gives.

        Raises:
            PredictionError: it raises.
        """
        try:
            return work()
        except SimilitudeError:
            raise
        except Exception as error:
            said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise self.refusal(f"raised {said}", "mend the object, or give a function of two lists") from error

    def refusal(self, what: str, remedy: str) -> PredictionError:
        """An error that names the system."""
        return PredictionError(what, where=f"system '{self.called}'", remedy=remedy)
