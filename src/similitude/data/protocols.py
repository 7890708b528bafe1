"""What the rooms expect of each other: the shape of a system and of a system that wants to see texts first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol, runtime_checkable

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.registry import Spec

__all__ = ["FitsTexts", "System"]


class System(Protocol):
    """Scores items.

    A system's score for an item must not depend on the other items in the call, nor on their order.

    Attributes:
        range: where "nothing in common" and "the same" lie in the system's own output, so that it can be mapped to a
            gold scale; None for a system whose output has no such ends. Scores may stray beyond it.
        reads: which of "context" and "condition" the system takes into account.
        identity: the registered name and arguments, from which the system can be rebuilt.
        summary: one line for listings.
    """

    summary: ClassVar[str]

    @property
    def range(self) -> Scale | None:
        """Where "nothing in common" and "the same" lie."""

    @property
    def reads(self) -> frozenset[str]:
        """What is taken into account beyond the two texts."""

    @property
    def identity(self) -> Spec:
        """What rebuilds the system."""

    def score(self, items: Items) -> Predictions:
        """One prediction an item, in order."""
        ...


@runtime_checkable
class FitsTexts(Protocol):
    """A system that must see the collection's texts (never its gold) before it can score: tf-idf, for one."""

    def fit(self, texts: Sequence[str]) -> System:
        """A system ready to score, with whatever it learned from these texts; the original is unchanged."""
        ...
