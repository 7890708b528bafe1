"""Backups of a whole folder of studies: the console, every study's database, and the files that each study is made of.

The archive holds ``folder.json``, ``console.zip`` and for each study ``SLUG/database.zip`` and its files under
``SLUG/files/``. The inner archives are those of `store.backup`, so that one study can also be restored alone.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any

from similitude.collect.annotation.shelf.slugs import is_slug
from similitude.collect.annotation.shelf.study_databases import StudyDatabases
from similitude.collect.annotation.shelf.study_files import DATABASES, PLAN, study_folders
from similitude.collect.annotation.shelf.study_shelf import StudyShelf
from similitude.collect.annotation.store import backup, restore
from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError, InputError

__all__ = ["backup_folder", "restore_folder"]

FORMAT = 1
UNFINISHED = ".restore.tmp"
"""The folder below a new one in which studies are restored, before they are moved to their places."""
RESTORED = "restored.json"
"""The file there that says that everything is there, and from which archive it is."""


def backup_folder(shelf: StudyShelf, path: str | Path) -> Path:
    """Write a backup of all studies; the server keeps running, and each database is consistent in itself.

    Broken studies are kept too: their files, and their database where there is one.

    Raises:
        ArgumentError: nothing can be written there, or it is no ``.zip``.
        StoreUnavailable: a database cannot be reached.
    """
    target = Path(path)
    if target.suffix.lower() != ".zip":
        raise ArgumentError("a folder of studies is kept in a .zip", where=str(target), remedy="name it .zip")
    write_atomically(target, lambda draft: _write(shelf, draft))
    return target


def _write(shelf: StudyShelf, draft: Path) -> None:
    slugs = study_folders(shelf.folder)
    with (
        tempfile.TemporaryDirectory(dir=draft.parent) as work,
        zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        inner = Path(work) / "inner.zip"
        archive.writestr("folder.json", json.dumps({"format": FORMAT, "studies": slugs}))
        for slug in slugs:
            for file in _files(shelf.folder / slug):
                archive.write(file, f"{slug}/files/{file.relative_to(shelf.folder / slug).as_posix()}")
            if is_slug(slug) and shelf.look_safely(slug).record is not None:
                archive.write(backup(shelf.databases.study(slug), inner), f"{slug}/database.zip", zipfile.ZIP_STORED)
        archive.write(backup(shelf.console, inner), "console.zip", zipfile.ZIP_STORED)


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden and not path.name.endswith(DATABASES):
            yield path


def restore_folder(folder: str | Path, source: str | Path, database: str | None = None) -> list[str]:
    """Restore a backup of `backup_folder` into a new folder; the slugs of its studies.

    Args:
        folder: a folder that does not exist yet, or that is empty.
        source: the archive.
        database: ``postgresql://...``, whose schemas must not exist yet; None for a SQLite file beside each study.

    Raises:
        InputError: the file is not such an archive.
        ArgumentError: the folder or the database is not empty.
    """
    into, given = Path(folder), Path(source)
    draft = into / UNFINISHED
    try:
        with zipfile.ZipFile(given) as archive:
            slugs = _slugs(json.loads(archive.read("folder.json")), given)
            if not _is_restored(draft, archive):
                _check_empty(into)
                into.mkdir(mode=0o750, parents=True, exist_ok=True)
                _restore_draft(archive, draft, slugs, database)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        what = f"is not a backup of a folder of studies: {error}"
        raise InputError(what, where=given.name, remedy="give a .zip that `annotate backup FOLDER` wrote") from None
    for path in sorted(draft.iterdir()):
        if path.name != RESTORED:
            path.replace(into / path.name)
    shutil.rmtree(draft)
    return slugs


def _check_empty(into: Path) -> None:
    """Refuse a folder with anything but what an earlier process left unfinished."""
    if into.exists() and any(path.name != UNFINISHED for path in into.iterdir()):
        raise ArgumentError("is not empty", where=str(into), remedy="restore into a new folder")


def _is_restored(draft: Path, archive: zipfile.ZipFile) -> bool:
    """Whether an earlier process restored this archive, and was stopped while it moved studies to their places."""
    stamp = draft / RESTORED
    return stamp.exists() and stamp.read_text(encoding="utf-8") == _stamp(archive)


def _stamp(archive: zipfile.ZipFile) -> str:
    return json.dumps([[each.filename, each.CRC] for each in archive.infolist()])


def _restore_draft(archive: zipfile.ZipFile, draft: Path, slugs: list[str], database: str | None) -> None:
    """Restore everything below a hidden folder, which is removed where that fails."""
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o750)
    try:
        with closing(StudyDatabases(draft, database)) as databases:
            _restore_files(archive, draft)
            _restore_databases(archive, databases, slugs)
        (draft / RESTORED).write_text(_stamp(archive), encoding="utf-8")
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _slugs(manifest: Any, source: Path) -> list[str]:
    if manifest["format"] != FORMAT:
        what = f"has format {manifest['format']}, but this version reads {FORMAT}"
        raise ArgumentError(what, where=source.name, remedy="use a newer version of Similitude")
    return [str(slug) for slug in manifest["studies"]]


def _restore_files(archive: zipfile.ZipFile, into: Path) -> None:
    for name in archive.namelist():
        slug, _, rest = name.partition("/files/")
        if not rest:
            continue
        parts = PurePosixPath(rest).parts
        if "/" in slug or slug.startswith(".") or ".." in parts or PurePosixPath(rest).is_absolute():
            raise ValueError(f"'{name[:60]}' leads out of the folder")
        target = into.joinpath(slug, *parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(name) as there, target.open("wb") as here:
            shutil.copyfileobj(there, here)


def _restore_databases(archive: zipfile.ZipFile, databases: StudyDatabases, slugs: list[str]) -> None:
    with tempfile.TemporaryDirectory(dir=databases.folder, prefix=".restore-") as work:
        for slug in slugs:
            if f"{slug}/database.zip" in archive.namelist() and (databases.folder / slug / PLAN).is_file():
                restore(databases.study(slug), archive.extract(f"{slug}/database.zip", work))
        with closing(databases.console()) as console:
            restore(console, archive.extract("console.zip", work))
