"""Loops whose progress a listener is told, and work that cannot be counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from similitude.data.protocols import Listener

__all__ = ["WorkCounter", "counted_work", "uncounted_work"]

Thing = TypeVar("Thing")

STEPS = 200
"""A listener is told at most so often, and at the end."""


class WorkCounter:
    """Counts what several threads do, and tells a listener now and then."""

    def __init__(self, listener: Listener | None, stage: str, total: int) -> None:
        """A count that begins now.

        Args:
            listener: is told; None for nobody.
            stage: what is done.
            total: how much there is to do.
        """
        self._listener, self._stage, self._total = listener, stage, total
        self._done, self._told, self._lock = 0, 0, Lock()
        if listener is not None and total:
            listener.progress(stage, 0, total)

    def add(self, count: int = 1) -> None:
        """So much more is done."""
        if self._listener is None:
            return
        with self._lock:
            self._done += count
            is_due = self._done - self._told >= max(1, self._total // STEPS) or self._done == self._total
            self._told = self._done if is_due else self._told
            if is_due:
                self._listener.progress(self._stage, self._done, self._total)


def counted_work(things: Iterable[Thing], listener: Listener | None, stage: str, total: int) -> Iterator[Thing]:
    """The things one after the other; the listener is told how many are done.

    >>> class Ear:
    ...     def progress(self, stage, done, total):
    ...         print(stage, done, total)
    >>> list(counted_work("ab", Ear(), "letters", 2))
    letters 0 2
    letters 1 2
    letters 2 2
    ['a', 'b']
    """
    counter = WorkCounter(listener, stage, total)
    for thing in things:
        yield thing
        counter.add()


def uncounted_work(listener: Listener | None, stage: str) -> None:
    """Say which work begins that cannot be counted; bars then show how long it has taken."""
    if listener is not None:
        listener.progress(stage, 0, 0)
