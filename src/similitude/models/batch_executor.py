"""Runs a model batch by batch: in parallel on a CPU, one at a time on a GPU, and smaller when memory runs out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol, TypeVar

__all__ = ["BatchQueue", "execute", "is_out_of_memory"]

B = TypeVar("B")
T = TypeVar("T")


class BatchQueue(Protocol[B]):
    """Batches that have not been computed yet, and the size that they may have."""

    @property
    def limit(self) -> int | None:
        """Maximum tokens of a batch since memory ran out; None if it never did."""

    def take(self) -> B | None:
        """Remove and return the next batch; None if the queue is empty."""
        ...

    def put_back(self, batch: B) -> None:
        """Return a batch that did not fit into memory; it and all others become smaller.

        Raises:
            ArgumentError: the batch cannot be made any smaller.
        """


def execute(
    queue: BatchQueue[B],
    compute: Callable[[B], T],
    *,
    workers: int,
    one_core_each: bool,
    note: Callable[[str], None],
) -> Iterator[tuple[B, T]]:
    """Compute every batch of the queue; yield each batch with its result, in any order.

    Args:
        queue: the batches.
        compute: computes one batch.
        workers: how many batches are computed in parallel.
        one_core_each: whether a worker uses one core of the CPU or all of them.
        note: called with one sentence if memory ran out.

    Raises:
        ArgumentError: the smallest possible batch does not fit into memory.
    """
    with _thread_pool(workers, one_core_each) as pool:
        waiting: deque[tuple[B, Future[T]]] = deque()
        try:
            while _submit(pool, compute, workers, queue, waiting):
                batch, future = waiting.popleft()
                try:
                    result = future.result()
                except (RuntimeError, MemoryError) as error:
                    if not is_out_of_memory(error):
                        raise
                else:
                    yield batch, result
                    continue
                _free_gpu_memory()
                queue.put_back(batch)
        finally:
            for _, future in waiting:
                future.cancel()
            if queue.limit is not None:
                note(f"memory ran out: batches were halved until they fitted, to {queue.limit:,} tokens")


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory ran out.

    On a GPU torch raises an error class of its own. On a CPU it raises a RuntimeError whose text varies by platform.
    """
    import torch

    text = str(error).lower()
    phrases = ("not enough memory", "can't allocate memory", "cannot allocate memory", "out of memory")
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or any(phrase in text for phrase in phrases)


def _submit(
    pool: ThreadPoolExecutor,
    compute: Callable[[B], T],
    workers: int,
    queue: BatchQueue[B],
    waiting: deque[tuple[B, Future[T]]],
) -> bool:
    """Submit two batches per worker, so that none is idle; return whether there is a result to wait for."""
    while len(waiting) < 2 * workers and (batch := queue.take()) is not None:
        waiting.append((batch, pool.submit(compute, batch)))
    return bool(waiting)


def _free_gpu_memory() -> None:
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()


@contextmanager
def _thread_pool(workers: int, one_core_each: bool) -> Iterator[ThreadPoolExecutor]:
    """Threads whose matrix products run on one core each, or on all cores.

    By default torch uses several threads within each product, and these wait for one another: on two cores that other
    processes used as well, they were up to thirty times as slow as one thread. A product on one core also has the same
    last bits on every machine, however many cores it has.
    """
    import torch

    before = torch.get_num_threads()
    threads = 1 if one_core_each else before
    try:
        with ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(threads,)) as pool:
            yield pool
    finally:
        torch.set_num_threads(before)
