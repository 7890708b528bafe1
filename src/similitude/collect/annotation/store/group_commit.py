"""Who may write when: in turn, and several to one commit.

SQLite has one writer at a time, and a commit waits for the disk. Threads of this process therefore take turns in one
open transaction, each behind a savepoint of its own, and the last in line commits for all: while the disk is busy with
one commit the next group gathers. Nobody's call returns before the commit that holds their answer has.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

__all__ = ["Gate", "GroupCommit"]

LARGEST_GROUP = 64
LONGEST_GATHERING = 0.05
"""Seconds for which others may join before the commit."""
PATIENCE = 60.0
"""Seconds that somebody waits for the commit of their group."""


class Gate:
    """Lets so many through at once, and the others in the order in which they came."""

    def __init__(self, places: int, too_long: Callable[[], Exception]) -> None:
        """With the error for those who wait too long."""
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
    """Those whose changes lie in one transaction."""

    def __init__(self) -> None:
        self.size = 0
        self.began = time.monotonic()
        self.over = threading.Event()
        self.error: BaseException | None = None

    def may_grow(self) -> bool:
        """Whether more may join before the commit: nobody should wait long for others."""
        return 0 < self.size < LARGEST_GROUP and time.monotonic() - self.began < LONGEST_GATHERING


class GroupCommit:
    """A transaction at a time, shared by all threads that want to write at that moment."""

    def __init__(self, begin: Callable[[], sa.Connection], undone: Callable[[], Exception]) -> None:
        """With a way to begin a transaction, and the error for those whose part was not committed."""
        self._begin = begin
        self._undone = undone
        self._turn = threading.Lock()
        self._counting = threading.Lock()
        self._waiting = 0
        self._connection: sa.Connection | None = None
        self._group = _Group()

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """One's own part of a transaction: undone when it raises, on disk when it returns."""
        group: _Group | None = None
        with self._my_turn():
            try:
                connection = self._open()
                with _savepoint(connection):
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
        """Commit for the group, unless somebody is waiting who will."""
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
def _savepoint(connection: sa.Connection) -> Iterator[None]:
    """What is done inside is undone when it raises, and only that."""
    raw: Any = connection.connection.dbapi_connection
    raw.execute("SAVEPOINT part")
    try:
        yield
    except BaseException:
        if raw.in_transaction:
            raw.execute("ROLLBACK TO part")
            raw.execute("RELEASE part")
        raise
    raw.execute("RELEASE part")


def _in_transaction(connection: sa.Connection) -> bool:
    raw: Any = connection.connection.dbapi_connection
    return bool(raw is not None and raw.in_transaction)


def _close(connection: Any) -> None:
    try:
        connection.close()
    except Exception:  # the commit's own error is what matters
        connection.invalidate()
