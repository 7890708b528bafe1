"""The shelf: every study of a folder, by its slug. Studies that are put there appear without a restart."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from similitude.collect.annotation.child_process import in_child
from similitude.collect.annotation.plan.reader import read_study
from similitude.collect.annotation.records import StudyState
from similitude.collect.annotation.shelf.slugs import REMEDY, check_slug, is_slug
from similitude.collect.annotation.shelf.study_databases import MOST_OPEN, StudyDatabases
from similitude.collect.annotation.shelf.study_files import PLAN, file_stamp, study_folders
from similitude.collect.annotation.store import (
    Database,
    FileReading,
    StudyRecord,
    begin_study,
    make_console,
    note_reading,
    put_study,
    read_files,
)
from similitude.collect.annotation.store import read_study as study_of
from similitude.collect.annotation.store.refusals import Conflict, NotThere
from similitude.errors import SimilitudeError

__all__ = ["ShelvedStudy", "StudyShelf"]

READING_SECONDS = 600.0
"""For reading a study and putting it into its database: 100,000 questions with five judgements take 15."""
BY = "files"
"""Who is named in the log for studies that were put into the folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelvedStudy:
    """A study on the shelf.

    Attributes:
        slug: its name in addresses.
        folder: where its files are.
        record: what its database holds; None if its files were never in order.
        problem: what is wrong with its files; empty if nothing is.
        changed: whether its files have changed since they were read. Those of a draft are read again at once, those of
            any other study when a leader asks for it (`StudyShelf.reload`).
    """

    slug: str
    folder: Path
    record: StudyRecord | None
    problem: str = ""
    changed: bool = False


