"""The databases of a console and its studies: files in their folders, or schemas of one PostgreSQL database."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

from similitude.collect.annotation.shelf.slugs import check_slug
from similitude.collect.annotation.store import Database, migrate, open_database
from similitude.collect.annotation.store.database import SchemaDatabase

__all__ = ["CONSOLE_FILE", "MOST_OPEN", "StudyDatabases"]

CONSOLE_FILE = "console.db"
CONSOLE_SCHEMA = "console"
MOST_OPEN = 100
"""Databases that stay open; of more studies, those that were used last. Closing one ends nothing that runs."""


class StudyDatabases:
    """Opens databases when they are needed, and keeps the last ones open. Threads may share it.

    Args:
        folder: the folder of the studies.
        url: ``postgresql://...``, where each study and the console have a schema; None for a file beside each study.
        most_open: how many stay open.
    """

    def __init__(self, folder: Path, url: str | None = None, *, most_open: int = MOST_OPEN) -> None:
        self.folder = folder
        self.url = url
        self._shared = None if url is None else SchemaDatabase(url)
        self._most_open = most_open
        self._open: OrderedDict[str, Database] = OrderedDict()
        self._upgraded: set[str] = set()
        self._lock = threading.Lock()

    @property
    def dialect(self) -> str:
        """Either "sqlite" or "postgresql"."""
        return "sqlite" if self._shared is None else "postgresql"

    def console(self, *, create: bool = True) -> Database:
        """The console's database, with its tables; the caller closes it."""
        return self._opened(self.folder / CONSOLE_FILE, CONSOLE_SCHEMA, create=create)

    def study(self, slug: str, *, create: bool = True) -> Database:
        """A study's database, with its tables.

        Raises:
            ArgumentError: the slug is none, or there is no database and ``create`` is false.
            StoreUnavailable: the database cannot be reached.
        """
        with self._lock:
            known = self._open.get(slug)
            if known is not None and known.is_there:
                self._open.move_to_end(slug)
                return known
            if known is not None:  # its file was removed, or is another one now
                self._upgraded.discard(slug)
                self._open.pop(slug).close()
            upgraded = slug in self._upgraded
        path = self.folder / check_slug(slug) / "study.db"
        return self._keep(slug, self._opened(path, f"study_{slug}", create=create, upgrade=not upgraded))

    def has(self, slug: str) -> bool:
        """Whether there is a database of this name, be it of a study whose folder has gone."""
        if self._shared is None:
            return (self.folder / check_slug(slug) / "study.db").exists()
        return self._shared.has(f"study_{check_slug(slug)}")

    def drop(self, slug: str) -> None:
        """Close a study's database; it is opened again when it is needed."""
        with self._lock:
            known = self._open.pop(slug, None)
            self._upgraded.discard(slug)
        if known is not None:
            known.close()

    def close(self) -> None:
        """Close everything."""
        with self._lock:
            open_ones, self._open = list(self._open.values()), OrderedDict()
        for each in open_ones:
            each.close()
        if self._shared is not None:
            self._shared.close()

    def _keep(self, slug: str, made: Database) -> Database:
        with self._lock:
            kept = self._open.setdefault(slug, made)
            self._upgraded.add(slug)
            self._open.move_to_end(slug)
            old = [self._open.popitem(last=False)[1] for _ in range(len(self._open) - self._most_open)]
        for each in [*old, *([made] if kept is not made else [])]:
            each.close()  # connections in use are closed when they are given back
        return kept

    def _opened(self, path: Path, schema: str, *, create: bool, upgrade: bool = True) -> Database:
        if self._shared is None:
            return open_database(path, create=create, migrate=upgrade)
        database = self._shared.schema(schema, create=create)
        if upgrade:
            migrate(database)
        return database
