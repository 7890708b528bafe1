"""Computing rows: side by side on the cores of a CPU, one by one on a GPU, smaller where memory runs out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, NamedTuple, TypeVar

from similitude.errors import ArgumentError
from similitude.models.encoders.batch_executor import free_memory, is_out_of_memory, pool_of
from similitude.models.language.local.prompt_rows import PromptRow

__all__ = ["Done", "work"]

T = TypeVar("T")


class Done(NamedTuple, Generic[T]):
    """What came out of a row: one result for each of its positions."""

    positions: list[int]
    results: list[T]


def work(
    rows: Sequence[PromptRow], compute: Callable[[list[int]], list[T]], workers: int, note: Callable[[str], None]
) -> Iterator[Done[T]]:
    """Every position's result, row by row, in whatever order is best.

    Args:
        rows: to be computed.
        compute: gives one result for each of a row's positions.
        workers: rows at a time, each on a core of its own; with one, a product may use all cores.
        note: told when rows were made smaller.

    Raises:
        ArgumentError: not even one prompt fits into memory.
    """
    shrinking = _Shrinking(rows)
    with pool_of(workers, workers > 1) as pool:
        waiting: deque[tuple[PromptRow, Future[list[T]]]] = deque()
        try:
            while _submit(pool, compute, workers, shrinking, waiting):
                row, future = waiting.popleft()
                results = _results_or_none(row, future)
                if results is None:
                    shrinking.put_back(row)
                else:
                    yield Done(row.positions, results)
        finally:
            for _, future in waiting:
                future.cancel()
            if shrinking.limit is not None:
                note(f"memory ran out: rows were halved until they fitted, to {shrinking.limit:,} tokens")


class _Shrinking:
    """Rows yet to be computed, and how large they may be."""

    def __init__(self, rows: Sequence[PromptRow]) -> None:
        self._rows = deque(rows)
        self.limit: int | None = None

    def take(self) -> PromptRow | None:
        """The next row, made to fit; None if there is none at the moment."""
        if not self._rows:
            return None
        row = self._rows.popleft()
        while self.limit is not None and row.tokens > self.limit and len(row.positions) > 1:
            row, rest = row.halves()
            self._rows.appendleft(rest)
        return row

    def put_back(self, row: PromptRow) -> None:
        """Compute a row again that was too large, and all that follow, with half of its tokens at most."""
        half = (row.tokens + 1) // 2
        self.limit = half if self.limit is None else min(self.limit, half)
        self._rows.appendleft(row)


def _submit(
    pool: ThreadPoolExecutor,
    compute: Callable[[list[int]], list[T]],
    workers: int,
    shrinking: _Shrinking,
    waiting: deque[tuple[PromptRow, Future[list[T]]]],
) -> bool:
    """Keep every worker busy with the next row ready; whether there is anything to wait for."""
    while len(waiting) < 2 * workers and (row := shrinking.take()) is not None:
        waiting.append((row, pool.submit(compute, row.positions)))
    return bool(waiting)


def _results_or_none(row: PromptRow, future: Future[list[T]]) -> list[T] | None:
    """The results of a row; None if there was not enough memory for it, but might be for fewer prompts."""
    try:
        return future.result()
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
    free_memory()
    if len(row.positions) == 1:
        raise ArgumentError(
            "not enough memory for a single prompt",
            remedy="use a smaller model, dtype=float16 on a GPU, shorter prompts, or device=cpu",
        )
    return None
