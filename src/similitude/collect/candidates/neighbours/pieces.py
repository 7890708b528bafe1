"""Pieces of a search: ranges that depend on the data alone, run by an engine in any order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

__all__ = ["OneAfterAnother", "Progress", "RunsPieces", "one_thread", "ranges", "results_of"]

Piece = TypeVar("Piece")
Result = TypeVar("Result")

Progress = Callable[[str, int, int], None]
"""Is told a stage, how many of its pieces are done, and of how many."""


class RunsPieces(Protocol):
    """The part of ``study.engines.Engine`` that a search uses."""

    def run(
        self, task: Callable[[Piece], Result], pieces: Sequence[Piece], done: Callable[[Piece, Result], None]
    ) -> None:
        """Run the task on each piece, in any order; ``done`` is called in this process as each piece ends."""


class OneAfterAnother:
    """Runs pieces in this thread."""

    def run(
        self, task: Callable[[Piece], Result], pieces: Sequence[Piece], done: Callable[[Piece, Result], None]
    ) -> None:
        """Run the task on each piece, in order."""
        with one_thread():
            for piece in pieces:
                done(piece, task(piece))


def one_thread() -> AbstractContextManager[Any]:
    """A context in which products of matrices use one thread, so that they do not depend on the number of cores."""
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[Any] = threadpool_limits(1)
    return limits


def ranges(count: int, size: int) -> list[range]:
    """Numbers below ``count`` in ranges of at most ``size``."""
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def results_of(
    engine: RunsPieces, task: Callable[[range], Result], pieces: Sequence[range], stage: str, progress: Progress
) -> list[Result]:
    """What the task returns for each piece, in the order of the pieces."""
    found: dict[range, Result] = {}

    def done(piece: range, result: Result) -> None:
        found[piece] = result
        progress(stage, len(found), len(pieces))

    engine.run(task, pieces, done)
    return [found[piece] for piece in pieces]
