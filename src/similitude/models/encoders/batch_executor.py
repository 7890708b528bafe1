"""Computing batches: side by side on the cores of a CPU, one by one on a GPU, smaller where memory runs out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.models.encoders.batches import Batches, Budget, TextBatch
from similitude.models.encoders.text_model import PreparedTexts, TextModel

__all__ = ["Computed", "compute", "free_memory", "is_out_of_memory", "pool_of"]

Rows = NDArray[np.float32]


class Computed(NamedTuple):
    """What came out of one batch: one row for each text at these positions."""

    positions: list[int]
    rows: Rows


def compute(
    model: TextModel, prepared: PreparedTexts, budget: Budget, note: Callable[[str], None]
) -> Iterator[Computed]:
    """Every text's row, batch by batch, in whatever order is best.

    Args:
        model: computes.
        prepared: its own.
        budget: of a batch; halved when memory does not last.
        note: told when it was.

    Raises:
        ArgumentError: not even one text fits into memory.
    """
    batches = Batches(prepared.lengths, model.longest, budget)
    with pool_of(model.workers, model.on_one_core) as pool:
        waiting: deque[tuple[TextBatch, Future[Rows]]] = deque()
        try:
            while _submit(pool, model, prepared, batches, waiting):
                batch, future = waiting.popleft()
                rows = _rows_or_none(batch, future)
                if rows is None:
                    batches.put_back(batch)
                else:
                    yield Computed(batch.positions, rows[: len(batch.positions)])
        finally:
            for _, future in waiting:
                future.cancel()
            if batches.budget != budget:
                note(f"memory ran out: batches were halved until they fitted, to {batches.budget.tokens:,} tokens")


def _submit(
    pool: ThreadPoolExecutor,
    model: TextModel,
    prepared: PreparedTexts,
    batches: Batches,
    waiting: deque[tuple[TextBatch, Future[Rows]]],
) -> bool:
    """Keep every worker busy with the next one ready; whether there is anything to wait for."""
    while len(waiting) < 2 * model.workers and (batch := batches.take()) is not None:
        inputs = batch.filled(prepared.inputs)
        waiting.append((batch, pool.submit(model.run, inputs, batch.shape.length, prepared.prompt)))
    return bool(waiting)


def _rows_or_none(batch: TextBatch, future: Future[Rows]) -> Rows | None:
    """The rows of a batch; None if there was not enough memory for them, but might be for fewer."""
    try:
        return future.result()
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
    free_memory()
    if batch.rows == 1:
        raise ArgumentError(
            f"not enough memory for a single text of {batch.shape.length} tokens",
            remedy="use a smaller model, dtype=float16 on a GPU, or device=cpu",
        )
    return None


def is_out_of_memory(error: Exception) -> bool:
    """Torch has an error of its own on a GPU, and on a CPU a plain one whose text differs from system to system."""
    import torch

    told = str(error).lower()
    words = ("not enough memory", "can't allocate memory", "cannot allocate memory", "out of memory")
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or any(word in told for word in words)


def free_memory() -> None:
    """Hand what a GPU's allocator holds on to back to it."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()


@contextmanager
def pool_of(workers: int, on_one_core: bool) -> Iterator[ThreadPoolExecutor]:
    """Threads that multiply matrices on one core each, or one that uses them all.

    Threads inside each product, torch's own way, wait for one another: on two cores that others use as well they were
    measured up to thirty times as slow as one thread. And a product on one core has the same last bits on a machine
    with many.
    """
    import torch

    before = torch.get_num_threads()
    threads = 1 if on_one_core else before
    try:
        with ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(threads,)) as pool:
            yield pool
    finally:
        torch.set_num_threads(before)
