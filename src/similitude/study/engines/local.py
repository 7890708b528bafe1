"""Pieces run in this process, on threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from similitude.study.engines.engine import Failures

__all__ = ["LocalEngine", "limited_threads"]

Piece = TypeVar("Piece")
Result = TypeVar("Result")


@dataclass(frozen=True)
class LocalEngine:
    """The default engine.

    With one worker, pieces run in order on the calling thread. With more, Ctrl-C waits for the pieces that have
    started and drops the rest.

    Attributes:
        workers: how many pieces run at a time.
        threads: the number of threads that BLAS and OpenMP use within a piece; None leaves them alone. A product of
            matrices may change in its last bits with the number of threads, so results that must not depend on
            ``workers`` need a fixed one.
    """

    workers: int = 1
    threads: int | None = 1

    @property
    def is_here(self) -> bool:
        """True: threads share the memory of this process."""
        return True

    def run(
        self,
        task: Callable[[Piece], Result],
        pieces: Sequence[Piece],
        done: Callable[[Piece, Result], None],
        failed: Callable[[Piece, Exception], None] | None = None,
    ) -> None:
        """Run the task on each piece; the first error is raised when all others have ended."""
        failures = Failures(pieces, failed)
        # The limit holds for the whole process, so it is set once around all threads, not by each of them.
        with limited_threads(self.threads):
            if self.workers == 1:
                _run_in_order(task, pieces, done, failures)
            else:
                _run_on_threads(self.workers, task, pieces, done, failures)
        failures.raise_first()

    def check_folder(self, folder: Path) -> None:
        """Nothing to check: this process is the only worker."""


def limited_threads(threads: int | None) -> AbstractContextManager[Any]:
    """A context in which BLAS and OpenMP use so many threads; None changes nothing."""
    if threads is None:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[Any] = threadpool_limits(threads)
    return limits


def _run_in_order(
    task: Callable[[Piece], Result],
    pieces: Sequence[Piece],
    done: Callable[[Piece, Result], None],
    failures: Failures[Piece],
) -> None:
    for position, piece in enumerate(pieces):
        try:
            result = task(piece)
        except Exception as error:
            failures.add(position, error)
            if failures.is_hopeless:
                return
        else:
            done(piece, result)


def _run_on_threads(
    workers: int,
    task: Callable[[Piece], Result],
    pieces: Sequence[Piece],
    done: Callable[[Piece, Result], None],
    failures: Failures[Piece],
) -> None:
    """Run pieces on threads; a piece is handed over when a thread is free, so that nothing waits in a queue."""
    waiting = iter(enumerate(pieces))
    running: dict[Future[Result], int] = {}
    with ThreadPoolExecutor(workers) as pool:
        while True:
            while len(running) < workers and not failures.is_hopeless and (following := next(waiting, None)):
                running[pool.submit(task, following[1])] = following[0]
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                position = running.pop(future)
                try:
                    result = future.result()
                except Exception as error:
                    failures.add(position, error)
                else:
                    done(pieces[position], result)
