"""The port through which systems score candidate pairs; systems themselves live in a room that this one cannot see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale

__all__ = ["PairScorer"]


class PairScorer(Protocol):
    """Makes systems by name, and lets them score items. It can be pickled; models load where they are used."""

    def names(self) -> Sequence[str]:
        """The names of all systems, for suggestions."""
        ...

    def range_of(self, written: str) -> Scale | None:
        """The range of a system, written as users do; None if it declares none. Loads no model.

        Raises:
            UnknownNameError: no system has that name.
            ArgumentError: the arguments do not fit.
        """
        ...

    def predictions(self, written: str, items: Items) -> Predictions:
        """One prediction per item, in order."""
        ...