class StudyShelf:
    """All studies of a folder. Threads may share it, and several processes may have a shelf on the same folder.

    Args:
        folder: the folder of the studies; it is made if it does not exist.
        database: ``postgresql://...``; None for a SQLite file beside each study.
        clock: gives the time, in UTC.
        most_open: how many databases stay open.
    """

    def __init__(
        self,
        folder: str | Path,
        database: str | None = None,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        most_open: int = MOST_OPEN,
    ) -> None:
        self.folder = Path(folder).absolute()
        self.folder.mkdir(mode=0o750, parents=True, exist_ok=True)
        self.clock = clock
        self.databases = StudyDatabases(self.folder, database, most_open=most_open)
        self.console = self.databases.console()
        make_console(self.console, now=clock())
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def slugs(self) -> list[str]:
        """The names of all folders with a study, sorted; one that is no slug is a study with a problem."""
        return study_folders(self.folder)

    def has(self, slug: str) -> bool:
        """Whether there is such a study; cheap."""
        return is_slug(slug) and (self.folder / slug / PLAN).is_file()

    def studies(self) -> list[ShelvedStudy]:
        """All studies, sorted by slug. New ones are read first; a broken one does not disturb the others."""
        return [self.look_safely(slug) for slug in self.slugs()]

    def look(self, slug: str) -> ShelvedStudy:
        """A study as it is now. New files, and those of drafts, are read first.

        Raises:
            NotThere: there is no such study.
            StoreUnavailable: its database cannot be reached.
        """
        if not self.has(slug):
            raise NotThere("no_study", f"no study '{slug[:60]}'")
        with self._locks[slug]:
            return self._look(slug)

    def look_safely(self, slug: str) -> ShelvedStudy:
        """A study as it is now; one that cannot be opened has a problem instead of an error.

        One whose files are being read just now is as it was before.
        """
        if not is_slug(slug):
            return self._broken(slug, f"the folder's name cannot stand in an address; {REMEDY}")
        if self._locks[slug].locked():
            return ShelvedStudy(slug=slug, folder=self.folder / slug, record=self._record(slug), changed=True)
        try:
            return self.look(slug)
        except (OSError, SimilitudeError) as error:
            return self._broken(slug, str(error))

    def database(self, slug: str) -> Database:
        """The database of a study whose files have been in order at least once.

        Raises:
            NotThere: there is no such study, or it has never been in order.
        """
        found = self.look(slug)
        if found.record is None:
            raise NotThere("no_study", f"the study '{slug}' cannot be served: {found.problem}")
        return self.databases.study(slug)

    def reload(self, slug: str, *, by: str) -> StudyRecord:
        """Read a study's files again, whatever its state, and put what they say into its database.

        Raises:
            NotThere: there is no such study.
            InputError: the files are not in order; the study goes on as it was.
        """
        if not self.has(slug):
            raise NotThere("no_study", f"no study '{slug[:60]}'")
        with self._locks[slug]:
            return self._read(slug, file_stamp(self.folder / slug), by=by)

    def create(
        self,
        slug: str,
        fill: Callable[[Path], None],
        *,
        by: str,
        owner: str | None = None,
        state: StudyState = "draft",
    ) -> ShelvedStudy:
        """Make a new study. It appears whole or not at all.

        Args:
            slug: its name in addresses, which no other study has (`free_slug` makes one from a title).
            fill: writes ``study.toml`` and the files that it names into the folder that it is given.
            by: who makes it, for the log.
            owner: the name of the leader who owns it; without one, only admins lead it.
            state: its first state.

        Raises:
            Conflict: there is such a study already.
            InputError: what ``fill`` wrote is not in order; nothing was made.
        """
        if (self.folder / check_slug(slug)).exists() or self.databases.has(slug):
            raise Conflict("study_there", f"there is a study '{slug}' already", remedy="choose another name")
        draft = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder))
        try:
            draft.chmod(0o750)
            fill(draft)
            read_study(draft / PLAN)
            self._place(draft, slug)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        begin_study(self.console, slug, owner, now=self.clock(), by=by)
        with self._locks[slug]:
            self._read(slug, file_stamp(self.folder / slug), by=by, state=state)
            return self._look(slug)

    def close(self) -> None:
        """Close all databases."""
        self.databases.close()
        self.console.close()

    def _place(self, draft: Path, slug: str) -> None:
        try:
            draft.rename(self.folder / slug)
        except OSError:
            raise Conflict("study_there", f"there is a study '{slug}' already", remedy="choose another") from None

    def _look(self, slug: str) -> ShelvedStudy:
        folder = self.folder / slug
        stamp, read = file_stamp(folder), read_files(self.console, slug)
        record = None if read is None else self._record(slug)
        if read is not None and record is None and not read.problem and read.stamp != stamp:
            # A study of this name was in order, and its database is gone with it: these files are another study.
            begin_study(self.console, slug, None, now=self.clock(), by=BY)
            read = None
        changed = read is None or read.stamp != stamp or (record is None and not read.problem)
        if changed and (read is None or record is None or record.state == "draft"):
            read = self._try_to_read(slug, stamp)
            record, changed = self._record(slug), False
        assert read is not None
        return ShelvedStudy(slug=slug, folder=folder, record=record, problem=read.problem, changed=changed)

    def _try_to_read(self, slug: str, stamp: str) -> FileReading:
        with suppress(SimilitudeError):  # it is noted, and the list of studies shows it
            self._read(slug, stamp, by=BY)
        read = read_files(self.console, slug)
        assert read is not None
        return read

    def _read(self, slug: str, stamp: str, *, by: str, state: StudyState = "draft") -> StudyRecord:
        work = (self.folder, self.databases.url, slug, self.clock(), by, state)
        try:
            in_child(_put_files, *work, seconds=READING_SECONDS)
        except SimilitudeError as error:
            note_reading(self.console, slug, stamp, str(error), now=self.clock())
            raise
        note_reading(self.console, slug, stamp, "", now=self.clock())
        return study_of(self.databases.study(slug))

    def _record(self, slug: str) -> StudyRecord | None:
        """What the database holds; None if it holds nothing, or if there is none."""
        try:
            return study_of(self.databases.study(slug, create=False))
        except SimilitudeError as error:
            if isinstance(error, NotThere) or "no such database" in error.what or "no schema" in error.what:
                return None
            raise

    def _broken(self, slug: str, problem: str) -> ShelvedStudy:
        return ShelvedStudy(slug=slug, folder=self.folder / slug, record=None, problem=problem)


def _put_files(folder: Path, url: str | None, slug: str, now: datetime, by: str, state: StudyState) -> None:
    """Read a study's files, and put what they say into its database."""
    planned = read_study(folder / slug / PLAN)
    databases = StudyDatabases(folder, url)
    try:
        put_study(databases.study(slug), planned, now=now, by=by, state=state)
    finally:
        databases.close()
