"""Runs a coroutine in an event loop in another thread, and iterates over its results.

Each result comes with a receipt: the coroutine waits until the reader has put the result in a safe place.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

__all__ = ["Emit", "LoopReceipt", "iterate", "iterate_with_receipts", "run_jobs"]

T = TypeVar("T")
J = TypeVar("J")

_GRACE = 3.0
"""Seconds that requests under way may take to finish after another one failed: their answers may have been paid for."""
_STOP_SECONDS = 10.0

Emit = Callable[[T], Awaitable[None]]
"""Emits a result, and waits for its receipt."""


class _End(NamedTuple):
    error: BaseException | None


class LoopReceipt:
    """Tells a coroutine in the loop of another thread that its result is kept, or cannot be."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._future: asyncio.Future[None] = loop.create_future()

    def kept(self) -> None:
        """The result is in a safe place."""
        self._tell(lambda: self._future.set_result(None))

    def lost(self, error: BaseException) -> None:
        """The result is lost; the coroutine gets the error."""
        self._tell(lambda: self._future.set_exception(error))

    async def given(self) -> None:
        """Wait for the receipt."""
        await self._future

    def _tell(self, tell: Callable[[], None]) -> None:
        def unless_done() -> None:
            if not self._future.done():
                tell()

        with suppress(RuntimeError):  # the loop has ended: nobody waits any more
            self._loop.call_soon_threadsafe(unless_done)


class _Work(threading.Thread):
    """Runs a coroutine and puts its results, and finally how it ended, into a queue."""

    def __init__(self, work: Callable[[Emit[Any]], Coroutine[Any, Any, None]]) -> None:
        super().__init__(name="endpoint", daemon=True)
        self.out: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._work, self._ready = work, threading.Event()
        self._loop: asyncio.AbstractEventLoop
        self._task: asyncio.Task[Any] | None

    def run(self) -> None:
        error: BaseException | None = None
        try:
            asyncio.run(self._main())
        except BaseException as caught:  # raised again in `iterate`
            error = caught
        self.out.put(_End(error))

    async def _main(self) -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        self._ready.set()
        await self._work(self._emit)

    async def _emit(self, item: object) -> None:
        receipt = LoopReceipt(self._loop)
        self.out.put((item, receipt))
        await receipt.given()

    def stop(self) -> None:
        """Cancel the coroutine and wait until its connections are closed."""
        self._ready.wait(_STOP_SECONDS)
        if self.is_alive() and self._task is not None:
            with suppress(RuntimeError):  # the loop has ended in the meantime
                self._loop.call_soon_threadsafe(self._task.cancel)
        self.join(_STOP_SECONDS)


def iterate(work: Callable[[Emit[T]], Coroutine[Any, Any, None]]) -> Iterator[T]:
    """Iterate over the results of a coroutine; each counts as kept when the reader comes back for the next.

    Args:
        work: takes the function that emits a result.
    """
    for item, receipt in iterate_with_receipts(work):
        yield item
        receipt.kept()


def iterate_with_receipts(
    work: Callable[[Emit[T]], Coroutine[Any, Any, None]],
) -> Generator[tuple[T, LoopReceipt], None, None]:
    """Iterate over the results of a coroutine as soon as it emits them, each with the receipt that it waits for.

    If the coroutine fails, its earlier results come first, then the error is raised. If the reader stops or is
    interrupted, the coroutine is cancelled; after an interrupt, results that have arrived are still yielded.

    Args:
        work: takes the function that emits a result.
    """
    thread = _Work(work)
    thread.start()
    try:
        while not isinstance(item := _next(thread), _End):
            yield item
        if item.error is not None:
            raise item.error
    except KeyboardInterrupt:
        thread.stop()
        while not thread.out.empty() and not isinstance(item := thread.out.get(), _End):
            yield item
        raise
    finally:
        thread.stop()


def _next(thread: _Work) -> Any:
    """Wait in short intervals, so that an interrupt is noticed on every platform."""
    while True:
        with suppress(queue.Empty):
            return thread.out.get(timeout=0.5)
        if not thread.is_alive() and thread.out.empty():
            return _End(RuntimeError("the event loop ended unexpectedly"))


async def run_jobs(
    jobs: Sequence[J], work: Callable[[J], Awaitable[T]], workers: int, done: Emit[tuple[int, T]]
) -> None:
    """Run all jobs, a limited number at a time; emit the position and result of each.

    A worker takes its next job when the result of its last one is kept.

    After the first failure, no new job starts; jobs under way get a moment to finish; then the failure is raised.
    """
    places = iter(range(len(jobs)))

    async def one_after_another() -> None:
        for place in places:  # shared by all workers
            await done((place, await work(jobs[place])))

    tasks = [asyncio.create_task(one_after_another()) for _ in range(min(workers, len(jobs)))]
    if not tasks:
        return
    try:
        finished, under_way = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        if under_way:
            list(places)  # leave no jobs to start
            await asyncio.wait(under_way, timeout=_GRACE)
        for task in finished:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
