"""Pieces run in this process, on threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TypeVar

__all__ = ["LocalEngine"]

Piece = TypeVar("Piece")
Result = TypeVar("Result")


@dataclass(frozen=True)
class LocalEngine:
    """The default engine.

    Attributes:
        workers: how many pieces run at a time.
    """

    workers: int = 1

    def run(
        self, task: Callable[[Piece], Result], pieces: Sequence[Piece], done: Callable[[Piece, Result], None]
    ) -> None:
        """Run the task on each piece; the first error is raised when all others have ended."""
        failed: BaseException | None = None
        with ThreadPoolExecutor(self.workers) as pool:
            running = {pool.submit(task, piece): piece for piece in pieces}
            for future in as_completed(running):
                error = future.exception()
                if error is None:
                    done(running[future], future.result())
                failed = failed or error
        if failed is not None:
            raise failed
