"""What the stores of vectors and of answers share: each is one SQLite file, which may not exist yet."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeVar

from similitude.models.cache.sqlite_file import size_of

__all__ = ["Store", "ignore"]

T = TypeVar("T")


def ignore(text: str) -> None:
    """Ignore a message."""


@dataclass(frozen=True)
class Store(ABC):
    """A store in one SQLite file.

    Attributes:
        path: the file; it and its folder are created when something is first stored.
        note: called with messages for the user.
    """

    path: Path
    note: Callable[[str], None] = field(default=ignore, repr=False, compare=False, kw_only=True)
    _told: set[str] = field(default_factory=set, init=False, repr=False, compare=False)

    def telling(self, note: Callable[[str], None]) -> Self:
        """The same store, which tells this its messages, unless it already tells somebody."""
        return replace(self, note=note) if self.note is ignore else self

    def __getstate__(self) -> dict[str, Any]:
        # Who hears its messages stays in this process.
        return {**self.__dict__, "note": ignore, "_told": set()}

    @property
    def size(self) -> int:
        """Size in bytes."""
        return self._look(size_of, 0)

    def _look(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run the work if the file exists; otherwise return the default."""
        return self._use(work, otherwise) if self.path.exists() else otherwise

    def _tell_once(self, kind: str, text: str) -> None:
        """Tell the first message of each kind."""
        if kind not in self._told:
            self._told.add(kind)
            self.note(text)

    @abstractmethod
    def _use(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run the work; a store that may fail without harm returns the default then."""
