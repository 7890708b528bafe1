"""An event loop in a thread of its own, and what comes out of it as a plain iterator."""

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
"""Seconds in which requests under way may still end after another failed for good: their answers may be paid for."""
_STOP_SECONDS = 10.0


class _End(NamedTuple):
    error: BaseException | None


class _Work(threading.Thread):
    """Runs a coroutine; what it hands out, and at last how it ended, goes into the queue."""

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
        except BaseException as caught:  # raised where the iterator is read
            error = caught
        self.out.put(_End(error))

    async def _main(self) -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        self._ready.set()
        await self._work(self.out.put)

    def stop(self) -> None:
        """Cancel what is under way and wait until connections are closed."""
        self._ready.wait(_STOP_SECONDS)
        if self.is_alive() and self._task is not None:
            with suppress(RuntimeError):  # the loop ended in between
                self._loop.call_soon_threadsafe(self._task.cancel)
        self.join(_STOP_SECONDS)


def iterate(work: Callable[[Callable[[T], None]], Coroutine[Any, Any, None]]) -> Iterator[T]:
    """What a coroutine hands out, in that order, as soon as it does.

    If the coroutine fails, what it had handed out comes first, then the error. If the reader stops, or is interrupted,
    the coroutine is cancelled; after an interrupt, what had already come is still handed on.

    Args:
        work: is given the function to hand out with.
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
    """Waits in short turns, so that an interrupt is heard on every platform."""
    while True:
        with suppress(queue.Empty):
            return thread.out.get(timeout=0.5)
        if not thread.is_alive() and thread.out.empty():
            return _End(RuntimeError("the event loop ended without a word"))


async def run_jobs(
    jobs: Sequence[J], work: Callable[[J], Awaitable[T]], workers: int, done: Callable[[tuple[int, T]], None]
) -> None:
    """Do all jobs, so many at once, handing out each place and result.

    After the first failure nothing new is begun; what is under way has a moment to end; then the failure is raised.
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
            list(places)  # nothing is left to begin
            await asyncio.wait(under_way, timeout=_GRACE)
        for task in finished:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
