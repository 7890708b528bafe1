"""What the stores of vectors and of answers share: each is one SQLite file, which may not exist yet."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from similitude.models.cache.sqlite_file import size_of

__all__ = ["Store", "ignore"]

T = TypeVar("T")


def ignore(text: str) -> None:
    """Ignore a message."""


class Store(ABC):
    """A store in one SQLite file.

    Attributes:
        path: the file; it and its folder are created when something is first stored.
    """

    path: Path

    @property
    def size(self) -> int:
        """Size in bytes."""
        return self._look(size_of, 0)

    def _look(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run the work if the file exists; otherwise return the default."""
        return self._use(work, otherwise) if self.path.exists() else otherwise

    @abstractmethod
    def _use(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run the work; a store that may fail without harm returns the default then."""
