"""Where a study is: a TOML file, a folder of a console, or the folder of all studies; and its databases."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.collect.annotation.store import Database

__all__ = ["BY", "Place", "find_place", "now"]

BY = "command line"
PLAN = "study.toml"
CONSOLE = "console.db"


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a study is, or all studies of a folder.

    Attributes:
        path: what was written.
        plan: the study's TOML file; None for the folder of all studies.
        folder: the folder of all studies; None for a study that is served alone.
        slug: the study's name in that folder; empty for the folder itself.
        database: what ``--database`` says.
    """

    path: Path
    plan: Path | None
    folder: Path | None
    slug: str = ""
    database: str | None = None

    @property
    def url(self) -> str:
        """The database of a study that is served alone."""
        return self.database or os.fspath(self.needed_plan.with_suffix(".db"))

    @property
    def needed_plan(self) -> Path:
        """The study's TOML file.

        Raises:
            ArgumentError: this is the folder of all studies.
        """
        if self.plan is None:
            remedy = f"name one of its studies: {self.path}/NAME"
            raise ArgumentError("is a folder of studies", where=str(self.path), remedy=remedy)
        return self.plan

    @contextmanager
    def study(self, *, create: bool = False) -> Iterator[Database]:
        """The study's database."""
        from similitude.collect.annotation.shelf import StudyDatabases
        from similitude.collect.annotation.store import open_database

        plan = self.needed_plan
        if self.folder is None:
            with closing(open_database(self.url, create=create)) as db:
                yield db
            return
        with closing(StudyDatabases(plan.parent.parent, self.database)) as databases:
            yield databases.study(self.slug, create=create)

    @contextmanager
    def ready(self) -> Iterator[Database]:
        """The study's database; a study that was never served is put into it first, on a shelf as a draft."""
        from similitude.collect.annotation import store
        from similitude.collect.annotation.plan.reader import read_study
        from similitude.collect.annotation.store.refusals import NotThere

        plan = self.needed_plan
        if self.folder is not None:
            from similitude.collect.annotation.shelf import StudyShelf

            with closing(StudyShelf(self.folder, self.database)) as shelf:
                yield shelf.database(self.slug)
            return
        planned = None if "://" in self.url or Path(self.url).exists() else read_study(plan)
        with self.study(create=True) as db:
            try:
                store.read_study(db)
            except NotThere:
                store.put_study(db, planned or read_study(plan), now=now(), by=BY)
            yield db

    @contextmanager
    def leaders(self) -> Iterator[Database]:
        """The database of leaders: the console's, or that of a study which is served alone."""
        if self.folder is None:
            with self.ready() as db:
                yield db
            return
        from similitude.collect.annotation.shelf import StudyShelf

        with closing(StudyShelf(self.folder, self.database)) as shelf:
            yield shelf.console


def find_place(written: Path, database: str | None = None) -> Place:
    """Find a study, or the folder of all studies.

    Args:
        written: a TOML file, a folder with a ``study.toml``, or a folder of such folders.
        database: what ``--database`` says.

    Raises:
        ArgumentError: there is no such thing, or a folder of studies cannot use that database.
    """
    if not written.is_dir():
        return Place(path=written, plan=written, folder=None, database=database)
    remote = database is not None and database.startswith(("postgresql", "postgres"))
    if not (written / PLAN).is_file():
        _check_database(database, remote, written)
        return Place(path=written, plan=None, folder=written, database=database)
    folder = written.absolute().parent
    if remote or (folder / CONSOLE).exists():
        _check_database(database, remote, written)
        return Place(path=written, plan=written / PLAN, folder=folder, slug=written.absolute().name, database=database)
    return Place(path=written, plan=written / PLAN, folder=None, database=database)


def _check_database(database: str | None, remote: bool, written: Path) -> None:
    if database is not None and not remote:
        what = f"--database {database} for a folder of studies"
        raise ArgumentError(what, where=str(written), remedy="leave it out, or use postgresql://...")
