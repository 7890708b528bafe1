"""The port: a task, its pieces, and somebody who runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

__all__ = ["Engine"]

Piece = TypeVar("Piece")
Result = TypeVar("Result")


class Engine(Protocol):
    """Runs a task on many pieces.

    A task can be pickled, depends on nothing but its piece, and writes large results to files itself, atomically; what
    it returns is small. Pieces that are finished stay finished: if one fails, its error is raised at the end.
    """

    @property
    def workers(self) -> int:
        """How many pieces run at a time."""

    def run(
        self, task: Callable[[Piece], Result], pieces: Sequence[Piece], done: Callable[[Piece, Result], None]
    ) -> None:
        """Run the task on each piece, in any order; ``done`` is called in this process as each piece ends."""
