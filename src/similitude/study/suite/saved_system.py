"""A system of which only the predictions and the record are left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.errors import PredictionError
from similitude.registry import Spec, parse
from similitude.systems.record import SystemRecord

__all__ = ["SavedSystem"]


@dataclass(frozen=True)
class SavedSystem:
    """Stands for a system that was run before; its saved predictions are measured, and no model is loaded."""

    record: SystemRecord

    summary: ClassVar[str] = "predictions of an earlier run"

    @property
    def identity(self) -> Spec:
        """As recorded."""
        return parse(self.record.identity)

    @property
    def range(self) -> Scale | None:
        """As recorded."""
        return None if self.record.range is None else Scale.parse(self.record.range)

    @property
    def reads(self) -> frozenset[str]:
        """As recorded."""
        return frozenset(self.record.reads)

    def score(self, items: Items) -> Predictions:
        """Refuse: only what was saved is known.

        Raises:
            PredictionError: always.
        """
        what = f"'{self.record.identity}' was run before, and has no predictions for {len(items):,} of these items"
        raise PredictionError(what, remedy="name the system again in this call")
