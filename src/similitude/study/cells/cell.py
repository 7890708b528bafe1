"""What every cell of a study has in common, and the task that runs one on a worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from similitude.data.listeners import NoteKeeper
from similitude.data.protocols import Listener

__all__ = ["Arrived", "Cell", "CellTask", "Shared"]

Shared = Mapping[str, Any]
"""What several cells read, by name: items, training data. It is sent to a worker once, not with every cell."""


class Cell(Protocol):
    """One piece of work of a study: a system scores a benchmark, or a model is trained."""

    @property
    def key(self) -> str:
        """Its address, which follows from its content: two cells with the same key are the same work."""

    @property
    def name(self) -> str:
        """What it does, for people."""

    @property
    def needs(self) -> tuple[Cell, ...]:
        """The cells whose products it reads; they are run only if it has to be."""

    def recall(self) -> Any | None:
        """Its product, if it was made before; None if it has to be run."""

    def away(self) -> Cell:
        """The same cell without what a worker does not need."""

    def work(self, shared: Shared, listener: Listener | None) -> Any:
        """Do the work, here or on a worker; large results are written to files there."""

    def remember(self, result: Any) -> Any:
        """Keep what the work led to, in this process; return the product."""


class Arrived(NamedTuple):
    """What a worker sends back: the result of a cell, and notes for the user."""

    result: Any
    notes: tuple[str, ...]


@dataclass(frozen=True)
class CellTask:
    """Runs a cell on a worker."""

    shared: Shared

    def __call__(self, cell: Cell) -> Arrived:
        """The result, and what the user should hear."""
        keeper = NoteKeeper()
        result = cell.work(self.shared, keeper)
        return Arrived(result, tuple(keeper.notes))
