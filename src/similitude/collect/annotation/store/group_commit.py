"""Group commit for SQLite: threads write in turn, and several share one commit.

SQLite has one writer at a time, and a commit waits for the disk. Threads of this process take turns in one open
transaction, each behind its own savepoint, and the last in line commits for all. While the disk is busy with one
commit, the next group gathers. A call returns only after the commit that holds its changes.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

__all__ = ["Gate", "GroupCommit", "savepoint"]

LARGEST_GROUP = 64
LONGEST_GATHERING = 0.05
"""Seconds for which others may join before the commit."""
PATIENCE = 60.0
"""Seconds that somebody waits for the commit of their group."""


class Gate:
    """Lets a fixed number of threads through at once, and the others in order of arrival."""

    def __init__(self, places: int, too_long: Callable[[], Exception]) -> None:
        """Take the number of places, and the error for threads that wait too long."""
        self._free = places
        self._too_long = too_long
        self._counting = threading.Lock()
        self._line: deque[threading.Event] = deque()

    def __enter__(self) -> None:
        with self._counting:
            if self._free:
                self._free -= 1
                return
            called = threading.Event()
            self._line.append(called)
        if not called.wait(PATIENCE):
            with self._counting:
                if called in self._line:
                    self._line.remove(called)
                    raise self._too_long()

    def __exit__(self, *_: object) -> None:
        with self._counting:
            if self._line:
                self._line.popleft().set()
            else:
                self._free += 1


class _Group:
    """The threads whose changes are in one transaction."""

    def __init__(self) -> None:
        self.size = 0
        self.began = time.monotonic()
        self.over = threading.Event()
        self.error: BaseException | None = None

    def may_grow(self) -> bool:
        """Whether more threads may join before the commit; none should wait long for others."""
        return 0 < self.size < LARGEST_GROUP and time.monotonic() - self.began < LONGEST_GATHERING


class GroupCommit:
    """One transaction at a time, shared by all threads that write at that moment."""

    def __init__(self, begin: Callable[[], sa.Connection], undone: Callable[[], Exception]) -> None:
        """Take a function that begins a transaction, and the error for changes that were not committed."""
        self._begin = begin
        self._undone = undone
        self._turn = threading.Lock()
        self._counting = threading.Lock()
        self._waiting = 0
        self._connection: sa.Connection | None = None
        self._group = _Group()

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A part of a transaction: undone when it raises, on disk when it ends."""
        group: _Group | None = None
        with self._my_turn():
            try:
                connection = self._open()
                with savepoint(connection):
                    yield connection
                group = self._group
                group.size += 1
            finally:
                self._maybe_commit()
        self._await(group)

    @contextmanager
    def _my_turn(self) -> Iterator[None]:
        with self._counting:
            self._waiting += 1
        with self._turn:
            with self._counting:
                self._waiting -= 1
            yield

    def _open(self) -> sa.Connection:
        if self._connection is None:
            self._group = _Group()
            self._connection = self._begin()
        return self._connection

    def _maybe_commit(self) -> None:
        """Commit for the group, unless a waiting thread will."""
        connection, group = self._connection, self._group
        if connection is None:
            return
        intact = _in_transaction(connection)
        if intact and self._waiting and group.may_grow():
            return
        self._connection = None
        try:
            if not intact:  # a full disk can make SQLite undo everything, also what others had written
                raise self._undone()
            connection.commit()
        except BaseException as error:
            group.error = error
        finally:
            _close(connection)
            group.over.set()

    def _await(self, group: _Group | None) -> None:
        assert group is not None
        if not group.over.wait(PATIENCE):
            raise self._undone()
        if group.error is not None:
            raise group.error


@contextmanager
def savepoint(connection: sa.Connection) -> Iterator[None]:
    """Undo what is done inside, and only that, if it raises."""
    raw: Any = connection.connection.dbapi_connection
    raw.execute("SAVEPOINT part")
    try:
        yield
    except BaseException:
        if not connection.invalidated and raw.in_transaction:  # Ctrl-C inside a statement closes the connection
            raw.execute("ROLLBACK TO part")
            raw.execute("RELEASE part")
        raise
    raw.execute("RELEASE part")


def _in_transaction(connection: sa.Connection) -> bool:
    if connection.invalidated:
        return False
    raw: Any = connection.connection.dbapi_connection
    return bool(raw is not None and raw.in_transaction)


def _close(connection: Any) -> None:
    try:
        connection.close()
    except Exception:  # the commit's own error is what matters
        connection.invalidate()
