"""A lane for short writes of the event loop: many in one transaction, in one thread.

SQLite has one writer at a time, and each commit waits for the disk. Requests hand their writes to one thread, which
runs all that wait in one transaction, each behind its own savepoint, and answers them after the commit. PostgreSQL has
many writers; there each write is a transaction in a thread of its own.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

import sqlalchemy as sa

from similitude.collect.annotation.store.database import Database, translated, writing
from similitude.collect.annotation.store.group_commit import savepoint

__all__ = ["WriteLane"]

T = TypeVar("T")
Job = tuple[Callable[[sa.Connection], Any], "Future[Any]"]

MOST_AT_ONCE = 64
IDLE_SECONDS = 30.0
"""A thread without work ends, so that those of studies which are no longer served go away."""


class WriteLane:
    """Runs write jobs. What a job returned is on disk when `run` returns it."""

    def __init__(self, db: Database) -> None:
        """Take the database; the thread starts with the first job."""
        self._db = db
        self._waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    async def run(self, job: Callable[[sa.Connection], T]) -> T:
        """Run a job in a transaction, and return its result after the commit.

        Raises:
            StoreUnavailable: the database cannot be used, or the commit failed; nothing was written.
            Exception: whatever the job raised; its changes are undone.
        """
        if self._db.path is None:
            return await asyncio.to_thread(self._alone, job)
        future: Future[T] = Future()
        self._waiting.put((job, future))
        self._start()
        return await asyncio.wrap_future(future)

    def _alone(self, job: Callable[[sa.Connection], T]) -> T:
        with writing(self._db) as connection:
            return job(connection)

    def _start(self) -> None:
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="annotation writes", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        while True:
            try:
                first = self._waiting.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                with self._starting:  # a job that comes now either is seen here or starts another thread
                    if self._waiting.empty():
                        self._thread = None
                        return
                continue
            self._together([first, *self._others()])

    def _others(self) -> list[Job]:
        found: list[Job] = []
        while len(found) < MOST_AT_ONCE - 1:
            try:
                found.append(self._waiting.get_nowait())
            except queue.Empty:
                break
        return found

    def _together(self, jobs: list[Job]) -> None:
        """Run jobs in one transaction; if it fails as a whole, all of them fail."""
        done: list[tuple[Future[Any], Any, BaseException | None]] = []
        try:
            with writing(self._db) as connection:
                done = [(future, *_outcome(connection, job)) for job, future in jobs]
        except Exception as error:
            done = [(future, None, error) for _, future in jobs]
        for future, result, failure in done:
            if future.set_running_or_notify_cancel():
                _settle(future, result, failure)


def _outcome(connection: sa.Connection, job: Callable[[sa.Connection], Any]) -> tuple[Any, BaseException | None]:
    """A job's result or its error. An error that ended the whole transaction is raised."""
    try:
        with translated(), savepoint(connection):
            return job(connection), None
    except Exception as error:
        if not connection.connection.dbapi_connection.in_transaction:  # type: ignore[union-attr]
            raise
        return None, error


def _settle(future: Future[Any], result: Any, failure: BaseException | None) -> None:
    if failure is None:
        future.set_result(result)
    else:
        future.set_exception(failure)
