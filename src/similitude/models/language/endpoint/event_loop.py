"""Runs a coroutine in an event loop in another thread, and iterates over its results."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

__all__ = ["iterate", "run_jobs"]

T = TypeVar("T")
J = TypeVar("J")

_GRACE = 3.0
"""Seconds that requests under way may take to finish after another one failed: their answers may have been paid for."""
_STOP_SECONDS = 10.0


class _End(NamedTuple):
    error: BaseException | None


class _Work(threading.Thread):
    """Runs a coroutine and puts its results, and finally how it ended, into a queue."""

    def __init__(self, work: Callable[[Callable[[T], None]], Coroutine[Any, Any, None]]) -> None:
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
        await self._work(self.out.put)

    def stop(self) -> None:
        """Cancel the coroutine and wait until its connections are closed."""
        self._ready.wait(_STOP_SECONDS)
        if self.is_alive() and self._task is not None:
            with suppress(RuntimeError):  # the loop has ended in the meantime
                self._loop.call_soon_threadsafe(self._task.cancel)
        self.join(_STOP_SECONDS)


def iterate(work: Callable[[Callable[[T], None]], Coroutine[Any, Any, None]]) -> Iterator[T]:
    """Iterate over the results of a coroutine as soon as it emits them.

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
    jobs: Sequence[J], work: Callable[[J], Awaitable[T]], workers: int, done: Callable[[tuple[int, T]], None]
) -> None:
    """Run all jobs, a limited number at a time; emit the position and result of each.

    After the first failure, no new job starts; jobs under way get a moment to finish; then the failure is raised.
    """
    places = iter(range(len(jobs)))

    async def one_after_another() -> None:
        for place in places:  # shared by all workers
            done((place, await work(jobs[place])))

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
