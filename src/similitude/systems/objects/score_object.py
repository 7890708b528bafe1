"""A named object with ``score(items)``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.systems.objects.object_system import ObjectSystem

__all__ = ["ScoreObject"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreObject(ObjectSystem):
    """An object with ``score(items)`` that the user gave a name, so that several of one class can be compared."""

    summary: ClassVar[str] = "an object with score"

    @property
    def reads(self) -> frozenset[str]:
        """What the object says that it reads."""
        return frozenset(self.thing.reads)

    def score(self, items: Items) -> Predictions:
        """What the object says."""
        self.note_unknown_state(self.state().unknown_because)
        said: Predictions = self.thing.score(items)
        return said
